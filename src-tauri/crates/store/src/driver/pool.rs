//! The connections of one kind that read one file.
//!
//! Opening one takes as long as a hundred looks at a row: it reads the schema first. So few are kept, and who finds them all lent waits a moment before
//! opening one more.

use super::sqlite::{Reader, connect_reader, store_error};
use crate::StoreError;
use crate::shared::Values;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// About what opening a connection takes. Who waits for one may hold another, so nobody waits for ever.
const PATIENCE: Duration = Duration::from_millis(10);

pub(super) struct Pool {
    path: PathBuf,
    /// So many are kept.
    most: usize,
    mapped_bytes: usize,
    values: Arc<Values>,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Reader>,
    /// How many are with somebody, or being opened.
    lent: usize,
}

/// A reader that is lent; it goes back when this is dropped.
struct PooledReader<'a> {
    pool: &'a Pool,
    reader: Option<Reader>,
}

impl Pool {
    pub(super) fn new(path: &Path, most: usize, mapped_bytes: usize, values: &Arc<Values>) -> Self {
        let (state, given_back) = Default::default();
        Self { path: path.to_owned(), most, mapped_bytes, values: Arc::clone(values), state, given_back }
    }

    /// Runs `work` on a reader of the file, which is opened when none is idle.
    pub(super) fn with<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&Reader) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut state = self.state();
        if state.idle.is_empty() && state.lent >= self.most {
            let waited = self.given_back.wait_timeout_while(state, PATIENCE, |state| state.idle.is_empty());
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.lent += 1;
        let mut lent = PooledReader { pool: self, reader: state.idle.pop() };
        drop(state);
        work(lent.reader()?)
    }

    /// Opens as many as are kept.
    #[cfg(test)]
    fn fill(&self) -> Result<(), StoreError> {
        loop {
            let mut state = self.state();
            if state.idle.len() + state.lent >= self.most {
                return Ok(());
            }
            state.lent += 1;
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
        // What a panic left is not looked into.
        let is_sound = |reader: &Reader| !std::thread::panicking() && reader.connection.is_autocommit();
        let mut reader = self.reader.take().filter(is_sound);
        let mut state = self.pool.state();
        state.lent -= 1;
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
        (state.idle.len(), state.lent)
    }

    #[test]
    fn what_was_opened_ahead_is_lent_and_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let pool = pool(&folder);
        pool.fill().unwrap();
        assert_eq!(idle_and_lent(&pool), (2, 0));
        let within = pool.with(|_| {
            // One that is lent is one of them.
            pool.fill()?;
            Ok::<_, StoreError>(idle_and_lent(&pool))
        });
        assert_eq!(within.unwrap(), (1, 1));
        // Opened by whoever came first.
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
        // It waited for one to come back first.
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
