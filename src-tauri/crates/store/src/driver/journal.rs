//! How a database is kept whole: with a log beside it, or without.

use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::time::{Duration, Instant};

const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// Takes the log away, which works only for whoever has the database alone: tried until `patience` is over.
pub(crate) fn drop_log(path: &Path, patience: Duration) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    set_mode(&connection, "DELETE", patience)
}

/// Changes how the database is kept whole, tried until `patience` is over: SQLite does not wait where several processes do it at once.
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
