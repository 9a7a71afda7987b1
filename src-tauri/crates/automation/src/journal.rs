//! The journal of a run: one entry for each started task, by its path.
//!
//! A path is the task's id. For a nested task, ids are separated by `/`: `loop/0/send` is the task `send` for the first item of `loop`.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Not started, or waiting for a retry.
    Scheduled,
    /// Started: a call may be running, a wait may be active, nested tasks may be running.
    Started,
    Completed,
    Failed,
    Skipped,
    TimedOut,
    Canceled,
    /// Started before the service stopped; it is unknown whether it had its effect, and a person decides.
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
    /// The name in the interface.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(status, _)| *status == self).map_or("UNKNOWN", |(_, name)| name)
    }

    /// The status with that name.
    pub fn find(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(status, _)| *status)
    }

    /// Whether only hooks can still run.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Scheduled | Self::Started | Self::Unknown)
    }

    /// Whether the task failed or timed out.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Failed | Self::TimedOut)
    }
}

/// The journal entry of one task. Times are µs since 1970 UTC.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub path: String,
    pub task_id: String,
    pub kind: String,
    pub status: Status,
    /// Number of attempts.
    pub attempt: u32,
    /// Rendered parameters.
    pub input: Option<Value>,
    pub output: Option<Value>,
    pub error: Option<String>,
    /// Variables it set: `set_vars`.
    pub vars: Map<String, Value>,
    /// When the next attempt is due, or a wait ends.
    pub due_at: Option<i64>,
    /// The position in the order in which tasks ended, including hooks, from 1; 0 before the end.
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

    /// Whether it has ended, including hooks.
    pub fn is_settled(&self) -> bool {
        self.order > 0
    }

    /// The entry as visible in templates.
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

    /// Stores an entry, replacing the one with the same path.
    pub fn put(&mut self, entry: Entry) {
        self.0.insert(entry.path.clone(), entry);
    }

    /// Undoes the start of an attempt: it starts again from `now` on, µs since 1970 UTC.
    pub fn not_begun(&mut self, path: &str, now: i64) {
        if let Some(entry) = self.0.get_mut(path) {
            entry.attempt = entry.attempt.saturating_sub(1);
            entry.status = Status::Scheduled;
            entry.due_at = (entry.attempt > 0).then_some(now);
        }
    }

    /// Resets a task to not started, and removes its nested tasks.
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
