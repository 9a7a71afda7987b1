//! Composed kinds of tasks: groups whose tasks are generated from the parameters.

use super::{continuous, router};
use crate::definition::{Task, read_tasks};
use serde_json::Value;

/// Whether tasks of that kind are composed.
pub(crate) fn is_one(kind: &str) -> bool {
    [continuous::KIND, router::KIND].contains(&kind)
}

/// The generated tasks; `None` for kinds that are not composed.
fn tasks(task: &Task) -> Option<Result<Vec<Task>, serde_json::Error>> {
    match task.kind.as_str() {
        continuous::KIND => Some(continuous::tasks(task)),
        router::KIND => Some(router::tasks(task)),
        _ => None,
    }
}

impl Task {
    /// The nested tasks: the generated ones, `params.tasks`, else `tasks`.
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

/// The output of a composed task; `outputs` are those of the nested tasks.
pub(super) fn output(kind: &str, outputs: Value) -> Value {
    match kind {
        continuous::KIND => continuous::output(&outputs),
        router::KIND => router::output(&outputs),
        _ => outputs,
    }
}
