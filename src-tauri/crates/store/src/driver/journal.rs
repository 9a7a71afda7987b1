//! The journal mode of a database: with or without a write-ahead log.

use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// Removes the write-ahead log. Only succeeds if no other process has the database open; retried until `patience` is over.
pub(crate) fn drop_log(path: &Path, patience: Duration) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    set_mode(&connection, "DELETE", patience)
}

/// Sets the journal mode; retried until `patience` is over, because SQLite does not wait when several processes change it at once.
pub(super) fn set_mode(connection: &Connection, mode: &str, patience: Duration) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        match connection.execute_batch(&format!("PRAGMA journal_mode = {mode}")) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && began.elapsed() < patience =>
            {
                std::thread::sleep(BETWEEN_TRIES);
            }
            done => return done,
        }
    }
}
