//! A database file that is open: whether it is ours, and of a version this program knows.

use crate::driver::sqlite::{connect_writer, has_only_its_log, store_error};
use crate::error::OpenError;
use rusqlite::{Connection, OptionalExtension as _};
use std::path::{Path, PathBuf};

/// Marks the file as ours ("QDCK").
pub(crate) const APPLICATION_ID: i64 = 0x5144_434B;
/// Number of the last migration in `schema/migrations/`; the first schema has version 1. Additions do not count.
pub const SCHEMA_VERSION: u32 = 5;

/// A database file that is open, and in order as far as that can be told without a catalogue: empty, or ours and of no later version.
pub struct DatabaseFile {
    pub(crate) path: PathBuf,
    pub(crate) connection: Connection,
    pub(crate) progress: Progress,
}

impl DatabaseFile {
    /// Opens the file, creating it when it is not there.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        if has_only_its_log(path) {
            return Err(OpenError::Lost { path: path.to_owned() });
        }
        let draft = draft_of(path);
        if draft.exists() {
            return Err(OpenError::Unfinished { path: draft });
        }
        let connection = connect_writer(path).map_err(|error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => OpenError::NotOurs { path: path.to_owned() },
            _ => OpenError::Cannot { path: path.to_owned(), cause: store_error(error) },
        })?;
        is_new(&connection, path)?;
        Ok(Self { path: path.to_owned(), connection, progress: Box::new(|_| ()) })
    }

    /// Calls `progress` at each step of a migration, from the thread that opens the store.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(MigrationStep) + Send + 'static) -> Self {
        Self { progress: Box::new(progress), ..self }
    }
}

/// Hears how far a migration is.
pub(crate) type Progress = Box<dyn Fn(MigrationStep) + Send>;

/// What a migration is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MigrationStep {
    /// The database is copied, so that what was there before is not lost.
    Copy,
    /// A table is made anew in the shape of this version; `done` of `all` rows are copied.
    Rows { table: String, done: u64, all: u64 },
    /// References between tables are checked.
    References,
}

/// Where the rows of a database are gathered until it is finished.
pub(crate) fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

/// Whether nothing is in the database yet; what is there is ours and of no later version.
pub(crate) fn is_new(connection: &Connection, path: &Path) -> Result<bool, OpenError> {
    let cannot = |cause| OpenError::Cannot { path: path.to_owned(), cause: store_error(cause) };
    let first = connection.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(()));
    if first.optional().map_err(cannot)?.is_none() {
        return Ok(true);
    }
    if pragma(connection, "application_id").map_err(cannot)? != APPLICATION_ID {
        return Err(OpenError::NotOurs { path: path.to_owned() });
    }
    let found = pragma(connection, "user_version").map_err(cannot)?;
    if found > i64::from(SCHEMA_VERSION) {
        return Err(OpenError::Newer { path: path.to_owned(), found, known: i64::from(SCHEMA_VERSION) });
    }
    Ok(false)
}

pub(crate) fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
}
