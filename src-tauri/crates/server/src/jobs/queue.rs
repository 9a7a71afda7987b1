//! The queue of imports and the thread that works through it.

use super::batches::Batches;
use super::{Batch, BatchKey, Progress, Spool, Upload, prune, rows};
use crate::background::priority;
use crate::background::registry::{JobRegistry, Kind, Outcome, RunningJob};
use crate::clock;
use crate::error::chain;
use crate::jobs::findings;
use catalogue::Caller;
use ingest::{Archive, ImportError, Report};
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use store::{Store, StoreError};
use uuid::Uuid;

/// Imports to be done, one after another.
pub struct Jobs {
    shared: Arc<Shared>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

/// How an import stands that has not ended.
#[derive(Debug, Clone)]
pub struct Standing {
    pub file_name: String,
    pub size_bytes: u64,
    pub is_running: bool,
    pub bytes_read: u64,
    pub rows_read: u64,
}

/// What came of a wish to cancel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    Yes,
    NotInQueue,
}

struct Shared {
    store: Store,
    spool: Spool,
    archive: Arc<Archive>,
    most_lower: f64,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// In the order they came; the first is the one that runs, when one does.
    jobs: VecDeque<Job>,
    batches: Batches,
    is_stopping: bool,
}

impl Queue {
    /// The files that are imported next: one that came alone, or those of the first complete batch.
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
    progress: Arc<Progress>,
    underway: Arc<RunningJob>,
}

impl Jobs {
    /// Takes up what the spool holds and starts working.
    pub fn start(
        store: Store,
        spool: Spool,
        archive: Arc<Archive>,
        most_lower: f64,
        works: &JobRegistry,
    ) -> io::Result<Self> {
        let uploads = spool.uploads()?;
        if !uploads.is_empty() {
            tracing::info!(count = uploads.len(), "imports of an earlier run are taken up again");
        }
        let mut queue = Queue::default();
        for upload in uploads {
            if let (Some(key), Some(batch)) = (upload.batch_key(), upload.batch) {
                queue.batches.take_up(key, batch.files, clock::now());
            }
            let underway = works.begin(Kind::Import, &upload.file_name, clock::now());
            queue.add(upload, underway);
        }
        let (queue, changed) = (Mutex::new(queue), Condvar::new());
        let shared = Arc::new(Shared { store, spool, archive, most_lower, queue, changed });
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
        Ok(Self { shared, worker: Mutex::new(Some(worker)) })
    }

    /// Where uploads are kept until their import has ended.
    pub fn spool(&self) -> &Spool {
        &self.shared.spool
    }

    /// A file of a batch begins to arrive.
    pub fn expect(&self, tenant: Uuid, batch: Batch) -> Arriving {
        let key = (tenant, batch.id);
        self.shared.lock().batches.begin(key, batch.files, clock::now());
        Arriving { shared: Arc::clone(&self.shared), key, has_arrived: false }
    }

    /// The sender of a batch says how many files it has after all; whether there is such a batch.
    pub fn close_batch(&self, tenant: Uuid, batch: Batch) -> bool {
        let is_known = self.shared.lock().batches.close((tenant, batch.id), batch.files);
        self.shared.changed.notify_all();
        is_known
    }

    /// Queues an upload, as a work that began with its first byte.
    pub fn add(&self, upload: Upload, underway: RunningJob) {
        tracing::info!(id = %upload.id, size_bytes = upload.size_bytes, "a file waits for its import");
        self.shared.lock().add(upload, underway);
        self.shared.changed.notify_all();
    }

    /// How an import of that tenant stands; `None` when it has ended or never was.
    pub fn standing(&self, tenant: Uuid, id: Uuid) -> Option<Standing> {
        let queue = self.shared.lock();
        let job = queue.jobs.iter().find(|job| job.upload.id == id && job.upload.tenant == tenant)?;
        Some(Standing {
            file_name: job.upload.file_name.clone(),
            size_bytes: job.upload.size_bytes,
            is_running: job.is_running,
            bytes_read: job.progress.bytes_read(),
            rows_read: job.progress.rows_read(),
        })
    }

    /// Gives up an import of that tenant. One that runs ends shortly after; nothing of it is written.
    pub fn cancel(&self, tenant: Uuid, id: Uuid) -> Cancelled {
        let queue = self.shared.lock();
        let Some(job) = queue.jobs.iter().find(|job| job.upload.id == id && job.upload.tenant == tenant)
        else {
            return Cancelled::NotInQueue;
        };
        job.progress.cancel();
        drop(queue);
        self.shared.changed.notify_all();
        Cancelled::Yes
    }

    /// Interrupts what runs (it is taken up at the next start) and ends the thread. Blocks until it has ended.
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
    }
}

/// A file of a batch on its way; dropped, it has arrived or broken off.
pub struct Arriving {
    shared: Arc<Shared>,
    key: BatchKey,
    has_arrived: bool,
}

impl Arriving {
    /// The file has arrived and is in the queue.
    pub fn arrived(mut self) {
        self.has_arrived = true;
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.shared.lock().batches.end(self.key, self.has_arrived, clock::now());
        self.shared.changed.notify_all();
    }
}

/// How often a batch is looked at whose sender may be gone.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// What the thread does next.
enum Work {
    WriteDown(Upload),
    /// Files that were handed in together.
    Import(Vec<Job>),
    Forget(Upload),
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
            if let Some(place) = queue.jobs.iter().position(|job| job.progress.is_cancelled()) {
                return Some(Work::Forget(queue.jobs[place].upload.clone()));
            }
            // Before a long import begins, those behind it appear in the list of imports.
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
            Work::Forget(upload) => {
                if let Err(error) = rows::remove(&self.store, &upload) {
                    tracing::error!(id = %upload.id, "a cancelled import stays in the list: {}", chain(&error));
                }
                tracing::info!(id = %upload.id, "an import was cancelled");
                self.done(&upload);
            }
        }
    }

    fn import(&self, jobs: &[Job]) {
        let mut open: Vec<&Job> = Vec::new();
        for job in jobs {
            match rows::is_finished(&self.store, &job.upload) {
                // Killed between the end of the import and the end of its file.
                Ok(true) => self.done(&job.upload),
                Ok(false) => open.push(job),
                Err(error) => {
                    tracing::warn!(id = %job.upload.id, "{}", chain(&error));
                    open.push(job);
                }
            }
        }
        if open.is_empty() {
            return;
        }
        let mut started = open.iter().map(|job| rows::run(&self.store, &job.upload));
        let started = started.try_for_each(|run| run).map_err(ImportError::from);
        let imported =
            started.and_then(|()| run(&self.store, &self.spool, (&self.archive, self.most_lower), &open));
        // What goes wrong then may come of that.
        let is_stopping = self.lock().is_stopping;
        match imported {
            Ok(reports) => {
                // Before the files leave the queue: whoever waits for their end finds what was found in them.
                let tenant = open.first().map(|job| Caller::house_for(job.upload.tenant));
                if let Some(caller) = &tenant {
                    findings::after_imports(&self.store, caller, &reports);
                }
                for (job, report) in open.into_iter().zip(reports) {
                    self.end(job, report, is_stopping);
                }
                prune(&self.store, &self.archive);
            }
            // The next round tries again, or forgets it; or the next start takes it up.
            Err(error) if is_stopping || is_passing(&error) => {
                tracing::info!("{} files are not imported yet: {error}", open.len());
                self.wait_again(&open);
            }
            Err(error) => {
                tracing::error!("an import of {} files failed: {}", open.len(), chain(&error));
                for job in open {
                    self.give_up(job, &error);
                }
            }
        }
    }

    /// Takes a file off the queue when its import has ended.
    fn end(&self, job: &Job, report: Result<Report, ImportError>, is_stopping: bool) {
        let upload = &job.upload;
        match report {
            Ok(report) => {
                tracing::info!(id = %upload.id, state = report.state.name(), rows = report.rows_written, "imported");
                let failed = report.state == ingest::State::Failed;
                job.underway.came_to(if failed { Outcome::Failed } else { Outcome::Done });
                self.done(upload);
            }
            Err(error) if is_stopping || is_passing(&error) => {
                tracing::info!(id = %upload.id, "not imported yet: {error}");
                self.wait_again(&[job]);
            }
            Err(error) => {
                tracing::error!(id = %upload.id, "an import failed: {}", chain(&error));
                self.give_up(job, &error);
            }
        }
    }

    fn wait_again(&self, jobs: &[&Job]) {
        let mut queue = self.lock();
        for waiting in &mut queue.jobs {
            if jobs.iter().any(|job| job.upload.id == waiting.upload.id) {
                waiting.is_running = false;
            }
        }
    }

    fn give_up(&self, job: &Job, error: &ImportError) {
        let upload = &job.upload;
        job.underway.came_to(Outcome::Failed);
        self.fail(upload.tenant, upload.id, &upload.file_name, upload.size_bytes, error.to_string());
        self.done(upload);
    }

    /// Takes an import off the queue; its file goes first, so that nobody finds it waiting after a restart.
    fn done(&self, upload: &Upload) {
        if let Err(error) = self.spool.remove(upload.id) {
            tracing::error!(id = %upload.id, "the file of an import stays in the spool: {error}");
        }
        self.lock().jobs.retain(|job| job.upload.id != upload.id);
    }

    fn fail(&self, tenant: Uuid, id: Uuid, file_name: &str, size_bytes: u64, message: String) {
        let mut report = Report::of(file_name, size_bytes);
        report.error = Some(ingest::Failure { message, looked_for: Vec::new(), found: String::new() });
        let text = serde_json::to_string(&report).expect("a report is texts and numbers");
        if let Err(error) = rows::fail(&self.store, tenant, id, &text, clock::now()) {
            tracing::error!(%id, "a failed import is not written down: {}", chain(&error));
        }
    }

    /// Imports that are written down as unfinished but whose file is gone.
    fn give_up_lost(&self) {
        let held: Vec<Uuid> = self.lock().jobs.iter().map(|job| job.upload.id).collect();
        match rows::unfinished(&self.store) {
            Ok(unfinished) => {
                for (tenant, id, name, size) in unfinished {
                    if !held.contains(&id) {
                        let message =
                            "the service was stopped and the file is no longer there; import it again";
                        self.fail(tenant, id, &name, size.try_into().unwrap_or_default(), message.to_owned());
                    }
                }
            }
            Err(error) => tracing::warn!("unfinished imports were not looked for: {}", chain(&error)),
        }
    }
}

/// Whether the same import may go well later.
fn is_passing(error: &ImportError) -> bool {
    matches!(error, ImportError::Cancelled | ImportError::Store(StoreError::Busy { .. }))
}

fn run(
    store: &Store,
    spool: &Spool,
    (archive, most_lower): (&Archive, f64),
    jobs: &[&Job],
) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
    let Some(first) = jobs.first() else { return Ok(Vec::new()) };
    let options = ingest::Options {
        owner: first.upload.user,
        delivery: Uuid::new_v4(),
        choice: None,
        decided_by: None,
        most_lower,
        archive: Some(archive),
        forms: ingest::FormAnswers::default(),
        mapping: None,
        draft: None,
        dry_run: false,
        clock: clock::now,
    };
    let paths: Vec<PathBuf> = jobs.iter().map(|job| spool.path(job.upload.id)).collect();
    let tells: Vec<_> =
        jobs.iter().map(|job| move |bytes: u64, rows: u64| job.progress.tell(bytes, rows)).collect();
    let files: Vec<ingest::File<'_>> = jobs
        .iter()
        .zip(&paths)
        .zip(&tells)
        .map(|((job, path), tell)| ingest::File {
            import_id: job.upload.id,
            name: &job.upload.file_name,
            location: &job.upload.location,
            path,
            original: None,
            forms: None,
            progress: ingest::Progress { tell, cancelled: job.progress.cancelled() },
        })
        .collect();
    ingest::import(store, &Caller::house_for(first.upload.tenant), &files, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue_source;
    use tempfile::TempDir;

    /// A service with one upload, whose file cannot be read.
    async fn shared(folder: &TempDir) -> Shared {
        let catalogue = Arc::new(catalogue_source::load(None).unwrap());
        let store = Store::open(&folder.path().join("test.db"), catalogue).unwrap();
        let spool = Spool::open(folder.path().join("incoming")).unwrap();
        let incoming = spool.receive(Uuid::nil()).await.unwrap();
        let upload = incoming.finish("bill.csv".to_owned(), Uuid::nil(), Uuid::nil(), 0).await.unwrap();
        std::fs::remove_file(spool.path(upload.id)).unwrap();
        std::fs::create_dir(spool.path(upload.id)).unwrap();
        let mut queue = Queue::default();
        queue.add(upload, JobRegistry::default().begin(Kind::Import, "bill.csv", 0));
        let archive = Arc::new(Archive::new(folder.path().join("imports"), 0));
        Shared {
            store,
            spool,
            archive,
            most_lower: ingest::MOST_LOWER,
            queue: Mutex::new(queue),
            changed: Condvar::new(),
        }
    }

    #[tokio::test]
    async fn what_goes_wrong_while_the_service_stops_is_tried_again_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let label = folder.path().join("incoming").join(format!("{}.json", Uuid::nil()));
        let shared = shared(&folder).await;
        let job = shared.lock().jobs[0].clone();
        shared.lock().is_stopping = true;
        shared.import(std::slice::from_ref(&job));
        assert!(label.exists());
        shared.lock().is_stopping = false;
        shared.import(std::slice::from_ref(&job));
        assert!(!label.exists());
    }
}
