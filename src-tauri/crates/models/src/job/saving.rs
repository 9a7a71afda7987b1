//! Saves the state of a running download.

use super::{Active, Job, blocking};
use crate::failure::Failure;
use crate::record::State;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::StoreError;

/// Minimum interval between saves while bytes arrive, µs.
const SAVE_EVERY: i64 = 2_000_000;

impl Job {
    /// Enters a state and saves it.
    pub(super) async fn enter(&self, state: State) -> Result<(), Failure> {
        let now = self.surroundings.now();
        {
            let mut inner = self.live.lock();
            if inner.record.state == state {
                return Ok(());
            }
            inner.record.state = state;
            inner.record.updated_at = now;
            if state == State::Downloading {
                inner.record.failure = None;
            }
        }
        self.live.tell();
        self.save().await
    }

    /// Saves progress whenever notified; returns only if that fails.
    pub(super) async fn keep_saving(&self, active: &Active) -> Failure {
        loop {
            active.save.notified().await;
            if let Err(failure) = self.save().await {
                return failure;
            }
            active.saved_at.store(self.surroundings.now(), Ordering::Relaxed);
        }
    }

    /// Whether progress should be saved.
    pub fn is_due(active: &Active, now: i64) -> bool {
        now - active.saved_at.load(Ordering::Relaxed) >= SAVE_EVERY
    }

    /// Saves progress. Syncs the bytes first: after a power cut no saved range may lack its bytes. If the database is busy with an import, waits
    /// for the next save.
    pub(super) async fn save(&self) -> Result<(), Failure> {
        let (live, now) = (Arc::clone(&self.live), self.surroundings.now());
        let (part, library) = (self.part.clone(), self.library.clone());
        blocking(move || {
            let is_over = live.written();
            if *is_over {
                return Ok(());
            }
            let (record, has_bytes) = {
                let mut inner = live.lock();
                inner.catch_up();
                (inner.record.clone(), inner.active.is_some())
            };
            if has_bytes {
                part.file
                    .sync_data()
                    .map_err(|cause| Failure::disk("The part file cannot be written", &cause))?;
            }
            match library.put_record(&record, now) {
                Err(StoreError::Busy { .. }) => Ok(()),
                other => other.map_err(|error| Failure::store(&error)),
            }
        })
        .await
    }
}
