//! The parts of a workflow definition that the engine uses.
//!
//! The stored JSON is not modified: unknown fields are retained and ignored.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The fields of a definition that the engine uses.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Definition {
    #[serde(default)]
    pub inputs: Option<Vec<Option<Input>>>,
    #[serde(default)]
    pub triggers: Option<Vec<Option<Trigger>>>,
    #[serde(default)]
    tasks: Option<Vec<Option<Task>>>,
    #[serde(default)]
    hooks: Option<HookList>,
    /// Templates by name.
    #[serde(default)]
    pub output: Option<Value>,
    #[serde(default)]
    pub retry_policy: Option<RetryPolicy>,
    /// Default timeout of the tasks.
    #[serde(default)]
    pub timeout: Option<String>,
}

/// An input of a run.
#[derive(Debug, Clone, Deserialize)]
pub struct Input {
    pub id: String,
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub default: Option<Value>,
    #[serde(default)]
    pub required: Option<bool>,
}

/// A trigger of runs.
#[derive(Debug, Clone, Deserialize)]
pub struct Trigger {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub params: Option<Value>,
}

/// One task.
#[derive(Debug, Clone, Deserialize)]
pub struct Task {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub params: Option<Value>,
    #[serde(default)]
    pub(crate) tasks: Option<Vec<Option<Task>>>,
    #[serde(default)]
    pub set_vars: Option<Map<String, Value>>,
    #[serde(default)]
    pub set_state: Option<Map<String, Value>>,
    #[serde(default)]
    pub depends_on: Option<Vec<String>>,
    #[serde(rename = "if", default)]
    pub condition: Option<Value>,
    #[serde(default)]
    pub matrix: Option<Value>,
    #[serde(default)]
    pub failure_policy: Option<FailurePolicy>,
    #[serde(default)]
    pub timeout: Option<String>,
    #[serde(default)]
    pub(crate) hooks: Option<HookList>,
    #[serde(default)]
    pub disabled: Option<bool>,
    /// Output used in dry runs and test runs in place of running the task.
    #[serde(default)]
    pub pinned_output: Option<Value>,
}

/// The reaction to a failed task.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct FailurePolicy {
    #[serde(default)]
    pub action: Option<String>,
    #[serde(default)]
    pub retry: Option<RetryPolicy>,
}

/// When and how often a failed task is retried.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RetryPolicy {
    #[serde(default)]
    pub initial_interval: Option<String>,
    #[serde(default)]
    pub backoff_coefficient: Option<f64>,
    #[serde(default)]
    pub maximum_interval: Option<String>,
    #[serde(default)]
    pub maximum_attempts: Option<i64>,
    #[serde(default)]
    pub non_retryable_error_types: Option<Vec<String>>,
}

/// The reference writes one object; the typed interface writes a list of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum HookList {
    Many(Vec<Option<Hooks>>),
    One(Hooks),
}

#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Hooks {
    #[serde(default)]
    success: Option<Vec<Option<Hook>>>,
    #[serde(default)]
    failure: Option<Vec<Option<Hook>>>,
    #[serde(default)]
    always: Option<Vec<Option<Hook>>>,
}

/// A task that runs after another task or the run has ended, depending on the outcome.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Hook {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub params: Option<Value>,
}

impl HookList {
    fn always(list: Option<&Self>) -> Vec<&Hook> {
        let all: Vec<&Hooks> = match list {
            None => Vec::new(),
            Some(Self::One(one)) => vec![one],
            Some(Self::Many(many)) => many.iter().flatten().collect(),
        };
        all.iter().flat_map(|hooks| hooks.always.iter().flatten().flatten()).collect()
    }

    fn of(list: Option<&Self>, has_failed: bool) -> Vec<&Hook> {
        let all: Vec<&Hooks> = match list {
            None => Vec::new(),
            Some(Self::One(one)) => vec![one],
            Some(Self::Many(many)) => many.iter().flatten().collect(),
        };
        let mut found: Vec<&Hook> = Vec::new();
        for hooks in &all {
            let outcome = if has_failed { &hooks.failure } else { &hooks.success };
            found.extend(outcome.iter().flatten().flatten());
        }
        found.extend(Self::always(list));
        found
    }
}

impl Definition {
    /// Parses the fields the engine needs. The error locates a field with the wrong type.
    pub fn read(json: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(json)
    }

    /// The tasks, without null entries.
    pub fn tasks(&self) -> Vec<&Task> {
        self.tasks.iter().flatten().flatten().collect()
    }

    /// The hooks of the run in execution order: those of the outcome, then `always`.
    pub fn hooks(&self, has_failed: bool) -> Vec<&Hook> {
        HookList::of(self.hooks.as_ref(), has_failed)
    }

    /// The hooks that run even if the run is cancelled.
    pub fn hooks_always(&self) -> Vec<&Hook> {
        HookList::always(self.hooks.as_ref())
    }
}

impl Task {
    /// The hooks of this task in execution order.
    pub fn hooks(&self, has_failed: bool) -> Vec<&Hook> {
        HookList::of(self.hooks.as_ref(), has_failed)
    }

    /// Whether the run continues if this task fails.
    pub fn goes_on(&self) -> bool {
        self.failure_policy.as_ref().and_then(|policy| policy.action.as_deref()) == Some("continue")
    }
}

/// The definition for a real run: without pinned outputs.
pub fn without_pins(mut definition: Value) -> Value {
    unpin_below(&mut definition, &["tasks"]);
    definition
}

fn unpin_below(holder: &mut Value, names: &[&str]) {
    for name in names {
        let list = holder.get_mut(name).and_then(Value::as_array_mut);
        for task in list.into_iter().flatten() {
            if let Some(fields) = task.as_object_mut() {
                fields.remove("pinned_output");
            }
            unpin_below(task, &["tasks"]);
            let Some(params) = task.get_mut("params") else { continue };
            unpin_below(params, &["tasks", "default_next", "default"]);
            for ways in ["cases", "branches"] {
                for way in params.get_mut(ways).and_then(Value::as_array_mut).into_iter().flatten() {
                    unpin_below(way, &["next", "tasks"]);
                }
            }
        }
    }
}

/// Parses a list of tasks in parameters.
pub fn read_tasks(list: &Value) -> Result<Vec<Task>, serde_json::Error> {
    Ok(Vec::<Option<Task>>::deserialize(list)?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::{Definition, without_pins};
    use serde_json::json;

    #[test]
    fn pins_are_taken_out_wherever_tasks_stand_and_nowhere_else() {
        let task = |pinned: bool| {
            let mut task = json!({ "id": "a", "type": "core.print", "params": { "pinned_output": 1 } });
            if pinned {
                task["pinned_output"] = json!({ "x": 1 });
            }
            task
        };
        let whole = |pinned: bool| {
            json!({ "pinned_output": 1, "tasks": [
                task(pinned),
                { "id": "g", "type": "core.group", "tasks": [task(pinned)], "params": { "tasks": [task(pinned), null] } },
                { "id": "s", "type": "core.switch", "params": {
                    "cases": [{ "value": "a", "tasks": [task(pinned)] }, { "value": "b", "next": "a" }], "default": [task(pinned)] } },
            ] })
        };
        assert_eq!(without_pins(whole(true)), whole(false));
    }

    #[test]
    fn hooks_are_one_object_or_a_list() {
        let hook = json!({ "type": "core.print", "params": { "message": "x" } });
        for hooks in [
            json!({ "failure": [hook], "always": [hook] }),
            json!([{ "failure": [hook] }, { "always": [hook] }]),
        ] {
            let definition = Definition::read(&json!({ "hooks": hooks })).unwrap();
            assert_eq!(definition.hooks(true).len(), 2);
            assert_eq!(definition.hooks(false).len(), 1);
        }
    }

    #[test]
    fn what_the_engine_does_not_know_is_no_error() {
        let definition = json!({
            "version": "v1", "layout": { "zoom": 2 },
            "tasks": [{ "id": "a", "type": "core.print", "layout": { "x": 1 }, "_prev_edges": "any" }, null],
        });
        assert_eq!(Definition::read(&definition).unwrap().tasks().len(), 1);
    }
}
