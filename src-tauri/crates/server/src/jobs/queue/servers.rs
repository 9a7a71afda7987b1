//! The queue of servers that share a database: files are claimed, and each server reports its progress.

use super::{Job, Kind, Shared};
use crate::clock;
use crate::error::chain;
use crate::jobs::Upload;
use crate::jobs::shared_queue::{BEAT, SharedQueue, Tenure};
use std::io;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use store::StoreError;

/// How often an import stores its progress for other servers, and checks whether it must continue.
const PROGRESS: Duration = Duration::from_secs(1);

impl Shared {
    /// Claims the next files that wait in the database. Returns whether there were any.
    pub(super) fn claim(&self) -> bool {
        let Some(common) = &self.common else { return false };
        let claimed = common.claim().unwrap_or_else(|error| {
            tracing::warn!("waiting imports were not looked for: {}", chain(&error));
            Vec::new()
        });
        let mut had = Vec::new();
        for upload in &claimed {
            match common.fetch(upload, &self.spool.path(upload.id)) {
                Ok(()) => had.push(upload.clone()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let message = format!("the file cannot be had: {error}; import it again");
                    self.fail(upload.tenant, upload.id, &upload.file_name, upload.size_bytes, message);
                    self.done(upload);
                }
                Err(error) => {
                    tracing::warn!(id = %upload.id, "a file that waits was not fetched and is tried again: {error}");
                    self.give_back(common, &claimed);
                    return false;
                }
            }
        }
        let is_any = !had.is_empty();
        for upload in had {
            let underway = self.works.begin(Kind::Import, &upload.file_name, clock::now());
            let mut queue = self.lock();
            if let (Some(key), Some(batch)) = (upload.batch_key(), upload.batch) {
                queue.batches.take_up(key, batch.files, clock::now());
            }
            queue.add(upload, underway);
        }
        is_any
    }

    /// Releases claimed files that cannot be imported now.
    fn give_back(&self, common: &SharedQueue, uploads: &[Upload]) {
        if let Err(error) = common.release(uploads) {
            tracing::warn!("files that wait are this server's until it ends: {}", chain(&error));
        }
        for upload in uploads {
            if let Err(error) = self.spool.remove(upload.id) {
                tracing::warn!(id = %upload.id, "the file of an import stays in the spool: {error}");
            }
        }
    }

    /// Renews this server's row and stores the progress of its imports periodically, until it stops.
    pub(super) fn beat(&self) {
        let Some(common) = &self.common else { return };
        let mut said = Instant::now();
        loop {
            let queue = self.lock();
            if queue.is_stopping {
                return;
            }
            let (queue, _) =
                self.changed.wait_timeout(queue, PROGRESS).unwrap_or_else(PoisonError::into_inner);
            let jobs: Vec<Job> = queue.jobs.iter().cloned().collect();
            drop(queue);
            if said.elapsed() >= BEAT {
                said = Instant::now();
                if let Err(error) = common.beat() {
                    tracing::warn!("other servers may take this one for ended: {}", chain(&error));
                }
                clock::set_ahead(self.store.clock_ahead());
            }
            for job in jobs {
                match common.progress(job.upload.id, job.progress.bytes_read(), job.progress.rows_read()) {
                    Ok(Tenure::Held) => {}
                    Ok(Tenure::Cancelled) => self.give_way(&job, false),
                    Ok(Tenure::Lost) => self.give_way(&job, true),
                    Err(error) => tracing::warn!(id = %job.upload.id, "{}", chain(&error)),
                }
            }
        }
    }

    /// Cancels an import because a user cancelled it, or another server has taken it over.
    pub(super) fn give_way(&self, job: &Job, is_lost: bool) {
        let mut queue = self.lock();
        // An import that has ended meanwhile is no longer in the queue.
        if let Some(job) = queue.jobs.iter_mut().find(|other| other.upload.id == job.upload.id) {
            job.is_lost = is_lost;
            job.progress.cancel();
        }
        drop(queue);
        self.changed.notify_all();
    }

    /// Queries the queue in the database off the threads that answer requests; `None` if there is no shared queue.
    pub(super) async fn asked<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&SharedQueue) -> Result<T, StoreError> + Send + 'static,
    ) -> io::Result<Option<T>> {
        if self.common.is_none() {
            return Ok(None);
        }
        let shared = Arc::clone(self);
        let asked = tokio::task::spawn_blocking(move || shared.common.as_ref().map(question).transpose());
        asked.await.map_err(io::Error::other)?.map_err(io::Error::other)
    }
}
