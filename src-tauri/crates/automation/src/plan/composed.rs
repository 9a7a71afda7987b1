//! Kinds of tasks that are made of others: a group whose tasks follow from the parameters.

use super::{continuous, router};
use crate::definition::{Task, read_tasks};
use serde_json::Value;

/// Whether tasks of that kind are made of others.
pub(crate) fn is_one(kind: &str) -> bool {
    [continuous::KIND, router::KIND].contains(&kind)
}

/// The tasks inside; none where the kind is not made of others.
fn tasks(task: &Task) -> Option<Result<Vec<Task>, serde_json::Error>> {
    match task.kind.as_str() {
        continuous::KIND => Some(continuous::tasks(task)),
        router::KIND => Some(router::tasks(task)),
        _ => None,
    }
}

impl Task {
    /// The tasks inside: those it is made of, `params.tasks`, else `tasks`.
    pub fn inner(&self) -> Result<Vec<Self>, serde_json::Error> {
        if let Some(tasks) = tasks(self) {
            return tasks;
        }
        match self.params.as_ref().and_then(|params| params.get("tasks")) {
            Some(inner) if inner.is_array() => read_tasks(inner),
            _ => Ok(self.tasks.iter().flatten().flatten().cloned().collect()),
        }
    }
}

/// What such a task gives; `outputs` are those of the tasks inside.
pub(super) fn output(kind: &str, outputs: Value) -> Value {
    match kind {
        continuous::KIND => continuous::output(&outputs),
        router::KIND => router::output(&outputs),
        _ => outputs,
    }
}
