//! What is written down of a download while it runs.

use super::{Active, Job, blocking};
use crate::failure::Failure;
use crate::record::State;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::StoreError;

/// Where a download is written down, at most this often while bytes come, µs.
const SAVE_EVERY: i64 = 2_000_000;

impl Job {
    /// Enters a state, and writes down that it did.
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

    /// Writes down what came, whenever somebody says that it is time to; ends only when that fails.
    pub(super) async fn keep_saving(&self, active: &Active) -> Failure {
        loop {
            active.save.notified().await;
            if let Err(failure) = self.save().await {
                return failure;
            }
            active.saved_at.store(self.surroundings.now(), Ordering::Relaxed);
        }
    }

    /// Whether it is time to write down what came.
    pub fn is_due(active: &Active, now: i64) -> bool {
        now - active.saved_at.load(Ordering::Relaxed) >= SAVE_EVERY
    }

    /// Writes down how it stands: the bytes first, so that a power cut leaves none that are only written down. A database that is busy with an import is
    /// asked again the next time.
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
