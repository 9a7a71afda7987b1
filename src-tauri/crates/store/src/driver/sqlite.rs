//! Connections to one SQLite file: one writer, and as many readers as needed.

use super::answer_memo::AnswerMemo;
use super::group::Group;
use super::pool::Pool;
use super::written::WrittenTables;
use super::{functions, journal};
use crate::StoreError;
use crate::bounds::Deadline;
use crate::notices::{Foreign, Notices};
use crate::shared::{self, Values, ValuesInUse};
use catalogue::{Catalogue, TableId};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::hooks::Action;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, ffi};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// How long a writer waits for another process (a command-line import can take minutes).
pub(crate) const BUSY: Duration = Duration::from_mins(1);
/// Polling interval when waiting for the writer with a timeout.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Range for the number of readers of each kind kept open between requests: one per core, at least two because one may wait for the disk.
const IDLE_READERS: std::ops::RangeInclusive<usize> = 2..=4;
/// How much of the file a reader of many rows maps into memory. Mapping replaces a large cache: it takes half the processor time, and the
/// system can reclaim the pages. The mapping of every reader counts as memory. With 64 MB instead of 16 the queries of `interface` took
/// the same processor time and the service 31 MB more. Data beyond the mapping is read into a cache, which must hold what one query needs
/// (2 MB instead of 4: three times the processor time for a sum over 50 accounts).
const MAPPED_BYTES: usize = 16 * 1024 * 1024;
const CACHED_STATEMENTS: usize = 256;
/// Number of written rows after which the table statistics are checked again.
const MANY_ROWS: u64 = 20_000;
/// SQLite VM steps between two checks of the deadline: about 50 µs.
const STEPS_BETWEEN_CHECKS: std::ffi::c_int = 4096;

/// The connections of one file.
pub(crate) struct Connections {
    path: PathBuf,
    readers: Pool,
    /// Readers for single-row reads, on any thread. They have no mapping: each one would count as memory, and they do not need it.
    point_readers: Pool,
    writer_deadline: Arc<Deadline>,
    written: Arc<Mutex<WrittenTables>>,
    notices: Arc<Notices>,
    /// Incremented whenever a reader sees a commit by others.
    data_version: AtomicU64,
    group: Group,
    catalogue: Arc<Catalogue>,
    /// Signals that rows of a table with segments were written, or that rows without segments were found.
    missing_segments: Notify,
    /// Rows written since the last signal that many were written.
    written_rows: AtomicU64,
    growth: Notify,
    /// Signals that rows of a table with shared values were deleted.
    removed_shared_rows: Notify,
    /// Shared values, for the writer and the readers.
    values: ValuesInUse,
    // Closed last: only a writing connection can checkpoint the write-ahead log into the file on close.
    writer: Mutex<Connection>,
    // Dropped after the writer, which signals that all connections are closed.
    open: watch::Sender<()>,
}

/// A read connection and its state.
pub(crate) struct Reader {
    pub(super) connection: Connection,
    /// Interrupts statements of this connection.
    pub deadline: Arc<Deadline>,
    /// Cached answers about the values of dictionaries.
    pub answer_memo: AnswerMemo,
    /// SQLite's `data_version` when last read; another number means that others have committed.
    version: Cell<Option<i64>>,
}

impl Connections {
    pub(crate) fn new(
        path: &Path,
        mut writer: Connection,
        catalogue: &Arc<Catalogue>,
    ) -> rusqlite::Result<Arc<Self>> {
        let writer_deadline = attach_deadline(&mut writer)?;
        let written = Arc::new(Mutex::new(WrittenTables::default()));
        let noted = Arc::clone(&written);
        writer.update_hook(Some(move |action, _: &str, table: &str, _| {
            lock(&noted).note(table, action == Action::SQLITE_DELETE);
        }))?;
        // One cache of shared values for all connections of the file, in place of the writer's own.
        let values = Values::of(path);
        shared::register(&writer, &values)?;
        let writer = Mutex::new(writer);
        let notices = Notices::new(catalogue);
        let cores = std::thread::available_parallelism().map_or(*IDLE_READERS.start(), usize::from);
        let most_idle = cores.clamp(*IDLE_READERS.start(), *IDLE_READERS.end());
        Ok(Arc::new(Self {
            path: path.to_owned(),
            writer,
            writer_deadline,
            written,
            notices,
            readers: Pool::new(path, most_idle, MAPPED_BYTES, &values),
            point_readers: Pool::new(path, most_idle, 0, &values),
            data_version: AtomicU64::new(0),
            group: Group::default(),
            catalogue: Arc::clone(catalogue),
            missing_segments: Notify::new(),
            written_rows: AtomicU64::new(0),
            growth: Notify::new(),
            removed_shared_rows: Notify::new(),
            values: ValuesInUse(values),
            open: watch::Sender::new(()),
        }))
    }

    /// Completes when all connections are closed. The future itself holds none.
    pub(crate) fn closed(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut open = self.open.subscribe();
        // Nothing is ever sent: the error means that the sender was dropped.
        async move { while open.changed().await.is_ok() {} }
    }

    /// Signals that segments of a table may have to be rebuilt.
    pub(crate) fn missing_segments(&self) -> &Notify {
        &self.missing_segments
    }

    /// Signals that many rows were written.
    pub(crate) fn growth(&self) -> &Notify {
        &self.growth
    }

    /// Signals that rows with shared values were deleted.
    pub(crate) fn removed_shared_rows(&self) -> &Notify {
        &self.removed_shared_rows
    }

    pub(crate) fn notices(&self) -> &Arc<Notices> {
        &self.notices
    }

    /// Publishes what the transaction just committed has written. Call it while holding the writer.
    pub(crate) fn publish(&self) {
        let written = std::mem::take(&mut *lock(&self.written));
        let tables: Vec<TableId> =
            written.tables.iter().filter_map(|table| self.catalogue.find(table)).collect();
        if tables.iter().any(|table| self.catalogue.table(*table).segments.is_some()) {
            self.missing_segments.notify_one();
        }
        let shares = |table: &String| {
            self.catalogue.find(table).is_some_and(|id| shared::shares(self.catalogue.table(id)))
        };
        if written.removed.iter().any(shares) {
            self.removed_shared_rows.notify_one();
        }
        if self.written_rows.fetch_add(written.rows, Ordering::AcqRel) + written.rows >= MANY_ROWS {
            self.written_rows.store(0, Ordering::Release);
            self.growth.notify_one();
        }
        self.notices.publish(tables.into_iter());
    }

    /// Whether the open transaction has written the table. Call it while holding the writer.
    pub(crate) fn has_written(&self, table: &str) -> bool {
        lock(&self.written).tables.contains(table)
    }

    /// The deadline of the writer. Set it while holding the writer.
    pub(crate) fn writer_deadline(&self) -> &Deadline {
        &self.writer_deadline
    }

    /// Locks the write connection; other threads of this process wait. No transaction is open.
    pub(crate) fn writer(&self) -> MutexGuard<'_, Connection> {
        let writer = self.lock_writer();
        self.begin_anew(&writer);
        writer
    }

    /// Locks the write connection as [`Self::writer`] does; `None` if it is not free within `patience`.
    pub(crate) fn writer_within(&self, patience: Duration) -> Option<MutexGuard<'_, Connection>> {
        let began = Instant::now();
        loop {
            let writer = match self.writer.try_lock() {
                Ok(writer) => writer,
                Err(TryLockError::Poisoned(sound)) => sound.into_inner(),
                Err(TryLockError::WouldBlock) if began.elapsed() >= patience => return None,
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(POLL_INTERVAL);
                    continue;
                }
            };
            self.begin_anew(&writer);
            return Some(writer);
        }
    }

    /// Commits an open group, and resets what a rolled-back transaction had recorded.
    fn begin_anew(&self, writer: &Connection) {
        self.end_group(writer);
        self.set_written(WrittenTables::default());
        self.values.0.discard_pending();
    }

    /// Locks the write connection, possibly with an open transaction of a group.
    pub(crate) fn lock_writer(&self) -> MutexGuard<'_, Connection> {
        // A panic rolled back its transaction; the connection itself is intact.
        lock(&self.writer)
    }

    /// What the open transaction has written so far.
    pub(crate) fn written(&self) -> WrittenTables {
        lock(&self.written).clone()
    }

    /// Resets what the transaction has written, after a partial rollback.
    pub(crate) fn set_written(&self, written: WrittenTables) {
        *lock(&self.written) = written;
    }

    pub(crate) fn group(&self) -> &Group {
        &self.group
    }

    /// Runs `work` on a reader.
    pub(crate) fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Connection, &Reader) -> Result<T, E>,
    ) -> Result<T, E> {
        self.readers.with(|reader| work(&reader.connection, reader))
    }

    /// Runs `work` on a reader for single-row reads.
    pub(crate) fn read_point<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Connection, &Reader) -> Result<T, E>,
    ) -> Result<T, E> {
        self.point_readers.with(|reader| work(&reader.connection, reader))
    }

    /// A number that changes whenever anyone commits, in this process or another. It may also change without a commit, because every
    /// reader detects commits by itself.
    pub(crate) fn data_version(&self) -> Result<u64, StoreError> {
        self.point_readers.with(|reader| {
            let mut statement =
                reader.connection.prepare_cached("PRAGMA data_version").map_err(store_error)?;
            let version = statement.query_row([], |row| row.get(0)).map_err(store_error)?;
            if reader.version.replace(Some(version)) != Some(version) {
                self.data_version.fetch_add(1, Ordering::AcqRel);
            }
            Ok(self.data_version.load(Ordering::Acquire))
        })
    }
}

impl Foreign for Connections {
    /// `None` while this process is writing, when no other process can.
    fn version(&self) -> Option<i64> {
        let writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(TryLockError::Poisoned(sound)) => sound.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        writer.pragma_query_value(None, "data_version", |row| row.get(0)).ok()
    }

    /// The write-ahead log: every process that writes the database writes it.
    fn log(&self) -> Option<PathBuf> {
        let mut path = self.path.clone().into_os_string();
        path.push("-wal");
        Some(path.into())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the file for writing; creates it if it does not exist.
pub(crate) fn connect_writer(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    // FULL: committed data survives a power failure, not only a kill. The page size takes effect for a new file only.
    connection.execute_batch("PRAGMA page_size = 8192")?;
    journal::set_mode(&connection, "WAL", BUSY)?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA cache_size = -8192; PRAGMA temp_store = FILE; \
         PRAGMA journal_size_limit = 67108864;",
    )?;
    prepare(&connection, &Values::of(path))?;
    Ok(connection)
}

pub(super) fn connect_reader(
    path: &Path,
    mapped_bytes: usize,
    values: &Arc<Values>,
) -> rusqlite::Result<Reader> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch(&format!(
        "PRAGMA query_only = ON; PRAGMA cache_size = -4096; PRAGMA mmap_size = {mapped_bytes};"
    ))?;
    prepare(&connection, values)?;
    let deadline = attach_deadline(&mut connection)?;
    Ok(Reader { connection, deadline, answer_memo: AnswerMemo::default(), version: Cell::new(None) })
}

/// Opens a file that nobody writes, read-only.
pub(crate) fn connect_copy(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection, &Values::of(path))?;
    Ok(connection)
}

/// Opens a file that nobody else has open, for writing without a write-ahead log.
pub(crate) fn connect_alone(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")?;
    prepare(&connection, &Values::of(path))?;
    Ok(connection)
}

/// Copies all pages of one snapshot into a new file without a write-ahead log.
pub(crate) fn copy_pages(connection: &Connection, path: &Path) -> rusqlite::Result<()> {
    let mut copy = Connection::open(path)?;
    // In one step: a write between two steps would restart the copy.
    match Backup::new(connection, &mut copy)?.step(-1)? {
        StepResult::Done => {}
        _ => {
            return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None));
        }
    }
    // The copied header declares a write-ahead log; the file must be complete without one.
    copy.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL")
}

fn attach_deadline(connection: &mut Connection) -> rusqlite::Result<Arc<Deadline>> {
    let deadline = Arc::new(Deadline::default());
    let asked = Arc::clone(&deadline);
    connection.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || asked.must_stop()))?;
    Ok(deadline)
}

/// Begins a write transaction. With `trusting`, foreign keys are not checked: the caller guarantees them.
pub(crate) fn begin(
    connection: &mut Connection,
    trusting: bool,
) -> rusqlite::Result<rusqlite::Transaction<'_>> {
    connection.pragma_update(None, "foreign_keys", !trusting)?;
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Begins a write transaction; fails if another process writes for longer than `patience`.
pub(crate) fn begin_within(
    connection: &Connection,
    patience: Duration,
) -> rusqlite::Result<rusqlite::Transaction<'_>> {
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.busy_timeout(patience)?;
    let begun = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate);
    connection.busy_timeout(BUSY)?;
    begun
}

fn prepare(connection: &Connection, values: &Arc<Values>) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    functions::register(connection)?;
    shared::register(connection, values)
}

/// Wraps an error of ours as an SQLite error; [`store_error`] unwraps it.
pub(crate) fn carried(error: StoreError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(Box::new(error))
}

/// Whether the cause is damage to the database itself, in contrast to one that is busy or read-only, or to a full disk.
pub fn is_damage(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source())
        .any(|error| error.downcast_ref().is_some_and(tells_damage))
}

/// Whether an SQLite error means damage, including a disk that returns wrong or no data.
fn tells_damage(error: &rusqlite::Error) -> bool {
    let Some(said) = error.sqlite_error() else { return false };
    matches!(said.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
        || [ffi::SQLITE_IOERR_READ, ffi::SQLITE_IOERR_SHORT_READ, ffi::SQLITE_IOERR_CORRUPTFS]
            .contains(&said.extended_code)
}

/// Whether the write-ahead log exists without its database: SQLite would create a new database and delete the log.
pub(crate) fn has_only_its_log(path: &Path) -> bool {
    let has_bytes = |path: &Path| path.metadata().is_ok_and(|file| file.len() > 0);
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    !has_bytes(path) && has_bytes(Path::new(&log))
}

/// Converts an SQLite error. Uniqueness errors are handled by the caller, who knows the constraint's name.
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
        // SQLite creates files beside the database, therefore it cannot open one in a read-only folder.
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            StoreError::ReadOnly
        }
        _ if tells_damage(&error) => StoreError::Damaged(Box::new(error)),
        _ => {
            let said = error.to_string();
            if let Some(why) = said.strip_prefix(functions::OUT_OF_RANGE) {
                return StoreError::OutOfRange(why.to_owned());
            }
            match said.strip_prefix(functions::WRONG_JSON) {
                Some(why) => StoreError::WrongJson(why.to_owned()),
                None => StoreError::Database(Box::new(error)),
            }
        }
    }
}
