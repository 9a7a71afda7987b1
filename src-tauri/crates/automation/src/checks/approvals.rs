//! Finds tasks that run even after a rejection.
//!
//! An answer is an output like any other: only an `if` can depend on it, and the tasks after a skipped task run.

use super::order::Order;
use super::{inside, tasks_in, tasks_of};
use crate::commands::canonical;
use crate::kinds::{Work, work};
use crate::template::to_text;
use serde_json::{Map, Value};

/// Kinds without side effects.
const READS: [&str; 17] = [
    "core.approval",
    "core.blast_radius_preflight",
    "core.print",
    "core.switch",
    "core.wait",
    "events.get",
    "k8s.workload_usage",
    "llm.classify",
    "llm.event_investigate",
    "llm.investigate",
    "llm.nubi",
    "llm.router",
    "llm.summary",
    "notifications.read_thread",
    "scm.get_pull_request",
    "tickets.get",
    "tickets.get_comments",
];

/// The tasks after an approval that do not depend on its answer.
pub(super) fn unheeded(definition: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look("tasks", &definition["tasks"], &mut found);
    found
}

fn look(place: &str, list: &Value, found: &mut Vec<String>) {
    let tasks = tasks_of(list);
    let order = Order::of(list);
    for (_, approval) in tasks.iter().filter(|(_, task)| task["type"] == "core.approval") {
        let Some(asked) = approval["id"].as_str() else { continue };
        let behind = order.behind(asked);
        let heeds = |task: &Value| {
            let mut own = task.as_object().cloned().unwrap_or_default();
            own.retain(|name, _| {
                !["hooks", "description", "layout", "pinned_output"].contains(&name.as_str())
            });
            tasks_in(&Value::Object(own)).iter().any(|id| id == asked || behind.contains(id.as_str()))
        };
        // The targets of a switch run only if they are chosen.
        let switches = tasks.iter().filter(|(_, task)| task["type"] == "core.switch" && heeds(task));
        let chosen: Vec<&str> = switches
            .flat_map(|(_, switch)| inside(switch))
            .flat_map(|(_, to)| match to {
                Value::String(id) => vec![id.as_str()],
                list => list.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
            })
            .collect();
        for (number, task) in &tasks {
            let (id, kind) =
                (task["id"].as_str().unwrap_or_default(), task["type"].as_str().unwrap_or_default());
            let is_meant = behind.contains(id) && acts(kind) && task["disabled"] != true;
            if is_meant && !heeds(task) && !chosen.contains(&id) {
                found.push(format!(
                    "{place}[{number}]: \"{id}\" runs after a rejection of \"{asked}\", too; \
                     `if: \"{{{{ Tasks['{asked}'].output.status == '{}' }}}}\"` lets it run only where that was answered",
                    hoped(approval["params"].as_object())
                ));
            }
        }
    }
    for (number, task) in tasks {
        for (inner, list) in inside(task) {
            look(&format!("{place}[{number}].{inner}"), list, found);
        }
    }
}

/// The first option of an approval.
fn hoped(params: Option<&Map<String, Value>>) -> String {
    let options = params.and_then(|params| params.get("approval_options")).and_then(Value::as_array);
    options.and_then(|options| options.first()).map_or_else(|| "approve".to_owned(), to_text)
}

/// Whether tasks of that kind have side effects, or contain tasks that may.
fn acts(kind: &str) -> bool {
    let kind = canonical(kind);
    let reads = READS.contains(&kind) || kind.starts_with("observability.") || kind.starts_with("network.");
    !reads && !matches!(work(kind), None | Some(Work::Values))
}

#[cfg(test)]
mod tests {
    use super::unheeded;
    use serde_json::{Value, json};

    fn told(behind: Value) -> Vec<String> {
        let mut tasks = vec![json!({ "id": "ask", "type": "core.approval", "params": { "message": "Go?" } })];
        tasks.extend(behind.as_array().unwrap().clone());
        unheeded(&json!({ "tasks": tasks }))
    }

    fn http(id: &str, before: &str, more: Value) -> Value {
        let mut task = json!({ "id": id, "type": "integrations.http", "depends_on": [before], "params": { "url": "http://a" } });
        task.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        task
    }

    #[test]
    fn a_task_that_does_not_look_at_the_answer_is_told() {
        assert_eq!(
            told(json!([http("go", "ask", json!({}))])),
            ["tasks[1]: \"go\" runs after a rejection of \"ask\", too; \
              `if: \"{{ Tasks['ask'].output.status == 'approve' }}\"` lets it run only where that was answered"]
        );
        let heeds = json!({ "if": "{{ Tasks['ask'].output.status == 'approve' }}" });
        assert!(told(json!([http("go", "ask", heeds.clone())])).is_empty());
        // Tasks after a skipped task run.
        let found = told(json!([http("go", "ask", heeds.clone()), http("then", "go", json!({}))]));
        assert!(
            found.len() == 1 && found[0].starts_with("tasks[2]: \"then\" runs after a rejection"),
            "{found:?}"
        );
        let then = json!({ "if": "{{ Tasks.go.status == 'COMPLETED' }}" });
        assert!(told(json!([http("go", "ask", heeds), http("then", "go", then)])).is_empty());
    }

    #[test]
    fn what_changes_nothing_or_is_chosen_by_the_answer_is_not_told() {
        let say =
            json!({ "id": "say", "type": "core.print", "depends_on": ["ask"], "params": { "message": "x" } });
        assert!(told(json!([say])).is_empty());
        let switch = json!({ "id": "way", "type": "core.switch", "depends_on": ["ask"], "params": {
            "expression": "{{ Tasks.ask.output.status }}", "cases": [{ "value": "approve", "next": "go" }] } });
        assert!(told(json!([switch, http("go", "way", json!({}))])).is_empty());
        assert!(told(json!([http("apart", "", json!({}))])).is_empty());
    }
}
