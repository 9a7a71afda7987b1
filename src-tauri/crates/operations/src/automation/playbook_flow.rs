//! Converts a playbook to a workflow definition: its trigger, its resource filter and its steps.

use crate::workflows::engine::{SystemDefinition, SystemTask, SystemTrigger};
use serde_json::Value;

/// The workflow definition of a playbook, or the reason why it cannot run.
pub(super) fn definition(playbook: &Value) -> Result<SystemDefinition, String> {
    let trigger = trigger(&playbook["trigger"], &playbook["resource_filter"])?;
    let mut tasks: Vec<SystemTask> = Vec::new();
    for (place, step) in playbook["tasks"].as_array().into_iter().flatten().enumerate() {
        let kind = step["type"].as_str().unwrap_or_default().trim();
        let before = tasks.last().map(|task| task.id.clone());
        tasks.push(SystemTask {
            id: step_id(place),
            kind: kind.to_owned(),
            params: step["config"].as_object().cloned().unwrap_or_default(),
            depends_on: before.into_iter().collect(),
            condition: None,
            failure_policy: None,
        });
    }
    if tasks.is_empty() {
        return Err("it has no steps".to_owned());
    }
    let mut definition = SystemDefinition::new(tasks);
    definition.triggers.extend(trigger);
    Ok(definition)
}

/// The id of a step in the workflow.
pub(super) fn step_id(place: usize) -> String {
    format!("step{}", place + 1)
}

/// The trigger of the workflow besides manual runs; `None` for a playbook that is only run manually.
fn trigger(trigger: &Value, resources: &Value) -> Result<Option<SystemTrigger>, String> {
    let kind = trigger["type"].as_str().unwrap_or("manual").trim().to_lowercase();
    // The settings are in `params`, or directly next to `type`.
    let mut params = match trigger["params"].as_object() {
        Some(params) => params.clone(),
        None => trigger.as_object().cloned().unwrap_or_default(),
    };
    params.remove("type");
    match kind.as_str() {
        "manual" => Ok(None),
        "schedule" => {
            let line = ["cron", "frequency", "schedule"].into_iter().find_map(|name| params.remove(name));
            let line = line
                .filter(Value::is_string)
                .ok_or("its trigger is a schedule without cron, such as \"0 5 * * *\"")?;
            params.insert("cron".to_owned(), line);
            Ok(Some(SystemTrigger { kind, params }))
        }
        "event" => {
            if let Some(filter) = of_resources(resources) {
                let both = match params.get("filter").and_then(Value::as_str).map(bare) {
                    Some(own) if !own.is_empty() => format!("{{{{ ({own}) and ({filter}) }}}}"),
                    _ => format!("{{{{ {filter} }}}}"),
                };
                params.insert("filter".to_owned(), Value::String(both));
            }
            Ok(Some(SystemTrigger { kind, params }))
        }
        other => Err(format!("its trigger is \"{other}\": expected manual, schedule or event")),
    }
}

/// Removes the surrounding braces from an expression.
fn bare(expression: &str) -> &str {
    let text = expression.trim();
    text.strip_prefix("{{").and_then(|text| text.strip_suffix("}}")).unwrap_or(text).trim()
}

/// A condition that matches events about one of the resources; `None` if all events match.
fn of_resources(resources: &Value) -> Option<String> {
    let mut all = Vec::new();
    for resource in resources.as_array().into_iter().flatten() {
        let part = |name: &str, column: &str| {
            let wanted = resource[name].as_str().unwrap_or_default();
            (!wanted.is_empty())
                .then(|| format!("(event.{column} or '')|lower == {}", Value::from(wanted.to_lowercase())))
        };
        let parts = [
            part("namespace", "subject_namespace"),
            part("type", "subject_type"),
            part("name", "subject_name"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return None;
        }
        all.push(format!("({})", parts.join(" and ")));
    }
    (!all.is_empty()).then(|| all.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::definition;
    use automation::template::Renderer;
    use serde_json::{Value, json};

    fn made(playbook: &Value) -> Result<Value, String> {
        definition(playbook).map(|definition| definition.json().unwrap())
    }

    #[test]
    fn steps_run_one_after_the_other() {
        let made = made(&json!({
            "trigger": { "type": "schedule", "frequency": "0 5 * * *" },
            "tasks": [{ "type": "core.print", "config": { "message": "a" } }, { "type": "core.wait", "config": {} }],
        }))
        .unwrap();
        assert_eq!(made["tasks"][1]["depends_on"], json!(["step1"]));
        assert_eq!(made["triggers"][1], json!({ "type": "schedule", "params": { "cron": "0 5 * * *" } }));
    }

    #[test]
    fn an_event_starts_it_only_for_its_resources() {
        let made = made(&json!({
            "trigger": { "type": "event", "event_type": "OOM", "filter": "{{ event.priority == 'HIGH' }}" },
            "resource_filter": [{ "namespace": "shop", "type": "", "name": "web" }],
            "tasks": [{ "type": "core.print", "config": {} }],
        }))
        .unwrap();
        let filter = &made["triggers"][1]["params"]["filter"];
        let holds = |namespace: &str, priority: &str| {
            let event = json!({ "event": { "subject_namespace": namespace, "subject_name": "Web", "priority": priority } });
            Renderer::new(0).holds(filter, event.as_object().unwrap()).unwrap()
        };
        assert!(holds("Shop", "HIGH"));
        assert!(!holds("pay", "HIGH") && !holds("shop", "LOW"));
    }

    #[test]
    fn what_cannot_start_it_is_told() {
        let tasks = json!([{ "type": "core.print", "config": {} }]);
        let other = made(&json!({ "trigger": { "type": "moon" }, "tasks": tasks }));
        assert_eq!(other, Err("its trigger is \"moon\": expected manual, schedule or event".to_owned()));
        assert!(made(&json!({ "trigger": { "type": "schedule" }, "tasks": tasks })).is_err());
    }
}
