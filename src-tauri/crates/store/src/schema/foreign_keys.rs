//! Checks foreign keys after changes made with foreign keys switched off.

use crate::OpenError;
use crate::driver::sqlite::{connect_copy, store_error};
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A row, by table and row id, that refers to a missing row of another table.
type Orphans = BTreeSet<(String, Option<i64>, String)>;

/// Refuses a change that leaves rows with broken references. Rows whose references were broken before are ignored. `tables`: check only these.
pub(super) fn check(
    connection: &Connection,
    path: &Path,
    tables: Option<Vec<String>>,
) -> Result<(), OpenError> {
    let cannot = |cause| OpenError::Cannot { path: path.to_owned(), cause: store_error(cause) };
    let orphans = find(connection, tables.as_deref()).map_err(cannot)?;
    if orphans.is_empty() {
        return Ok(());
    }
    // Another connection sees the committed state.
    let before = connect_copy(path).and_then(|committed| find(&committed, None)).map_err(cannot)?;
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (table, _, target) in orphans.difference(&before) {
        *counts.entry((table, target)).or_default() += 1;
    }
    if counts.is_empty() {
        return Ok(());
    }
    let said = counts.iter().map(|((table, target), count)| {
        format!("{count} rows of {table} refer to rows of {target} that are not there")
    });
    Err(OpenError::Orphans { path: path.to_owned(), rows: said.collect::<Vec<_>>().join("; ") })
}

fn find(connection: &Connection, tables: Option<&[String]>) -> rusqlite::Result<Orphans> {
    let mut orphans = Orphans::new();
    let mut read = |sql: &str| -> rusqlite::Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            orphans.insert((row.get(0)?, row.get(1)?, row.get(2)?));
        }
        Ok(())
    };
    match tables {
        None => read("PRAGMA foreign_key_check")?,
        Some(tables) => {
            for table in tables {
                read(&format!("PRAGMA foreign_key_check(\"{table}\")"))?;
            }
        }
    }
    Ok(orphans)
}
