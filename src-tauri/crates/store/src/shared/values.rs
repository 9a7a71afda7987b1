//! Caches shared cells by number.

use super::cells::Cells;
use rusqlite::{Connection, Error, OpenFlags, OptionalExtension as _, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum bytes of cached committed cells.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Approximate overhead of an entry in bytes.
const ENTRY: usize = 64;
/// How long a lookup waits for a locked file.
const BUSY: Duration = Duration::from_mins(1);

type Memory = HashMap<i64, Arc<Cells>, foldhash::fast::RandomState>;

/// The shared cells of one file: a cache, and a connection that reads the others.
pub(crate) struct Values {
    path: PathBuf,
    state: Mutex<State>,
    finder: Mutex<Finder>,
}

#[derive(Default)]
struct State {
    committed: Memory,
    bytes: usize,
    /// Cells of the writing transaction: no other connection sees them, therefore they are not evicted before it ends.
    noted: Memory,
}

#[derive(Default)]
enum Finder {
    #[default]
    Unopened,
    Open(Connection),
    Closed,
}

impl Values {
    pub(crate) fn of(path: &Path) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), state: Mutex::default(), finder: Mutex::default() })
    }

    /// The cells with this number.
    pub(super) fn get(&self, number: i64) -> Result<Arc<Cells>> {
        let known = {
            let state = lock(&self.state);
            state.noted.get(&number).or_else(|| state.committed.get(&number)).map(Arc::clone)
        };
        if let Some(cells) = known {
            return Ok(cells);
        }
        let cells = Arc::new(Cells::split(&self.find(number)?)?);
        let mut state = lock(&self.state);
        if state.bytes > MOST_BYTES {
            state.committed.clear();
            state.bytes = 0;
        }
        state.bytes += cells.size() + ENTRY;
        state.committed.insert(number, Arc::clone(&cells));
        Ok(cells)
    }

    /// Caches cells that the open transaction adds.
    pub(super) fn note(&self, number: i64, cells: &[u8]) -> Result<()> {
        let cells = Arc::new(Cells::split(cells)?);
        lock(&self.state).noted.insert(number, cells);
        Ok(())
    }

    /// Ends the transaction: its cells are in the file, or rolled back.
    pub(crate) fn discard_pending(&self) {
        lock(&self.state).noted = Memory::default();
    }

    /// Closes the connection to the file permanently.
    fn close(&self) {
        *lock(&self.finder) = Finder::Closed;
    }

    fn find(&self, number: i64) -> Result<Vec<u8>> {
        let mut finder = lock(&self.finder);
        if matches!(*finder, Finder::Unopened) {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(&self.path, flags)?;
            connection.busy_timeout(BUSY)?;
            connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -1024")?;
            *finder = Finder::Open(connection);
        }
        let Finder::Open(connection) = &*finder else {
            return Err(Error::UserFunctionError("the database is closed".into()));
        };
        let found =
            connection.prepare_cached(&super::find())?.query_row([number], |row| row.get(0)).optional()?;
        found.ok_or_else(|| Error::UserFunctionError(format!("shared cells {number} are missing").into()))
    }
}

/// Closes the cache's connection on drop. Must be dropped before the writer, which checkpoints the write-ahead log only if it is the last
/// connection.
pub(crate) struct ValuesInUse(pub Arc<Values>);

impl Drop for ValuesInUse {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
