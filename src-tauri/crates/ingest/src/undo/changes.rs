//! Reads the journal of an import.

use super::UndoError;
use crate::write::cells::Rows;
use model::tables::import_changes;
use model::{Id, Read as _, row};
use store::Transaction;
use uuid::Uuid;

row! {
    /// One entry, without its rows.
    #[derive(Debug, Clone)]
    pub struct Entry from import_changes { id, position, kind, table_name, of_import }
}
row! { struct Content from import_changes { content } }

/// The entries of an import, in the order in which they were written.
pub fn entries(rows: &Transaction<'_>, import: Uuid) -> Result<Vec<Entry>, UndoError> {
    let of_import = import_changes::import_id.eq(Id::new(import));
    Ok(rows.query::<Entry>().filter(of_import).order(import_changes::position.asc()).rows()?)
}

/// The rows of an entry.
pub fn content(rows: &Transaction<'_>, entry: &Entry) -> Result<Rows, UndoError> {
    let found = rows.query::<Content>().filter(import_changes::id.eq(entry.id)).first()?;
    found
        .and_then(|found| Rows::from_text(&found.content))
        .ok_or(UndoError::Damaged("an entry of its journal cannot be read"))
}
