//! Lists every task of a definition with its location: top-level tasks, nested tasks and hooks.

use super::{inside, tasks_of};
use serde_json::Value;

/// An unparsed task.
#[derive(Debug, Clone, Copy)]
pub struct LocatedTask<'d> {
    pub kind: &'d str,
    pub params: &'d Value,
    /// Whether runs skip it.
    pub is_disabled: bool,
}

/// The tasks and hooks, each with its location such as `tasks[0].params.tasks[1]` or `hooks.failure[0]`.
pub fn every_task(definition: &Value) -> Vec<(String, LocatedTask<'_>)> {
    let mut found = Vec::new();
    look("tasks", &definition["tasks"], &mut found);
    hooks("hooks", &definition["hooks"], &mut found);
    found
}

fn look<'d>(place: &str, list: &'d Value, found: &mut Vec<(String, LocatedTask<'d>)>) {
    for (number, task) in tasks_of(list) {
        let place = format!("{place}[{number}]");
        found.push((place.clone(), placed(task)));
        hooks(&format!("{place}.hooks"), &task["hooks"], found);
        for (inner, list) in inside(task) {
            look(&format!("{place}.{inner}"), list, found);
        }
    }
}

fn placed(task: &Value) -> LocatedTask<'_> {
    LocatedTask {
        kind: task["type"].as_str().unwrap_or_default(),
        params: &task["params"],
        is_disabled: task["disabled"] == true,
    }
}

/// Hooks are an object or a list of objects.
fn hooks<'d>(place: &str, given: &'d Value, found: &mut Vec<(String, LocatedTask<'d>)>) {
    match given {
        Value::Array(list) => {
            for (number, one) in list.iter().enumerate() {
                hooks(&format!("{place}[{number}]"), one, found);
            }
        }
        Value::Object(_) => {
            for name in ["always", "failure", "success"] {
                for (number, action) in tasks_of(&given[name]) {
                    found.push((format!("{place}.{name}[{number}]"), placed(action)));
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::every_task;
    use serde_json::json;

    #[test]
    fn tasks_inside_others_and_hooks_are_found_with_their_places() {
        let definition = json!({
            "tasks": [
                { "id": "a", "type": "core.group", "params": { "tasks": [{ "id": "b", "type": "core.wait" }] } },
                { "id": "c", "type": "core.print", "hooks": { "failure": [{ "type": "events.store" }] } },
                { "id": "d", "type": "core.switch", "params": { "cases": [{ "tasks": [{ "id": "e", "type": "llm.summary", "disabled": true }] }] } },
            ],
            "hooks": [{ "always": [{ "type": "notifications.im", "params": { "channel": "x" } }] }],
        });
        let found: Vec<String> = every_task(&definition)
            .into_iter()
            .map(|(place, task)| {
                format!("{place}: {}{}", task.kind, if task.is_disabled { " off" } else { "" })
            })
            .collect();
        assert_eq!(
            found,
            [
                "tasks[0]: core.group",
                "tasks[0].params.tasks[0]: core.wait",
                "tasks[1]: core.print",
                "tasks[1].hooks.failure[0]: events.store",
                "tasks[2]: core.switch",
                "tasks[2].params.cases[0].tasks[0]: llm.summary off",
                "hooks[0].always[0]: notifications.im",
            ]
        );
    }
}
