//! Validates ticket tasks before the run: changes without effect, and actions that the named tracker does not support.

use super::check::Mistakes;
use crate::workflows::tasks::{self, Parameter};
use automation::plan::Call;
use automation::services::tickets::{TicketAction, TicketTask, is_one};
use serde_json::Value;
use trackers::Tool;
use trackers::issues::IssueChange;

/// Checks literal parameters. Values from templates are checked in the run.
pub(super) fn check(place: &str, kind: &str, params: Option<&Value>, mistakes: &mut Mistakes) {
    let Some(params) = params.filter(|params| is_one(kind) && params.is_object()) else { return };
    // Missing parameters are reported by another check.
    let is_missing = |parameter: &Parameter| parameter.is_required && params[parameter.name].is_null();
    if tasks::find(kind).is_none_or(|task| task.inputs.iter().any(is_missing)) {
        return;
    }
    let call = Call {
        path: String::new(),
        task_id: String::new(),
        kind: kind.to_owned(),
        attempt: 1,
        secrets: std::collections::BTreeSet::new(),
        params: filled(params),
        timeout: 0,
    };
    let place = format!("{place}.params");
    match TicketTask::read("", &call) {
        Err(failure) => mistakes.add(&place, failure.message),
        Ok(task) => {
            if let Some(lack) = missing_parameter(&task, params) {
                mistakes.add(&place, lack);
            }
        }
    }
}

/// The parameters with placeholders in place of templates.
fn filled(params: &Value) -> Value {
    let mut filled = params.clone();
    for (name, value) in filled.as_object_mut().into_iter().flatten() {
        if is_template(value) {
            *value = match name.as_str() {
                "until" => Value::Null,
                "escalation_level" => Value::from(1),
                _ => Value::from("known in the run"),
            };
        }
    }
    filled
}

fn is_template(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{") || text.contains("{%"),
        Value::Array(items) => items.iter().any(is_template),
        _ => false,
    }
}

/// What the tracker named in `ticket_tool` cannot do, if anything.
fn missing_parameter(task: &TicketTask, params: &Value) -> Option<String> {
    let tool = Tool::find(params["ticket_tool"].as_str()?)?;
    if task.is_of_incident() && tool != Tool::PagerDuty {
        return Some(format!("only pagerduty has incidents, and ticket_tool is {}", tool.name()));
    }
    if let Some(number) = params["ticket_id"].as_str().filter(|_| !is_template(&params["ticket_id"]))
        && uuid::Uuid::parse_str(number).is_err()
        && let Err(why) = tool.number(number)
    {
        return Some(format!("ticket_id {why}"));
    }
    let TicketAction::Change(edit) = &task.action else { return None };
    let change = IssueChange {
        severity: edit.severity.clone(),
        assignees: edit.assignees.clone(),
        description: edit.description.clone(),
        labels: edit.labels.clone(),
        ..IssueChange::default()
    };
    change.lack(tool)
}

#[cfg(test)]
mod tests {
    use crate::workflows::definition::Definition;
    use crate::workflows::definition::check::check;
    use serde_json::{Value, json};

    fn mistakes(kind: &str, params: &Value) -> String {
        let definition = json!({ "triggers": [{ "type": "manual" }], "tasks": [{ "id": "a", "type": kind, "params": params }] });
        let found = check(&Definition::read(&definition).unwrap());
        found.err().map(|mistakes| mistakes.into_lines().join("; ")).unwrap_or_default()
    }

    #[test]
    fn what_would_change_nothing_and_what_a_tracker_cannot_do_show_before_the_run() {
        for (kind, params, told) in [
            ("tickets.update", json!({ "ticket_id": "OPS-1", "status": "Done" }), ""),
            (
                "tickets.update",
                json!({ "ticket_id": "{{ Inputs.id }}", "labels": "{{ Inputs.labels }}" }),
                "",
            ),
            (
                "tickets.update",
                json!({ "ticket_id": "OPS-1" }),
                "tasks[0].params: nothing changes: expected at least one of status, severity, assignee, description and labels",
            ),
            ("tickets.get", json!({ "ticket_id": "1", "until": "{{ Inputs.until }}" }), ""),
            (
                "tickets.get",
                json!({ "ticket_id": "1", "until": "merged" }),
                "tasks[0].params: until: expected closed or nothing, found \"merged\"",
            ),
            (
                "tickets.update",
                json!({ "ticket_id": "12", "ticket_tool": "github", "severity": "High" }),
                "tasks[0].params: severity cannot be set on tickets of github",
            ),
            (
                "tickets.resolve",
                json!({ "ticket_id": "OPS-1", "ticket_tool": "jira" }),
                "tasks[0].params: only pagerduty has incidents, and ticket_tool is jira",
            ),
            (
                "tickets.get",
                json!({ "ticket_id": "seven", "ticket_tool": "gitlab" }),
                "tasks[0].params: ticket_id is \"seven\": expected the number of an issue, such as 12",
            ),
            (
                "tickets.transition",
                json!({ "ticket_id": "1" }),
                "tasks[0].params: tickets.transition needs \"status\"",
            ),
        ] {
            assert_eq!(mistakes(kind, &params), told, "{kind} {params}");
        }
    }
}
