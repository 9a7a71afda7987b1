//! Opens a database file and checks that it is ours and of a supported version.

use crate::driver::sqlite::{connect_writer, has_only_its_log, store_error};
use crate::error::OpenError;
use rusqlite::{Connection, OptionalExtension as _};
use std::path::{Path, PathBuf};

/// SQLite application id of our files ("QDCK").
pub(crate) const APPLICATION_ID: i64 = 0x5144_434B;
/// Number of the last migration in `schema/migrations/`; the first schema has version 1. Additions do not change it.
pub const SCHEMA_VERSION: u32 = 5;

/// An open database file that passed the checks possible without a catalogue: it is empty, or ours and not of a later version.
pub struct DatabaseFile {
    pub(crate) path: PathBuf,
    pub(crate) connection: Connection,
    pub(crate) progress: Progress,
}

impl DatabaseFile {
    /// Opens the file; creates it if it does not exist.
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

    /// Calls `progress` at each step of a migration, on the thread that opens the store.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(MigrationStep) + Send + 'static) -> Self {
        Self { progress: Box::new(progress), ..self }
    }
}

/// Receives the progress of a migration.
pub(crate) type Progress = Box<dyn Fn(MigrationStep) + Send>;

/// The current step of a migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MigrationStep {
    /// The database is being copied as a backup.
    Copy,
    /// A table is being rebuilt; `done` of `all` rows are copied.
    Rows { table: String, done: u64, all: u64 },
    /// Foreign keys are being checked.
    References,
}

/// The path of the draft in which a database is built until it is complete.
pub(crate) fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

/// Whether the database is empty. Fails if it is not ours or of a later version.
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
