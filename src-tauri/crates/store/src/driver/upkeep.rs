//! Looking after the file: what is kept beside the rows, and whether all of it is sound.

use crate::driver::sqlite::{begin, store_error};
use crate::driver::statistics;
use crate::{SegmentReport, Store, StoreError, segments, shared};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many want no upkeep at the moment; locked while a step of it runs.
#[derive(Default)]
pub(crate) struct Pauses(Mutex<usize>);

impl Pauses {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While it lives, upkeep writes nothing to the file: what a backup holds stays what the file holds.
#[must_use]
pub struct UpkeepPause {
    /// None when the pause stays: who holds a store keeps its file open.
    store: Option<Store>,
}

impl UpkeepPause {
    /// Pauses until the store is opened anew.
    pub fn stays(mut self) {
        self.store = None;
    }
}

impl Drop for UpkeepPause {
    fn drop(&mut self) {
        let Some(store) = &self.store else { return };
        *store.pauses.lock() -= 1;
        if let Some(connections) = store.backend.sqlite() {
            connections.lacking().notify_one();
            connections.grown().notify_one();
        }
    }
}

impl Store {
    /// Keeps this process from renewing segments and statistics; waits for a step that runs. Blocks the thread.
    pub fn pause_upkeep(&self) -> UpkeepPause {
        *self.pauses.lock() += 1;
        UpkeepPause { store: Some(self.clone()) }
    }

    /// What is kept beside the rows, and where it tells something else than they do. Reads all rows it is kept of.
    pub fn check_segments(&self) -> Result<Vec<SegmentReport>, StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(Vec::new()) };
        connections.read(|connection, _| {
            let snapshot = connection.unchecked_transaction().map_err(store_error)?;
            segments::check(&snapshot, &self.catalogue).map_err(store_error)
        })
    }

    /// Waits until rows were written that are kept in segments, or an answer found many without one: what was written by
    /// other processes is noticed by who reads it. What is lacking itself stands in the database.
    pub async fn segments_lack(&self) {
        match self.backend.sqlite() {
            Some(connections) => connections.lacking().notified().await,
            None => std::future::pending().await,
        }
    }

    /// Makes a few segments of rows that have none in force, in a short transaction of its own; whether any were lacking. Begin
    /// again until none are. Blocks the thread, and other writes.
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

    /// Makes all that is kept beside the rows anew, and removes shared cells that no row refers to any more. Blocks the thread, and other writes.
    pub fn repair_segments(&self) -> Result<(), StoreError> {
        let Some(connections) = self.backend.sqlite() else { return Ok(()) };
        let mut writer = connections.writer();
        let transaction = begin(&mut writer, false).map_err(store_error)?;
        segments::repair(&transaction, &self.catalogue).map_err(store_error)?;
        shared::sweep(&transaction, &self.catalogue).map_err(store_error)?;
        transaction.commit().map_err(store_error)
    }

    /// Waits until rows that share values were removed: then [`Store::sweep_shared`] may find something to do.
    pub async fn shared_rows_are_removed(&self) {
        match self.backend.sqlite() {
            Some(connections) => connections.shared_removed().notified().await,
            None => std::future::pending().await,
        }
    }

    /// Removes shared cells that no row refers to any more; how many there were. Call it when no read is under way that began before the rows were
    /// removed: it would miss them. Reads all rows that may refer to some. Blocks the thread, and other writes.
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

    /// Waits until many rows were written: then [`Store::renew_statistics`] may find something to do.
    pub async fn rows_have_grown(&self) {
        match self.backend.sqlite() {
            Some(connections) => connections.grown().notified().await,
            // PostgreSQL counts its rows itself.
            None => std::future::pending().await,
        }
    }

    /// Counts the rows of tables that have none counted or have grown tenfold since, from samples: what plans of statements are chosen by.
    /// Each table in a short transaction of its own, so nobody waits long; how many there were. Blocks the thread.
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

    /// What SQLite finds wrong with the file; empty when it is sound. Reads the whole file.
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
