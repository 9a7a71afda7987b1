//! The queue of imports, and the thread that processes it.

mod imports;
mod servers;

use super::batches::Batches;
use super::shared_queue::SharedQueue;
use super::{Batch, BatchKey, Progress, Spool, Upload, rows};
use crate::background::priority;
use crate::background::registry::{JobRegistry, Kind, RunningJob};
use crate::clock;
use crate::error::chain;
use ingest::Archive;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use store::Store;
use uuid::Uuid;

/// The imports to be done, one after another.
pub struct Jobs {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
    /// The heartbeat thread, if several servers share the database.
    beat: Mutex<Option<JoinHandle<()>>>,
}

/// The state of an import that has not ended.
#[derive(Debug, Clone)]
pub struct PendingImport {
    pub file_name: String,
    pub size_bytes: u64,
    pub is_running: bool,
    pub bytes_read: u64,
    pub rows_read: u64,
}

/// The result of a request to cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    Yes,
    NotInQueue,
}

struct Shared {
    store: Store,
    spool: Spool,
    archive: Arc<Archive>,
    most_lower: f64,
    /// Set if several servers share the database.
    common: Option<SharedQueue>,
    works: JobRegistry,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// In order of arrival; the first is the running one, if any.
    jobs: VecDeque<Job>,
    batches: Batches,
    is_stopping: bool,
}

impl Queue {
    /// The indices of the files to import next: a single file, or those of the first complete batch.
    fn ready(&self, now: i64) -> Vec<usize> {
        let is_ready =
            |job: &&Job| job.upload.batch_key().is_none_or(|key| self.batches.is_complete(key, now));
        let Some(first) = self.jobs.iter().find(is_ready) else { return Vec::new() };
        let same = |other: &Job| {
            let batch = first.upload.batch_key();
            other.upload.id == first.upload.id || (batch.is_some() && other.upload.batch_key() == batch)
        };
        self.jobs.iter().enumerate().filter(|(_, job)| same(job)).map(|(place, _)| place).collect()
    }

    fn add(&mut self, upload: Upload, underway: RunningJob) {
        self.jobs.push_back(Job {
            upload,
            is_written_down: false,
            is_running: false,
            is_lost: false,
            progress: Arc::default(),
            underway: Arc::new(underway),
        });
    }
}

#[derive(Clone)]
struct Job {
    upload: Upload,
    is_written_down: bool,
    is_running: bool,
    /// Another server has taken the import over.
    is_lost: bool,
    progress: Arc<Progress>,
    underway: Arc<RunningJob>,
}

impl Jobs {
    /// Queues the files in the spool and starts the thread. With `common`, files wait in the database, for any server.
    pub fn start(
        store: Store,
        spool: Spool,
        archive: Arc<Archive>,
        most_lower: f64,
        works: &JobRegistry,
        common: Option<SharedQueue>,
    ) -> io::Result<Self> {
        let uploads = spool.uploads()?;
        if !uploads.is_empty() {
            tracing::info!(count = uploads.len(), "imports of an earlier run are taken up again");
        }
        let mut queue = Queue::default();
        if let Some(common) = &common {
            common.begin().map_err(io::Error::other)?;
            for upload in uploads {
                common.add(&upload, &spool.path(upload.id))?;
                spool.remove(upload.id)?;
            }
        } else {
            for upload in uploads {
                if let (Some(key), Some(batch)) = (upload.batch_key(), upload.batch) {
                    queue.batches.take_up(key, batch.files, clock::now());
                }
                let underway = works.begin(Kind::Import, &upload.file_name, clock::now());
                queue.add(upload, underway);
            }
        }
        let (queue, changed, works) = (Mutex::new(queue), Condvar::new(), works.clone());
        let shared = Arc::new(Shared { store, spool, archive, most_lower, common, works, queue, changed });
        let beat = shared.common.is_some().then(|| {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name("servers".to_owned()).spawn(move || shared.beat())
        });
        let worker = std::thread::Builder::new().name("imports".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || {
                priority::give_way();
                shared.give_up_lost();
                while let Some(work) = shared.next() {
                    shared.perform(work);
                }
            }
        })?;
        Ok(Self { shared, worker: Mutex::new(Some(worker)), beat: Mutex::new(beat.transpose()?) })
    }

    /// The storage of uploads until their import has ended.
    pub fn spool(&self) -> &Spool {
        &self.shared.spool
    }

    /// Records that a file of a batch begins to arrive.
    pub fn expect(&self, tenant: Uuid, batch: Batch) -> Arriving {
        let key = (tenant, batch.id);
        let told = self.shared.common.is_some().then(|| {
            let shared = Arc::clone(&self.shared);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(TOLD_AGAIN).await;
                    let shared = Arc::clone(&shared);
                    let told = tokio::task::spawn_blocking(move || {
                        shared.common.as_ref().map_or(Ok(()), |common| common.expect(batch.id))
                    });
                    if let Ok(Err(error)) = told.await {
                        tracing::warn!("a slow file may be left behind by those it came with: {error}");
                    }
                }
            })
            .abort_handle()
        });
        if told.is_none() {
            self.shared.lock().batches.begin(key, batch.files, clock::now());
        }
        Arriving { shared: Arc::clone(&self.shared), key, has_arrived: false, told }
    }

    /// Sets the final number of files of a batch. Returns whether the batch is known.
    pub async fn close_batch(&self, tenant: Uuid, batch: Batch) -> io::Result<bool> {
        let is_known = self
            .shared
            .asked(move |common| common.close_batch(tenant, batch))
            .await?
            .unwrap_or_else(|| self.shared.lock().batches.close((tenant, batch.id), batch.files));
        self.shared.changed.notify_all();
        Ok(is_known)
    }

    /// Queues an upload, with the job that was registered at its first byte. On error, the file has been removed.
    pub async fn add(&self, upload: Upload, underway: RunningJob) -> io::Result<()> {
        let (id, size_bytes) = (upload.id, upload.size_bytes);
        let shared = Arc::clone(&self.shared);
        let adding = tokio::task::spawn_blocking(move || {
            let Some(common) = &shared.common else {
                shared.lock().add(upload, underway);
                return Ok(());
            };
            let added = common.add(&upload, &shared.spool.path(upload.id));
            shared.spool.remove(upload.id)?;
            added
        });
        adding.await.map_err(io::Error::other)??;
        tracing::info!(%id, size_bytes, "a file waits for its import");
        self.shared.changed.notify_all();
        Ok(())
    }

    /// The state of an import of that tenant; `None` if it has ended or does not exist.
    pub async fn standing(&self, tenant: Uuid, id: Uuid) -> io::Result<Option<PendingImport>> {
        if let Some(standing) = self.shared.standing_here(tenant, id) {
            return Ok(Some(standing));
        }
        let found = self.shared.asked(move |common| common.find(tenant, id)).await?.flatten();
        Ok(found.map(|entry| PendingImport {
            file_name: entry.file_name,
            size_bytes: entry.size_bytes,
            is_running: entry.is_running,
            bytes_read: entry.bytes_read,
            rows_read: entry.rows_read,
        }))
    }

    /// Cancels an import of that tenant. A running one ends shortly after, and nothing of it is stored.
    pub async fn cancel(&self, tenant: Uuid, id: Uuid) -> io::Result<CancelOutcome> {
        let asked = self.shared.asked(move |common| common.cancel(tenant, id)).await?;
        let is_known = asked.unwrap_or_else(|| {
            let queue = self.shared.lock();
            let mut jobs = queue.jobs.iter();
            let job = jobs.find(|job| job.upload.id == id && job.upload.tenant == tenant);
            job.map(|job| job.progress.cancel()).is_some()
        });
        self.shared.changed.notify_all();
        Ok(if is_known { CancelOutcome::Yes } else { CancelOutcome::NotInQueue })
    }

    /// Interrupts the running import (it is resumed at the next start) and ends the thread. Blocks until it has ended.
    pub fn stop(&self) {
        let mut queue = self.shared.lock();
        queue.is_stopping = true;
        for job in &queue.jobs {
            job.progress.cancel();
        }
        drop(queue);
        self.shared.changed.notify_all();
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if worker.is_some_and(|worker| worker.join().is_err()) {
            tracing::error!("the thread of the imports ended in a panic");
        }
        let beat = self.beat.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(common) = self.shared.common.as_ref().filter(|_| beat.is_some()) else { return };
        if beat.is_some_and(|beat| beat.join().is_err()) {
            tracing::error!("the thread that tells other servers of this one ended in a panic");
        }
        if let Err(error) = common.end() {
            tracing::warn!("other servers take over only after a while what this one was at: {error}");
        }
    }
}

/// A file of a batch that is being received. Dropping it records that the file has arrived or failed.
pub struct Arriving {
    shared: Arc<Shared>,
    key: BatchKey,
    has_arrived: bool,
    /// The task that notifies other servers, if there are any.
    told: Option<tokio::task::AbortHandle>,
}

impl Arriving {
    /// Marks the file as arrived and queued.
    pub fn arrived(mut self) {
        self.has_arrived = true;
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        if let Some(told) = &self.told {
            told.abort();
            return;
        }
        self.shared.lock().batches.end(self.key, self.has_arrived, clock::now());
        self.shared.changed.notify_all();
    }
}

/// How often to check for batches whose sender is gone.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// How often to check for files received by other servers.
const LOOK_FOR_OTHERS: Duration = Duration::from_secs(1);
/// How often other servers are notified that a file of a batch is still being received.
const TOLD_AGAIN: Duration = Duration::from_secs(30);
/// The next action of the thread.
enum Work {
    WriteDown(Upload),
    /// Import files that were handed in together.
    Import(Vec<Job>),
    Forget(Job),
    /// Check for files that wait in the database.
    Claim,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something to do; `None` when it is time to end.
    fn next(&self) -> Option<Work> {
        let mut queue = self.lock();
        loop {
            if queue.is_stopping {
                return None;
            }
            if let Some(job) = queue.jobs.iter().find(|job| job.progress.is_cancelled()) {
                return Some(Work::Forget(job.clone()));
            }
            // Write waiting imports to the list before a long import begins.
            if let Some(job) = queue.jobs.iter_mut().find(|job| !job.is_written_down) {
                job.is_written_down = true;
                return Some(Work::WriteDown(job.upload.clone()));
            }
            let now = clock::now();
            let ready = queue.ready(now);
            if !ready.is_empty() {
                for place in &ready {
                    queue.jobs[*place].is_running = true;
                }
                return Some(Work::Import(ready.iter().map(|place| queue.jobs[*place].clone()).collect()));
            }
            let waiting: Vec<BatchKey> = queue.jobs.iter().filter_map(|job| job.upload.batch_key()).collect();
            queue.batches.retain(|key| waiting.contains(key), now);
            if self.common.is_some() && queue.jobs.is_empty() {
                return Some(Work::Claim);
            }
            queue = if queue.jobs.is_empty() {
                self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.changed.wait_timeout(queue, LOOK_AGAIN).unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }

    fn perform(&self, work: Work) {
        match work {
            Work::WriteDown(upload) => {
                if let Err(error) = rows::wait(&self.store, &upload) {
                    tracing::warn!(id = %upload.id, "a waiting import is not in the list yet: {}", chain(&error));
                }
            }
            Work::Import(jobs) => self.import(&jobs),
            Work::Forget(job) if job.is_lost => {
                tracing::warn!(id = %job.upload.id, "another server has taken an import over");
                self.leave(&job.upload);
            }
            Work::Forget(Job { upload, .. }) => {
                if let Err(error) = rows::remove(&self.store, &upload) {
                    tracing::error!(id = %upload.id, "a cancelled import stays in the list: {}", chain(&error));
                }
                tracing::info!(id = %upload.id, "an import was cancelled");
                self.done(&upload);
            }
            Work::Claim => {
                if !self.claim() {
                    let queue = self.lock();
                    if !queue.is_stopping {
                        drop(self.changed.wait_timeout(queue, LOOK_FOR_OTHERS));
                    }
                }
            }
        }
    }

    fn standing_here(&self, tenant: Uuid, id: Uuid) -> Option<PendingImport> {
        let queue = self.lock();
        let job = queue.jobs.iter().find(|job| job.upload.id == id && job.upload.tenant == tenant)?;
        Some(PendingImport {
            file_name: job.upload.file_name.clone(),
            size_bytes: job.upload.size_bytes,
            is_running: job.is_running,
            bytes_read: job.progress.bytes_read(),
            rows_read: job.progress.rows_read(),
        })
    }
}
