//! Moves all rows of one database into another: from SQLite into PostgreSQL and back.
//!
//! Data stored beside the rows (marks, words, segments) is rebuilt in the target. While rows are read and written, their number, the exact
//! sums of numeric columns and a digest of all cells are computed on both sides; a move succeeds only if all are equal. A target whose
//! move was interrupted is refused when opened: see [`OpenError::Unfinished`].

pub(crate) mod copy;
mod file;
mod postgres;
mod preview;
mod rows;
mod tally;
#[cfg(test)]
#[cfg(unix)]
mod tests;

pub use preview::{MovePreview, TargetState, preview};
pub use tally::{TableComparison, Tally};

use crate::driver::sqlite::store_error;
use crate::scope::ReadScope;
use crate::{OpenError, Store, StoreError};
use rows::TableToMove;
use std::path::{Path, PathBuf};

pub(crate) use file::write;

/// Called for each table when it is done.
pub type TableListener<'h> = &'h mut dyn FnMut(&TableComparison);

/// Why rows were not moved. The target is unchanged, or marked as unfinished.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the rows of {table} cannot be moved")]
    Rows {
        table: String,
        #[source]
        cause: StoreError,
    },
    /// The target had rows before the move.
    #[error(
        "{place} holds other data than the source ({}); nothing was changed. Choose a database that is new, or empty it first",
        different(tables)
    )]
    HoldsOther { place: PathBuf, tables: Vec<TableComparison> },
    /// The rows in the target differ from those that were read.
    #[error("what arrived in {place} is not what was read ({}); it is not used", different(tables))]
    Differs { place: PathBuf, tables: Vec<TableComparison> },
    #[error(
        "{others} other sessions of Quarterdeck are open on {place}: stop every service and command that uses it, then begin again"
    )]
    InUse { place: PathBuf, others: i64 },
    #[error("{path} cannot be written")]
    File {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
}

impl From<rusqlite::Error> for MoveError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(store_error(error))
    }
}

/// `users 1 row there, 2 here; spends …`: the first three tables that differ.
fn different(tables: &[TableComparison]) -> String {
    const NAMED: usize = 3;
    let wrong: Vec<&TableComparison> = tables.iter().filter(|table| !table.is_equal()).collect();
    let mut text: Vec<String> = wrong.iter().take(NAMED).map(|table| table.difference()).collect();
    if wrong.len() > NAMED {
        text.push(format!("and {} more tables", wrong.len() - NAMED));
    }
    text.join("; ")
}

/// The result of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveReport {
    /// Nothing was written: the target already contained exactly these rows.
    pub already_equal: bool,
    /// Tables with rows on either side.
    pub tables: Vec<TableComparison>,
}

/// Copies all rows of `source` into the PostgreSQL database at this URL. The database must be new, contain the same rows, or be one whose
/// move was interrupted. Nobody else may use either database. Blocks the thread.
pub fn into_postgres(
    source: &Store,
    url: &str,
    on_table: TableListener<'_>,
) -> Result<MoveReport, MoveError> {
    postgres::fill(source, url, Present::Refused, on_table)
}

/// Like [`into_postgres`], but replaces existing rows. They are deleted in the same transaction; if it fails, they are unchanged. Blocks
/// the thread.
pub fn over_postgres(
    source: &Store,
    url: &str,
    on_table: TableListener<'_>,
) -> Result<MoveReport, MoveError> {
    postgres::fill(source, url, Present::Replaced, on_table)
}

/// What to do with a target that has rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Present {
    Refused,
    Replaced,
}

/// Copies all rows of `source` into a new SQLite file. Blocks the thread.
pub fn into_file(source: &Store, path: &Path, on_table: TableListener<'_>) -> Result<MoveReport, MoveError> {
    file::fill(source, path, on_table)
}

/// Compares all rows of two databases.
pub fn compare(source: &Store, target: &Store) -> Result<Vec<TableComparison>, MoveError> {
    let mut compared = Vec::new();
    let of = |store: &Store| -> Result<Vec<(String, Tally)>, MoveError> {
        store.backend.read(ReadScope::default(), |view| {
            let tables = rows::moved_tables(store.catalogue());
            let tally = |table: &TableToMove| Ok((table.name.clone(), table.tally(view.db)?));
            tables.iter().map(tally).collect::<rusqlite::Result<_>>().map_err(MoveError::from)
        })
    };
    for ((table, source), (_, target)) in of(source)?.into_iter().zip(of(target)?) {
        compared.push(TableComparison { table, source, target });
    }
    compared.retain(|table| !table.is_empty());
    Ok(compared)
}

/// Refuses a source that other services have open: their writes during the move would be lost.
fn check_alone(store: &Store, place: &Path) -> Result<(), MoveError> {
    match store.other_sessions()? {
        0 => Ok(()),
        others => Err(MoveError::InUse { place: place.to_owned(), others }),
    }
}

impl Store {
    /// The number of sessions of other Quarterdeck processes on the same PostgreSQL database; 0 for a file.
    fn other_sessions(&self) -> Result<i64, StoreError> {
        if self.backend.sqlite().is_some() {
            return Ok(0);
        }
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'Quarterdeck %' \
                   AND application_name <> current_setting('application_name')";
        self.backend.read(ReadScope::default(), |view| {
            let mut statement = view.db.prepare_cached(sql).map_err(store_error)?;
            Ok(statement.first().map_err(store_error)?.unwrap_or_default())
        })
    }
}
