//! `core.switch`: chooses a branch.
//!
//! Its target tasks are not part of the main order; they run only if chosen.

use super::Planner;
use super::frame::Frame;
use crate::definition::{Task, read_tasks};
use crate::journal::Entry;
use crate::template::to_text;
use serde_json::{Map, Value, json};

/// One branch of a switch.
struct Way<'t> {
    /// The value to compare the expression with, or a separate condition; both `None` for the default.
    value: Option<&'t Value>,
    condition: Option<&'t Value>,
    /// A task id, a list of ids, or inline tasks.
    to: Option<&'t Value>,
}

fn ways(task: &Task) -> Vec<Way<'_>> {
    let Some(params) = task.params.as_ref() else { return Vec::new() };
    let list = |name: &str| params.get(name).and_then(Value::as_array).into_iter().flatten();
    let mut ways: Vec<Way<'_>> = Vec::new();
    for case in list("cases").chain(list("branches")) {
        ways.push(Way {
            value: case.get("value"),
            condition: case.get("condition"),
            to: case.get("next").or_else(|| case.get("tasks")),
        });
    }
    let default = params.get("default_next").or_else(|| params.get("default"));
    ways.push(Way { value: None, condition: None, to: default });
    ways
}

fn ids(to: Option<&Value>) -> Vec<String> {
    match to {
        Some(Value::String(id)) if !id.is_empty() => vec![id.clone()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Ids of all tasks a switch can lead to.
pub(super) fn targets(task: &Task) -> Vec<String> {
    ways(task).iter().flat_map(|way| ids(way.to)).collect()
}

impl Task {
    /// Ids of the tasks it can lead to; empty for a task that is not a switch.
    pub fn targets(&self) -> Vec<String> {
        if self.kind == "core.switch" { targets(self) } else { Vec::new() }
    }
}

impl Task {
    /// Whether the task or a nested task asks a person: a pinned output must not replace the answer.
    pub(super) fn asks_people(&self) -> bool {
        self.kind == "core.approval"
            || self.inner().unwrap_or_default().iter().any(Self::asks_people)
            || self.all_written().iter().any(Self::asks_people)
    }
}

impl Task {
    /// Inline tasks of all branches; empty for a task that is not a switch.
    pub(crate) fn all_written(&self) -> Vec<Self> {
        let ways = if self.kind == "core.switch" { ways(self).len() } else { 0 };
        (0..ways).flat_map(|way| written(self, way)).collect()
    }
}

/// Inline tasks of the branch with that index.
pub(super) fn written(task: &Task, way: usize) -> Vec<Task> {
    let ways = ways(task);
    let list = ways.get(way).and_then(|way| way.to).filter(|to| to.is_array());
    let objects =
        list.map(|list| list.as_array().into_iter().flatten().filter(|one| one.is_object()).cloned());
    objects.and_then(|objects| read_tasks(&objects.collect()).ok()).unwrap_or_default()
}

impl Planner<'_> {
    pub(super) fn begin_switch(
        &mut self,
        frame: &Frame,
        outer: &Map<String, Value>,
        task: &Task,
        mut entry: Entry,
    ) {
        let scope = self.task_scope(frame, outer, task, None);
        match self.choose(task, &scope) {
            Err(reason) => self.fail_for_good(frame, outer, task, entry, &reason),
            Ok((way, selected, expression)) => {
                let next = ways(task).get(way).map(|way| ids(way.to)).unwrap_or_default();
                entry.input = Some(json!({ "expression": expression, "way": way }));
                let output = json!({ "selected_case": selected, "next": next });
                if written(task, way).is_empty() {
                    self.complete(frame, outer, task, entry, output);
                } else {
                    entry.output = Some(output);
                    self.put(entry);
                }
            }
        }
    }

    /// The chosen branch, its name, and the value that decided.
    fn choose(&self, task: &Task, scope: &Map<String, Value>) -> Result<(usize, String, Value), String> {
        let render = |value: &Value| self.renderer.value(value, scope).map_err(|error| error.to_string());
        let expression = task.params.as_ref().and_then(|params| params.get("expression"));
        let decides = expression.map(render).transpose()?.unwrap_or_default();
        let ways = ways(task);
        for (place, way) in ways.iter().enumerate() {
            let (fits, name) = match (way.value, way.condition) {
                (Some(value), _) => {
                    let value = to_text(&render(value)?);
                    (value.trim() == to_text(&decides).trim(), value)
                }
                (None, Some(condition)) => {
                    let holds = self.renderer.holds(condition, scope).map_err(|error| error.to_string())?;
                    (holds, to_text(condition))
                }
                (None, None) if place + 1 == ways.len() => (true, "default".to_owned()),
                (None, None) => (false, String::new()),
            };
            if fits {
                return Ok((place, name, decides));
            }
        }
        Ok((ways.len().saturating_sub(1), "default".to_owned(), decides))
    }
}
