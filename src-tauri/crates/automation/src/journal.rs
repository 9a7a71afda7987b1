//! What has happened in a run so far: one entry for each task that was begun, by its path.
//!
//! A path is the task's id; inside a task that has tasks, its parts are separated by `/`: `loop/0/send` is the task `send` for the first item of `loop`.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is tried again in time, or has not begun.
    Scheduled,
    /// It was begun: a call may be under way, a time may be awaited, tasks inside may run.
    Started,
    Completed,
    Failed,
    Skipped,
    TimedOut,
    Canceled,
    /// Begun before the service ended, and nobody knows whether it had its effect: a person decides.
    Unknown,
}

const NAMES: [(Status, &str); 8] = [
    (Status::Scheduled, "SCHEDULED"),
    (Status::Started, "STARTED"),
    (Status::Completed, "COMPLETED"),
    (Status::Failed, "FAILED"),
    (Status::Skipped, "SKIPPED"),
    (Status::TimedOut, "TIMED_OUT"),
    (Status::Canceled, "CANCELED"),
    (Status::Unknown, "UNKNOWN"),
];

impl Status {
    /// The word of the interface.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(status, _)| *status == self).map_or("UNKNOWN", |(_, name)| name)
    }

    /// The status of that word.
    pub fn find(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(status, _)| *status)
    }

    /// Whether nothing more happens but hooks.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Scheduled | Self::Started | Self::Unknown)
    }

    /// Whether it ended badly.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Failed | Self::TimedOut)
    }
}

/// One task of a run. Times are µs since 1970 UTC.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub path: String,
    pub task_id: String,
    pub kind: String,
    pub status: Status,
    /// How often it was tried.
    pub attempt: u32,
    /// Parameters as they were rendered.
    pub input: Option<Value>,
    pub output: Option<Value>,
    pub error: Option<String>,
    /// What it set: `set_vars`.
    pub vars: Map<String, Value>,
    /// When something is due for it: a try, or the end of a wait.
    pub due_at: Option<i64>,
    /// In which order tasks came to their end, hooks included, from 1; 0 before.
    pub order: u64,
    pub started_at: Option<i64>,
    pub ended_at: Option<i64>,
}

impl Entry {
    pub(crate) fn new(path: String, task_id: &str, kind: &str) -> Self {
        Self {
            path,
            task_id: task_id.to_owned(),
            kind: kind.to_owned(),
            status: Status::Scheduled,
            attempt: 0,
            input: None,
            output: None,
            error: None,
            vars: Map::new(),
            due_at: None,
            order: 0,
            started_at: None,
            ended_at: None,
        }
    }

    /// Whether it has come to its end, hooks included.
    pub fn is_settled(&self) -> bool {
        self.order > 0
    }

    /// The entry as templates see it.
    pub(crate) fn seen(&self) -> Value {
        json!({ "status": self.status.name(), "output": self.output, "error": self.error })
    }
}

/// The entries of a run by path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journal(BTreeMap<String, Entry>);

impl Journal {
    pub fn get(&self, path: &str) -> Option<&Entry> {
        self.0.get(path)
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.0.values()
    }

    /// Writes an entry in place of the one at its path.
    pub fn put(&mut self, entry: Entry) {
        self.0.insert(entry.path.clone(), entry);
    }

    /// Takes back that a try was begun: it is begun again from `now` on, µs since 1970 UTC.
    pub fn not_begun(&mut self, path: &str, now: i64) {
        if let Some(entry) = self.0.get_mut(path) {
            entry.attempt = entry.attempt.saturating_sub(1);
            entry.status = Status::Scheduled;
            entry.due_at = (entry.attempt > 0).then_some(now);
        }
    }

    /// A task as if it had not begun, without what is inside it.
    pub fn restart(&mut self, path: &str) {
        let inside = format!("{path}/");
        self.0.retain(|known, _| !known.starts_with(&inside));
        if let Some(entry) = self.0.get_mut(path) {
            *entry = Entry::new(path.to_owned(), &entry.task_id, &entry.kind);
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn next_order(&self) -> u64 {
        self.0.values().map(|entry| entry.order).max().unwrap_or_default() + 1
    }
}

impl FromIterator<Entry> for Journal {
    fn from_iter<T: IntoIterator<Item = Entry>>(entries: T) -> Self {
        Self(entries.into_iter().map(|entry| (entry.path.clone(), entry)).collect())
    }
}
