//! The location of a question in a definition: the list of tasks it belongs to, in the workflow, a group, an item of a loop or a branch of a
//! switch.

use super::{awaited, followers};
use crate::definition::{Definition, Task};
use crate::journal::{Entry, Journal};
use std::collections::BTreeSet;

/// The list of tasks around one task, and their common path prefix in the journal.
#[derive(Debug, Clone)]
pub struct QuestionScope {
    /// Empty for top-level tasks; `loop/3/` in an item of a loop.
    prefix: String,
    /// Id of the question's task in the list.
    id: String,
    tasks: Vec<Task>,
}

impl QuestionScope {
    /// The location of a task by its path in the journal; `None` if the definition has no such task.
    pub fn of(definition: &Definition, path: &str) -> Option<Self> {
        let mut tasks: Vec<Task> = definition.tasks().into_iter().cloned().collect();
        let mut prefix = String::new();
        let mut parts = path.split('/').peekable();
        loop {
            let mut id = parts.next()?.to_owned();
            let mut task = tasks.iter().find(|task| task.id == id)?.clone();
            if parts.peek().is_none() {
                return Some(Self { prefix, id, tasks });
            }
            prefix = format!("{prefix}{id}/");
            if task.matrix.as_ref().is_some_and(|matrix| !matrix.is_null()) {
                parts.next()?.clone_into(&mut id);
                task = Task { id: id.clone(), matrix: None, depends_on: None, ..task };
                if parts.peek().is_none() {
                    return Some(Self { prefix, id, tasks: vec![task] });
                }
                prefix = format!("{prefix}{id}/");
            }
            if task.kind == "core.foreach" {
                prefix = format!("{prefix}{}/", parts.next()?);
            }
            tasks = if task.kind == "core.switch" { task.all_written() } else { task.inner().ok()? };
        }
    }

    /// The task of the list that a path belongs to; `None` for paths elsewhere.
    pub fn own<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(&self.prefix)?.split('/').next()
    }

    /// The path of one of the tasks.
    pub fn path(&self, id: &str) -> String {
        format!("{}{id}", self.prefix)
    }

    /// The tasks after the question, directly or indirectly.
    pub fn followers(&self) -> BTreeSet<String> {
        followers(&self.tasks.iter().collect::<Vec<_>>(), &self.id)
    }

    /// The other tasks that the followers depend on, directly or indirectly.
    pub(super) fn awaited(&self, followers: &BTreeSet<String>) -> BTreeSet<String> {
        let tasks: Vec<&Task> = self.tasks.iter().collect();
        awaited(&tasks, &self.id, followers).into_iter().map(str::to_owned).collect()
    }

    /// Whether it is nested in another task.
    pub(super) fn is_inside(&self) -> bool {
        !self.prefix.is_empty()
    }

    /// Whether the question and all tasks after it have ended.
    pub(super) fn is_over(&self, journal: &Journal, followers: &BTreeSet<String>) -> bool {
        let is_settled = |id: &String| journal.get(&self.path(id)).is_some_and(Entry::is_settled);
        is_settled(&self.id) && followers.iter().all(is_settled)
    }
}

#[cfg(test)]
mod tests {
    use super::QuestionScope;
    use crate::definition::Definition;
    use serde_json::json;

    #[test]
    fn a_task_is_found_in_loops_groups_matrices_and_ways() {
        let ask = json!({ "id": "ok", "type": "core.approval", "params": { "message": "?" } });
        let act =
            json!({ "id": "act", "type": "core.print", "depends_on": ["ok"], "params": { "message": "x" } });
        let group = json!({ "id": "both", "type": "core.group", "params": { "tasks": [ask, act] } });
        let definition = json!({ "tasks": [
            { "id": "loop", "type": "core.foreach", "params": { "items": [1], "tasks": [group] } },
            { "id": "times", "type": "core.group", "matrix": { "k": [1, 2] }, "params": { "tasks": [ask, act] } },
            { "id": "way", "type": "core.switch", "params": { "expression": "a", "cases": [{ "value": "a", "tasks": [ask, act] }] } },
            { "id": "each", "type": "core.approval", "matrix": { "k": [1, 2] }, "params": { "message": "?" } },
            { "id": "end", "type": "core.print", "depends_on": ["each"], "params": { "message": "x" } },
        ] });
        let definition = Definition::read(&definition).unwrap();
        for (path, prefix) in
            [("loop/0/both/ok", "loop/0/both/"), ("times/1/ok", "times/1/"), ("way/ok", "way/")]
        {
            let place = QuestionScope::of(&definition, path).unwrap();
            assert_eq!(place.prefix, prefix);
            assert_eq!(place.followers().into_iter().collect::<Vec<_>>(), ["act"], "{path}");
            assert_eq!(place.own(&format!("{prefix}act/0")), Some("act"));
            assert_eq!(place.own("loop/7/both/act"), None);
        }
        let each = QuestionScope::of(&definition, "each/1").unwrap();
        assert!(each.followers().is_empty() && each.is_inside());
        assert!(QuestionScope::of(&definition, "gone").is_none());
    }
}
