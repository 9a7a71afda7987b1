//! Registry of the service's long-running jobs: imports (from the first byte of the upload), model downloads, backups, and transfers to remote
//! instances. The window listens: it reports the end of a job that is not visible, and warns before it closes while jobs run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Import,
    Download,
    /// Import of a model from a file.
    ModelFile,
    Backup,
    /// Transfer of a file to a remote instance.
    Sending,
}

/// A running job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    pub kind: Kind,
    /// Name of the file or the model; empty for a backup.
    pub name: String,
    /// µs since 1970 UTC.
    pub since: i64,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    Failed,
    /// Stopped by a user, or interrupted by the service.
    Stopped,
}

/// The event that a listener receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkEnd {
    pub work: Work,
    pub outcome: Outcome,
    /// Number of jobs still running.
    pub left: usize,
}

/// The running jobs. Clones share them.
#[derive(Clone, Default)]
pub struct JobRegistry(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// With a number each, since two imports may have the same name.
    going_on: Vec<(u64, Work)>,
    last: u64,
    listener: Option<UnboundedSender<WorkEnd>>,
}

impl JobRegistry {
    /// Registers a job. It runs until the returned value is dropped.
    pub fn begin(&self, kind: Kind, name: &str, now: i64) -> RunningJob {
        let mut state = self.lock();
        state.last += 1;
        let number = state.last;
        state.going_on.push((number, Work { kind, name: name.to_owned(), since: now }));
        RunningJob { works: self.clone(), number, outcome: Mutex::new(Outcome::Stopped) }
    }

    /// The running jobs, oldest first.
    pub fn list(&self) -> Vec<Work> {
        self.lock().going_on.iter().map(|(_, work)| work.clone()).collect()
    }

    /// Receives the end of every job from now on. Replaces the previous receiver.
    pub fn listen(&self) -> UnboundedReceiver<WorkEnd> {
        let (sender, receiver) = unbounded_channel();
        self.lock().listener = Some(sender);
        receiver
    }

    fn end(&self, number: u64, outcome: Outcome) {
        let mut state = self.lock();
        let Some(place) = state.going_on.iter().position(|(its, _)| *its == number) else { return };
        let (_, work) = state.going_on.remove(place);
        let left = state.going_on.len();
        if let Some(listener) = &state.listener {
            // The receiver is gone if the window was closed.
            let _ = listener.send(WorkEnd { work, outcome, left });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that runs until this is dropped. Its default outcome is stopped.
pub struct RunningJob {
    works: JobRegistry,
    number: u64,
    outcome: Mutex<Outcome>,
}

impl RunningJob {
    /// Sets the outcome to report when the job ends.
    pub fn came_to(&self, outcome: Outcome) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        let outcome = *self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        self.works.end(self.number, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_goes_on_until_it_is_dropped_and_its_end_is_heard() {
        let works = JobRegistry::default();
        let mut heard = works.listen();
        let bill = works.begin(Kind::Import, "bill.csv", 1);
        let backup = works.begin(Kind::Backup, "", 2);
        assert_eq!(works.list().len(), 2);
        bill.came_to(Outcome::Done);
        drop(bill);
        let work = Work { kind: Kind::Import, name: "bill.csv".to_owned(), since: 1 };
        assert_eq!(heard.try_recv().unwrap(), WorkEnd { work, outcome: Outcome::Done, left: 1 });
        drop(backup);
        assert_eq!(heard.try_recv().unwrap().outcome, Outcome::Stopped);
        assert!(works.list().is_empty());
    }
}
