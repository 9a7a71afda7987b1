//! Connections to one SQLite file: one that writes, and as many that read as are needed at once.

use super::functions;
use crate::StoreError;
use crate::bounds::Alarm;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a writer waits for another process (an import from the command line can take minutes).
pub(crate) const BUSY: Duration = Duration::from_secs(60);
/// Readers kept open between requests.
const IDLE_READERS: usize = 8;
const STATEMENTS_KEPT: usize = 256;
/// Steps of SQLite's machine between two looks at the alarm: some 50 µs.
const STEPS_BETWEEN_LOOKS: std::ffi::c_int = 4096;

/// The connections of one file.
pub(crate) struct Connections {
    path: PathBuf,
    readers: Mutex<Vec<Reader>>,
    writer_alarm: Arc<Alarm>,
    // Closed last: only a connection that writes can fold the write-ahead log into the file when it goes.
    writer: Mutex<Connection>,
}

/// A connection that reads, and the alarm that stops it.
struct Reader {
    connection: Connection,
    alarm: Arc<Alarm>,
}

impl Connections {
    pub(crate) fn new(path: &Path, mut writer: Connection) -> rusqlite::Result<Arc<Self>> {
        let writer_alarm = attach_alarm(&mut writer)?;
        let (writer, readers) = (Mutex::new(writer), Mutex::default());
        Ok(Arc::new(Self { path: path.to_owned(), writer, writer_alarm, readers }))
    }

    /// Stops what the writer runs, once set. Set it while holding the writer.
    pub(crate) fn writer_alarm(&self) -> &Alarm {
        &self.writer_alarm
    }

    /// The one that writes; others of this process wait.
    pub(crate) fn writer(&self) -> MutexGuard<'_, Connection> {
        // A panic in someone's transaction rolled it back; the connection itself is sound.
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on a reader of its own.
    pub(crate) fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Connection, &Alarm) -> Result<T, E>,
    ) -> Result<T, E> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let reader = match idle {
            Some(reader) => reader,
            None => connect_reader(&self.path).map_err(store_error)?,
        };
        let answer = work(&reader.connection, &reader.alarm);
        if reader.connection.is_autocommit() {
            let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            if readers.len() < IDLE_READERS {
                readers.push(reader);
            }
        }
        answer
    }
}

/// Opens the file for writing, creating it when it is not there.
pub(crate) fn connect_writer(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // FULL: what was answered survives a power cut, not only a kill.
    // The size of pages counts for a new file only.
    connection.execute_batch(
        "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
         PRAGMA cache_size = -8192; PRAGMA temp_store = FILE; PRAGMA journal_size_limit = 67108864;",
    )?;
    prepare(&connection)?;
    Ok(connection)
}

fn connect_reader(path: &Path) -> rusqlite::Result<Reader> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection
        .execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA mmap_size = 134217728;")?;
    prepare(&connection)?;
    let alarm = attach_alarm(&mut connection)?;
    Ok(Reader { connection, alarm })
}

fn attach_alarm(connection: &mut Connection) -> rusqlite::Result<Arc<Alarm>> {
    let alarm = Arc::new(Alarm::default());
    let asked = Arc::clone(&alarm);
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(move || asked.rings()))?;
    Ok(alarm)
}

/// Begins a transaction that writes; `trusting` leaves it to the caller that rows refer to rows that exist.
pub(crate) fn begin(
    connection: &mut Connection,
    trusting: bool,
) -> rusqlite::Result<rusqlite::Transaction<'_>> {
    connection.pragma_update(None, "foreign_keys", !trusting)?;
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// More memory for a load, or back to little.
pub(crate) fn set_cache(connection: &Connection, is_loading: bool) -> rusqlite::Result<()> {
    connection.execute_batch(if is_loading {
        "PRAGMA cache_size = -65536"
    } else {
        "PRAGMA cache_size = -8192; PRAGMA shrink_memory"
    })
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    functions::register(connection)
}

/// Carries an error of ours through code that knows SQLite's only; [`store_error`] takes it out again.
pub(crate) fn carried(error: StoreError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(Box::new(error))
}

/// What went wrong, in the store's words. Uniqueness is told apart by the caller, who knows the constraint's name.
pub(crate) fn store_error(error: rusqlite::Error) -> StoreError {
    let error = match error {
        rusqlite::Error::UserFunctionError(cause) => match cause.downcast() {
            Ok(ours) => return *ours,
            Err(cause) => rusqlite::Error::UserFunctionError(cause),
        },
        error => error,
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => StoreError::Interrupted,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError::Busy { seconds: BUSY.as_secs() }
        }
        Some(ErrorCode::DiskFull) => StoreError::DiskFull,
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly,
        _ => match error.to_string().strip_prefix(functions::OUT_OF_RANGE) {
            Some(why) => StoreError::OutOfRange(why.to_owned()),
            None => StoreError::Database(Box::new(error)),
        },
    }
}
