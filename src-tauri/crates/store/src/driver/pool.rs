//! A pool of read connections of one kind to a file.
//!
//! Opening a connection takes as long as a hundred single-row reads, because it reads the schema. A few are kept open. If all are in use,
//! a caller waits a moment before it opens another.

use super::sqlite::{Reader, connect_reader, store_error};
use crate::StoreError;
use crate::shared::Values;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// About the time it takes to open a connection. Bounded, because a waiting caller may itself hold a connection.
const PATIENCE: Duration = Duration::from_millis(10);

pub(super) struct Pool {
    path: PathBuf,
    /// Maximum number of connections kept open.
    most: usize,
    mapped_bytes: usize,
    values: Arc<Values>,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Reader>,
    /// Connections in use or being opened.
    in_use: usize,
}

/// A borrowed reader; returned to the pool on drop.
struct PooledReader<'a> {
    pool: &'a Pool,
    reader: Option<Reader>,
}

impl Pool {
    pub(super) fn new(path: &Path, most: usize, mapped_bytes: usize, values: &Arc<Values>) -> Self {
        let (state, given_back) = Default::default();
        Self { path: path.to_owned(), most, mapped_bytes, values: Arc::clone(values), state, given_back }
    }

    /// Runs `work` on a reader; opens one if none is idle.
    pub(super) fn with<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Reader) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut state = self.state();
        if state.idle.is_empty() && state.in_use >= self.most {
            let waited = self.given_back.wait_timeout_while(state, PATIENCE, |state| state.idle.is_empty());
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.in_use += 1;
        let mut lent = PooledReader { pool: self, reader: state.idle.pop() };
        drop(state);
        work(lent.reader()?)
    }

    /// Opens as many connections as are kept open.
    #[cfg(test)]
    fn fill(&self) -> Result<(), StoreError> {
        loop {
            let mut state = self.state();
            if state.idle.len() + state.in_use >= self.most {
                return Ok(());
            }
            state.in_use += 1;
            drop(state);
            PooledReader { pool: self, reader: None }.reader()?;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PooledReader<'_> {
    fn reader(&mut self) -> Result<&Reader, StoreError> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => connect_reader(&self.pool.path, self.pool.mapped_bytes, &self.pool.values)
                .map_err(store_error)?,
        };
        Ok(self.reader.insert(reader))
    }
}

impl Drop for PooledReader<'_> {
    fn drop(&mut self) {
        // A connection that a panic interrupted is not reused.
        let is_sound = |reader: &Reader| !std::thread::panicking() && reader.connection.is_autocommit();
        let mut reader = self.reader.take().filter(is_sound);
        let mut state = self.pool.state();
        state.in_use -= 1;
        if state.idle.len() < self.pool.most {
            state.idle.extend(reader.take());
        }
        drop(state);
        self.pool.given_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::{PATIENCE, Pool};
    use crate::StoreError;
    use crate::shared::Values;
    use rusqlite::Connection;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Instant;

    fn pool(folder: &tempfile::TempDir) -> Pool {
        let path = folder.path().join("rows.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE one (id)").unwrap();
        Pool::new(&path, 2, 0, &Values::of(&path))
    }

    fn idle_and_lent(pool: &Pool) -> (usize, usize) {
        let state = pool.state();
        (state.idle.len(), state.in_use)
    }

    #[test]
    fn what_was_opened_ahead_is_lent_and_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        pool.fill().unwrap();
        assert_eq!(idle_and_lent(&pool), (2, 0));
        let within = pool.with(|_| {
            // The borrowed connection counts too.
            pool.fill()?;
            Ok::<_, StoreError>(idle_and_lent(&pool))
        });
        assert_eq!(within.unwrap(), (1, 1));
        // Opened by the first callers.
        pool.fill().unwrap();
        assert_eq!(idle_and_lent(&pool), (2, 0));
    }

    #[test]
    fn who_holds_all_of_them_gets_one_more_and_no_more_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        let began = Instant::now();
        let deepest =
            pool.with(|_| pool.with(|_| pool.with(|_| Ok::<_, StoreError>(idle_and_lent(&pool))))).unwrap();
        assert_eq!(deepest, (0, 3));
        // It first waited for one to be returned.
        assert!(began.elapsed() >= PATIENCE);
        assert_eq!(idle_and_lent(&pool), (2, 0));
    }

    #[test]
    fn what_a_panic_or_an_open_transaction_left_is_not_lent_again() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        let work = || pool.with(|_| -> Result<(), StoreError> { panic!("as a fault would") });
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
        assert_eq!(idle_and_lent(&pool), (0, 0));
        pool.with(|reader| reader.connection.execute_batch("BEGIN").map_err(super::store_error)).unwrap();
        assert_eq!(idle_and_lent(&pool), (0, 0));
    }

    #[test]
    fn a_file_that_cannot_be_opened_leaves_nothing_lent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/rows.db");
        let pool = Pool::new(&path, 2, 0, &Values::of(&path));
        assert!(pool.fill().is_err());
        assert!(pool.with(|_| Ok::<_, StoreError>(())).is_err());
        assert_eq!(idle_and_lent(&pool), (0, 0));
    }
}
