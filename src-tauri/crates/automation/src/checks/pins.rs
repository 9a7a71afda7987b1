//! Finds outputs that must not be pinned.

use super::{inside, tasks_of};
use serde_json::Value;

/// The pinned outputs that would replace a person's answer.
pub(super) fn misplaced(definition: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look("tasks", &definition["tasks"], &mut found);
    found
}

/// Whether a task of the list, or one nested in it, asks for approval.
fn look(place: &str, list: &Value, found: &mut Vec<String>) -> bool {
    let mut asks = false;
    for (number, task) in tasks_of(list) {
        let place = format!("{place}[{number}]");
        let mut asks_inside = task["type"] == "core.approval";
        for (inner, list) in inside(task) {
            asks_inside |= look(&format!("{place}.{inner}"), list, found);
        }
        if asks_inside && !task["pinned_output"].is_null() {
            found.push(format!(
                "{place}.pinned_output: an approval is asked in test runs, too, and has no pinned answer"
            ));
        }
        asks |= asks_inside;
    }
    asks
}

#[cfg(test)]
mod tests {
    use super::misplaced;
    use serde_json::json;

    #[test]
    fn nobody_answers_for_a_person() {
        let ask = json!({ "id": "ask", "type": "core.approval", "pinned_output": { "status": "approve" } });
        let group = json!({ "id": "g", "type": "core.group", "pinned_output": {}, "params": { "tasks": [{ "id": "in", "type": "core.approval" }] } });
        let http = json!({ "id": "a", "type": "integrations.http", "pinned_output": {} });
        let found = misplaced(&json!({ "tasks": [ask, group, http] }));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("tasks[0].pinned_output: ")
                && found[1].starts_with("tasks[1].pinned_output: ")
        );
    }
}
