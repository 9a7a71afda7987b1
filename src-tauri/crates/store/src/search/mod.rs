//! Full-text and vector search.
//!
//! The catalogue declares which text of which table is searched (`@searched`). SQLite stores its words (FTS5), updated by triggers.
//! Product code supplies vectors ([`Transaction::keep_vectors`]): 8 bits per number, packed for all parts of one object, and compared with
//! every part of the given objects ([`Transaction::nearest`]), which is an exact search without index. Both searches return keys; reading
//! the rows by key applies the caller's row filter.

mod layout;
#[cfg(test)]
mod tests;
mod vectors;
mod words;

pub(crate) use layout::{
    VECTOR_COLUMNS, is_index_table, postgres_indices, postgres_tables, postgres_triggers, tables, triggers,
    vector_tables,
};
pub use vectors::Near;

use crate::StoreError;
use crate::rows::Transaction;
use layout::Layout;

impl<'a> Transaction<'a> {
    fn searched(&self, table: &str) -> Result<Layout<'a>, StoreError> {
        let unknown = || StoreError::UnknownTable(table.to_owned());
        let id = self.catalogue().find(table).ok_or_else(unknown)?;
        Layout::of(self.catalogue().table(id)).ok_or_else(unknown)
    }
}
