//! Workflow definitions: their structure and their validation.

mod check;
mod literals;
mod repositories;
mod switches;
mod templates;
mod tickets;
mod triggers;
mod types;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

pub(super) use check::{Mistakes, check};
pub(super) use templates::unreadable;
pub(crate) use triggers::TYPES as TRIGGER_TYPES;
pub(super) use types::type_mismatches;

/// A workflow definition. Members that are not used here remain in the stored JSON.
#[derive(Debug, Deserialize)]
pub(super) struct Definition {
    pub timeout: Option<String>,
    pub retry_policy: Option<RetryPolicy>,
    pub triggers: Option<Vec<Option<Trigger>>>,
    pub inputs: Option<Vec<Option<Input>>>,
    pub tasks: Option<Vec<Option<Task>>>,
    pub hooks: Option<HookList>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Trigger {
    #[serde(rename = "type")]
    pub kind: String,
    pub params: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Input {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub required: Option<bool>,
    pub default: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Task {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub depends_on: Option<Vec<String>>,
    pub set_state: Option<Value>,
    pub params: Option<Value>,
    pub timeout: Option<String>,
    pub failure_policy: Option<FailurePolicy>,
    pub hooks: Option<HookList>,
    pub tasks: Option<Vec<Option<Task>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FailurePolicy {
    pub action: Option<String>,
    pub retry: Option<RetryPolicy>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RetryPolicy {
    pub initial_interval: Option<String>,
    pub maximum_interval: Option<String>,
    pub backoff_coefficient: Option<f64>,
    pub maximum_attempts: Option<i64>,
}

/// A single object, as in the reference, or a list of objects.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum HookList {
    Many(Vec<Option<Hook>>),
    One(Hook),
}

#[derive(Debug, Deserialize)]
pub(super) struct Hook {
    pub always: Option<Vec<Option<HookAction>>>,
    pub failure: Option<Vec<Option<HookAction>>>,
    pub success: Option<Vec<Option<HookAction>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct HookAction {
    #[serde(rename = "type")]
    pub kind: String,
}

/// The items of a list that may contain null.
pub(super) fn each<T>(list: Option<&Vec<Option<T>>>) -> impl Iterator<Item = &T> {
    list.into_iter().flatten().flatten()
}

impl Definition {
    /// Parses a stored or submitted definition.
    pub(super) fn read(definition: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(definition)
    }

    /// The trigger types of the workflow without duplicates, in the order of the definition.
    pub(super) fn trigger_types(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for trigger in each(self.triggers.as_ref()) {
            if !found.contains(&trigger.kind.as_str()) {
                found.push(&trigger.kind);
            }
        }
        found
    }

    /// The tasks in topological order by `depends_on`, otherwise in the order of the definition.
    pub(super) fn ordered(&self) -> Vec<&Task> {
        let mut waiting: Vec<&Task> = each(self.tasks.as_ref()).collect();
        let (mut ordered, mut done): (Vec<&Task>, HashSet<&str>) = (Vec::new(), HashSet::new());
        while !waiting.is_empty() {
            let is_ready =
                |task: &&Task| task.depends_on.iter().flatten().all(|id| done.contains(id.as_str()));
            // A definition with a cycle is refused before it is stored.
            let next = waiting.iter().position(is_ready).unwrap_or(0);
            let task = waiting.remove(next);
            done.insert(&task.id);
            ordered.push(task);
        }
        ordered
    }
}

/// The definition in its stored form: a missing `version` becomes `v1`.
pub(super) fn normalized(mut definition: Value) -> Value {
    if let Some(fields) = definition.as_object_mut()
        && fields.get("version").and_then(Value::as_str).is_none_or(|version| version.trim().is_empty())
    {
        fields.insert("version".to_owned(), json!("v1"));
    }
    definition
}

/// The stored definition in the form of the GraphQL response, where input defaults and matrices are texts.
pub(super) fn for_response(definition: &Value) -> Value {
    let mut shown = definition.clone();
    let Some(fields) = shown.as_object_mut() else { return shown };
    if let Some(hooks) = fields.get_mut("hooks")
        && hooks.is_object()
    {
        *hooks = Value::Array(vec![hooks.take()]);
    }
    for input in fields.get_mut("inputs").and_then(Value::as_array_mut).into_iter().flatten() {
        as_text(input, "default");
    }
    tasks_for_response(fields);
    shown
}

fn tasks_for_response(fields: &mut Map<String, Value>) {
    for task in fields.get_mut("tasks").and_then(Value::as_array_mut).into_iter().flatten() {
        as_text(task, "matrix");
        // The hooks of a task are a single object in the GraphQL type.
        if let Some(first) =
            task.get_mut("hooks").and_then(Value::as_array_mut).and_then(|list| list.first_mut())
        {
            task["hooks"] = first.take();
        }
        if let Some(inner) = task.as_object_mut() {
            tasks_for_response(inner);
        }
    }
}

fn as_text(object: &mut Value, key: &str) {
    if let Some(value) = object.get_mut(key)
        && !value.is_string()
        && !value.is_null()
    {
        *value = Value::String(value.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::{Definition, for_response, normalized};
    use serde_json::json;

    #[test]
    fn tasks_come_after_those_they_depend_on() {
        let definition = json!({ "tasks": [
            { "id": "tell", "type": "core.print", "depends_on": ["ask"] },
            { "id": "wait", "type": "core.wait" },
            { "id": "ask", "type": "core.approval", "depends_on": ["wait"] },
        ] });
        let definition = Definition::read(&definition).unwrap();
        let order: Vec<&str> = definition.ordered().iter().map(|task| task.id.as_str()).collect();
        assert_eq!(order, ["wait", "ask", "tell"]);
    }

    #[test]
    fn a_definition_without_a_version_is_the_first() {
        assert_eq!(normalized(json!({ "tasks": [] })), json!({ "tasks": [], "version": "v1" }));
        assert_eq!(normalized(json!({ "version": "v2" })), json!({ "version": "v2" }));
    }

    #[test]
    fn defaults_and_matrices_are_shown_as_texts() {
        let stored = json!({
            "inputs": [{ "id": "copies", "default": 3 }, { "id": "name", "default": "web" }],
            "tasks": [{ "id": "a", "tasks": [{ "id": "b", "matrix": { "zone": ["a", "b"] } }] }],
        });
        assert_eq!(
            for_response(&stored),
            json!({
                "inputs": [{ "id": "copies", "default": "3" }, { "id": "name", "default": "web" }],
                "tasks": [{ "id": "a", "tasks": [{ "id": "b", "matrix": "{\"zone\":[\"a\",\"b\"]}" }] }],
            })
        );
    }
}
