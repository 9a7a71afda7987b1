//! The journal of an import, read back.

use super::UndoError;
use crate::write::cells::Rows;
use store::{Transaction, eq};
use uuid::Uuid;

/// One entry, without its rows.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: Uuid,
    pub position: i64,
    pub kind: String,
    pub table: String,
    pub of_import: Option<Uuid>,
}

/// The entries of an import, in the order they were written.
pub fn entries(rows: &Transaction<'_>, import: Uuid) -> Result<Vec<Entry>, UndoError> {
    let columns = ["id", "position", "kind", "table_name", "of_import"];
    let found = rows.select("import_changes", &columns, &[eq("import_id", import)])?;
    let mut entries: Vec<Entry> = found
        .iter()
        .filter_map(|row| {
            Some(Entry {
                id: row[0].as_uuid()?,
                position: row[1].as_int()?,
                kind: row[2].as_text()?.to_owned(),
                table: row[3].as_text()?.to_owned(),
                of_import: row[4].as_uuid(),
            })
        })
        .collect();
    entries.sort_by_key(|entry| entry.position);
    Ok(entries)
}

/// The rows of an entry.
pub fn content(rows: &Transaction<'_>, entry: &Entry) -> Result<Rows, UndoError> {
    let found = rows.select("import_changes", &["content"], &[eq("id", entry.id)])?;
    let text = found.first().and_then(|row| row[0].as_text()).unwrap_or_default();
    Rows::from_text(text).ok_or(UndoError::Damaged("an entry of its journal cannot be read"))
}
