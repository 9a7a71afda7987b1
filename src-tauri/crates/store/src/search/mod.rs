//! Rows found by the words of a text, and by vectors beside them.
//!
//! Which text of which table stands in the catalogue (`@searched`). SQLite keeps its words (FTS5), triggers see to that; vectors
//! are given by product code ([`Transaction::keep_vectors`]), eight bits a number, packed for all parts of one thing, and
//! compared with every one of the things named ([`Transaction::nearest`]): exact search, no index. Both ways answer keys; who
//! reads the rows by them meets only those of the caller.

mod layout;
#[cfg(test)]
mod tests;
mod vectors;
mod words;

pub(crate) use layout::{
    VECTOR_COLUMNS, is_kept, postgres_indices, postgres_tables, postgres_triggers, tables, triggers,
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
