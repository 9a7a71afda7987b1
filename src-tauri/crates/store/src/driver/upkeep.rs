//! Maintenance of the SQLite file: data stored beside the rows, and integrity checks.

use crate::driver::sqlite::{begin, store_error};
use crate::driver::statistics;
use crate::{SegmentReport, Store, StoreError, segments, shared};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of active pauses; locked while a maintenance step runs.
#[derive(Default)]
pub(crate) struct Pauses(Mutex<usize>);

impl Pauses {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While this guard exists, maintenance writes nothing to the file, and its content stays equal to a backup.
#[must_use]
pub struct UpkeepPause {
    /// `None` if the pause is permanent; a guard with a store would keep its file open.
    store: Option<Store>,
}

impl UpkeepPause {
    /// Makes the pause permanent for this opening of the store.
    pub fn stays(mut self) {
        self.store = None;
    }
}

impl Drop for UpkeepPause {
    fn drop(&mut self) {
        let Some(store) = &self.store else { return };
        *store.pauses.lock() -= 1;
        if let Some(connections) = store.backend.sqlite() {
            connections.missing_segments().notify_one();
            connections.growth().notify_one();
        }
    }
}

impl Store {
    /// Pauses the renewal of segments and statistics by this process; waits for a running step. Blocks the thread.
    pub fn pause_upkeep(&self) -> UpkeepPause {
        *self.pauses.lock() += 1;
        UpkeepPause { store: Some(self.clone()) }
    }

    /// Compares all segments with their rows and reports differences. Reads all rows of tables with segments.
    pub fn check_segments(&self) -> Result<Vec<SegmentReport>, StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(Vec::new()) };
        connections.read(|connection, _| {
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            segments::check(&snapshot, &self.catalogue).map_err(store_error)
        })
    }

    /// Waits until rows of tables with segments were written, or a query found many rows without a segment (written by another process).
    /// Which segments are missing is stored in the database.
    pub async fn wait_for_missing_segments(&self) {
        match self.backend.sqlite() {
            Some(connections) => connections.missing_segments().notified().await,
            None => std::future::pending().await,
        }
    }

    /// Builds a few missing segments in a short transaction. Returns whether any were missing; call again until none are. Blocks the
    /// thread and other writes.
    pub fn renew_segments(&self) -> Result<bool, StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(false) };
        let pauses = self.pauses.lock();
        if *pauses > 0 {
            return Ok(false);
        }
        let is_due = connections.read(|connection, _| {
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            segments::is_due(&snapshot, &self.catalogue).map_err(store_error)
        })?;
        if !is_due {
            return Ok(false);
        }
        let mut writer = connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        let is_renewed = segments::renew(&transaction, &self.catalogue).map_err(store_error)?;
        transaction.commit().map_err(store_error)?;
        Ok(is_renewed)
    }

    /// Rebuilds everything stored beside the rows, and deletes shared values that no row refers to. Blocks the thread and other writes.
    pub fn repair_segments(&self) -> Result<(), StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(()) };
        let mut writer = connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        segments::repair(&transaction, &self.catalogue).map_err(store_error)?;
        shared::sweep(&transaction, &self.catalogue).map_err(store_error)?;
        transaction.commit().map_err(store_error)
    }

    /// Waits until rows with shared values were deleted: [`Store::sweep_shared`] may then find something to do.
    pub async fn wait_for_removed_shared_rows(&self) {
        match self.backend.sqlite() {
            Some(connections) => connections.removed_shared_rows().notified().await,
            None => std::future::pending().await,
        }
    }

    /// Deletes shared values that no row refers to. Returns their number. Call it when no read that began before the rows were deleted is
    /// still running: it would miss the values. Reads all rows that may refer to them. Blocks the thread and other writes.
    pub fn sweep_shared(&self) -> Result<usize, StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(0) };
        let pauses = self.pauses.lock();
        if *pauses > 0 {
            return Ok(0);
        }
        let mut writer = connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        let removed = shared::sweep(&transaction, &self.catalogue).map_err(store_error)?;
        transaction.commit().map_err(store_error)?;
        Ok(removed)
    }

    /// Waits until many rows were written: [`Store::renew_statistics`] may then find something to do.
    pub async fn wait_for_growth(&self) {
        match self.backend.sqlite() {
            Some(connections) => connections.growth().notified().await,
            // PostgreSQL maintains its statistics itself.
            None => std::future::pending().await,
        }
    }

    /// Updates the statistics, used for query planning, of tables that have none or have grown tenfold. Works on samples, in a short
    /// transaction per table, so that other writers wait only briefly. Returns the number of tables. Blocks the thread.
    pub fn renew_statistics(&self) -> Result<usize, StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(0) };
        let pauses = self.pauses.lock();
        if *pauses > 0 {
            return Ok(0);
        }
        let due = statistics::due(&connections.writer()).map_err(store_error)?;
        for table in &due {
            statistics::renew(&connections.writer(), table).map_err(store_error)?;
        }
        Ok(due.len())
    }

    /// Errors that SQLite finds in the file; empty if it is intact. Reads the whole file.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(Vec::new()) };
        connections.read(|connection, _| {
            let mut statement = connection.prepare("PRAGMA quick_check").map_err(store_error)?;
            let found = statement.query_map([], |row| row.get::<_, String>(0)).map_err(store_error)?;
            let found = found.collect::<rusqlite::Result<Vec<_>>>().map_err(store_error)?;
            let missing = shared::faults(connection, &self.catalogue).map_err(store_error)?;
            Ok(found.into_iter().filter(|line| line != "ok").chain(missing).collect())
        })
    }
}
