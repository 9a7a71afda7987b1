//! Runs and ends imports, and removes them from the queue.

use super::{Job, Shared};
use crate::background::registry::Outcome;
use crate::clock;
use crate::error::chain;
use crate::jobs::questions::Reader;
use crate::jobs::shared_queue::SharedQueue;
use crate::jobs::{Upload, findings, prune, rows, sample};
use catalogue::Caller;
use ingest::{ImportError, Report};
use std::path::PathBuf;
use store::{StoreError, Transaction};
use uuid::Uuid;

impl Shared {
    pub(super) fn import(&self, jobs: &[Job]) {
        let mut open: Vec<&Job> = Vec::new();
        for job in jobs {
            match rows::is_finished(&self.store, &job.upload) {
                // The process was killed between the end of the import and the removal of its file.
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
        let imported = started.and_then(|()| self.run(&open));
        // Errors after this may be caused by the stop.
        let is_stopping = self.lock().is_stopping;
        match imported {
            Ok(reports) => {
                // Before the files leave the queue: a client that waits for their end then finds the findings complete.
                if let Some(Upload { tenant, user, .. }) = open.first().map(|job| &job.upload) {
                    self.look_for_findings(*tenant, &reports);
                    if let Err(error) = sample::complete(&self.store, *tenant, *user) {
                        tracing::warn!("the sample data is not complete: {}", chain(&error));
                    }
                }
                for (job, report) in open.into_iter().zip(reports) {
                    self.end(job, report, is_stopping);
                }
                prune(&self.store, &self.archive);
            }
            // The next round retries or removes it, or the next start resumes it.
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

    fn look_for_findings(&self, tenant: Uuid, reports: &[Result<Report, ImportError>]) {
        match sample::is_arriving(&self.store, tenant) {
            // If the service is killed before the last file, the database still records that findings are due.
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!("files of the sample data: {}", chain(&error)),
        }
        let reader = Reader { archive: &self.archive, most_lower: self.most_lower };
        findings::after_imports(&self.store, &Caller::system_for(tenant), reader, reports);
    }

    pub(super) fn run(&self, jobs: &[&Job]) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
        let Some(first) = jobs.first() else { return Ok(Vec::new()) };
        let is_still_due = |rows: &Transaction<'_>| match &self.common {
            Some(common) => Ok(jobs
                .iter()
                .map(|job| common.holds(rows, job.upload.id))
                .collect::<Result<Vec<bool>, StoreError>>()?
                .into_iter()
                .all(|holds| holds)),
            None => Ok(true),
        };
        let options = ingest::Options {
            owner: first.upload.user,
            delivery: Uuid::new_v4(),
            choice: None,
            most_lower: self.most_lower,
            archive: Some(&self.archive),
            forms: ingest::FormAnswers::default(),
            mapping: None,
            draft: None,
            dry_run: false,
            is_still_due: Some(&is_still_due),
            clock: clock::now,
        };
        let paths: Vec<PathBuf> = jobs.iter().map(|job| self.spool.path(job.upload.id)).collect();
        let tells: Vec<_> =
            jobs.iter().map(|job| move |bytes: u64, rows: u64| job.progress.tell(bytes, rows)).collect();
        let forms = jobs.iter().map(|job| sample::answers(&self.store, job.upload.tenant, job.upload.id));
        let forms = forms.collect::<Result<Vec<_>, StoreError>>()?;
        let files: Vec<ingest::File<'_>> = jobs
            .iter()
            .zip(&paths)
            .zip(&tells)
            .zip(forms)
            .map(|(((job, path), tell), forms)| ingest::File {
                import_id: job.upload.id,
                name: &job.upload.file_name,
                location: &job.upload.location,
                path,
                original: None,
                forms,
                answers: &[],
                progress: ingest::Progress { on_progress: tell, cancelled: job.progress.cancelled() },
            })
            .collect();
        ingest::import(&self.store, &Caller::system_for(first.upload.tenant), &files, options)
    }

    /// Removes a file from the queue when its import has ended.
    pub(super) fn end(&self, job: &Job, report: Result<Report, ImportError>, is_stopping: bool) {
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

    pub(super) fn wait_again(&self, jobs: &[&Job]) {
        let mut queue = self.lock();
        for waiting in &mut queue.jobs {
            if jobs.iter().any(|job| job.upload.id == waiting.upload.id) {
                waiting.is_running = false;
            }
        }
    }

    pub(super) fn give_up(&self, job: &Job, error: &ImportError) {
        let upload = &job.upload;
        job.underway.came_to(Outcome::Failed);
        self.fail(upload.tenant, upload.id, &upload.file_name, upload.size_bytes, error.to_string());
        self.done(upload);
    }

    /// Removes an import from the queue. Its file is deleted first, so that it is not found waiting after a restart.
    pub(super) fn done(&self, upload: &Upload) {
        if let Some(Err(error)) = self.common.as_ref().map(|common| common.remove(upload.id)) {
            // The server that claims it notices that it has ended.
            tracing::error!(id = %upload.id, "an import that has ended stays in the queue: {}", chain(&error));
        }
        self.leave(upload);
    }

    /// Removes an import from the queue of this server only.
    pub(super) fn leave(&self, upload: &Upload) {
        if let Err(error) = self.spool.remove(upload.id) {
            tracing::error!(id = %upload.id, "the file of an import stays in the spool: {error}");
        }
        self.lock().jobs.retain(|job| job.upload.id != upload.id);
    }

    pub(super) fn fail(&self, tenant: Uuid, id: Uuid, file_name: &str, size_bytes: u64, message: String) {
        let mut report = Report::of(file_name, size_bytes);
        report.error = Some(ingest::Failure { message, looked_for: Vec::new(), found: String::new() });
        let text = serde_json::to_string(&report).expect("a report is texts and numbers");
        if let Err(error) = rows::fail(&self.store, tenant, id, &text, clock::now()) {
            tracing::error!(%id, "a failed import is not written down: {}", chain(&error));
        }
    }

    /// Fails imports that are stored as unfinished but whose file is gone.
    pub(super) fn give_up_lost(&self) {
        let held = match self.common.as_ref().map(SharedQueue::all) {
            None => self.lock().jobs.iter().map(|job| job.upload.id).collect(),
            Some(Ok(held)) => held,
            Some(Err(error)) => {
                tracing::warn!("unfinished imports were not looked for: {}", chain(&error));
                return;
            }
        };
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

/// Whether the same import may succeed later.
fn is_passing(error: &ImportError) -> bool {
    matches!(error, ImportError::Cancelled | ImportError::Store(StoreError::Busy { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::registry::{JobRegistry, Kind};
    use crate::data::catalogue_source;
    use crate::jobs::Spool;
    use crate::jobs::queue::Queue;
    use ingest::Archive;
    use std::sync::{Arc, Condvar, Mutex};
    use store::Store;
    use tempfile::TempDir;

    /// A service with one upload whose file cannot be read.
    async fn shared(folder: &TempDir) -> Shared {
        let catalogue = catalogue_source::load(None).unwrap();
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
            common: None,
            works: JobRegistry::default(),
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
