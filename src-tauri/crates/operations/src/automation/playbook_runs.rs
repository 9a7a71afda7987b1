//! Runs of playbooks: asked for, put off, and their steps agreed to. They are recorded; nothing carries them out yet.

use super::pilot_status::{minutes, time};
use super::playbooks;
use crate::kit::{Arguments, Look, person, text, uuid};
use crate::states::either;
use catalogue::{ValueRef, format_timestamp};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

const NOT_CARRIED_OUT: &str = "This version of Quarterdeck does not carry out playbooks yet.";

const MINUTE: i64 = 60_000_000;

/// `auto_runbook_manually_run`
pub(super) fn run(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("runbook_execute_request");
    let row = playbooks::needed(call, request.needed_id("id")?)?;
    let status = text(&row, "status");
    if status != "ACTIVE" {
        let message = format!(
            "the playbook \"{}\" is {status} and does not run: make it ACTIVE with auto_runbook_update_status",
            text(&row, "name")
        );
        return Err(Refusal::conflict(message));
    }
    let id = Uuid::new_v4();
    let account: ValueRef<'_> = uuid(&row, "account_id").into();
    let playbook: ValueRef<'_> = uuid(&row, "id").into();
    call.rows.insert(
        "auto_playbook_executions",
        &[
            ("id", id.into()),
            ("account_id", account),
            ("auto_playbook_id", playbook),
            (
                "attribute",
                ValueRef::Json(&json!({ "trigger": "manual", "by": person(call)?.to_string() }).to_string()),
            ),
            ("meta", ValueRef::Json(&json!({ "message": NOT_CARRIED_OUT }).to_string())),
            ("scheduled_at", ValueRef::Timestamp(call.now)),
            ("status", "SCHEDULED".into()),
        ],
    )?;
    let tasks = row["tasks"].as_array().map_or(&[][..], Vec::as_slice);
    for task in tasks {
        let kind = text(task, "type");
        call.rows.insert(
            "auto_playbook_task",
            &[
                ("account_id", account),
                ("auto_playbook_id", playbook),
                ("execution_id", id.into()),
                ("name", kind.into()),
                ("task_type", kind.into()),
                ("attributes", ValueRef::Json(&task["config"].to_string())),
                ("resource", ValueRef::Json(&row["resource_filter"].to_string())),
                ("scheduled_time", ValueRef::Timestamp(call.now)),
                ("status", "SCHEDULED".into()),
            ],
        )?;
    }
    call.rows.update(
        "auto_playbook",
        &[eq("id", uuid(&row, "id").unwrap_or_default())],
        &[("last_schedule_time", ValueRef::Timestamp(call.now))],
    )?;
    let steps = if tasks.len() == 1 { "1 step".to_owned() } else { format!("{} steps", tasks.len()) };
    Ok(json!({ "status": format!("SCHEDULED with {steps}. {NOT_CARRIED_OUT}") }))
}

/// `auto_runbook_skip_execution`: one run, or all runs of a playbook, that have not begun.
pub(super) fn skip(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("arg1");
    let id = request.needed_id("id")?;
    let minutes = minutes(request)?;
    let mut runs = Vec::new();
    for column in ["id", "auto_playbook_id"] {
        let found =
            Look::at(call.rows, "auto_playbook_executions")?.with(column, id)?.ordered("id", false)?;
        runs.extend(found.rows(&["id", "status", "scheduled_at"])?);
    }
    if runs.is_empty() {
        return Err(Refusal::not_found(format!(
            "there is no run {id}, and no run of a playbook {id}, that you may see"
        )));
    }
    let waiting: Vec<&Value> = runs.iter().filter(|run| run["status"] == "SCHEDULED").collect();
    let Some(first) = waiting.first() else {
        let message = format!(
            "the run is {}: only one that is SCHEDULED can be put off or left out",
            text(&runs[0], "status")
        );
        return Err(Refusal::conflict(message));
    };
    let Some(minutes) = minutes else {
        for run in &waiting {
            leave_out(call, uuid(run, "id").unwrap_or_default())?;
        }
        return Ok(json!({ "message": format!("{} will not be done", runs_of(waiting.len())) }));
    };
    let mut next = 0;
    for run in &waiting {
        let from = time(run, "scheduled_at").unwrap_or(call.now).max(call.now);
        let at = from + minutes * MINUTE;
        next = if std::ptr::eq(*run, *first) { at } else { next.min(at) };
        let set = [("scheduled_at", ValueRef::Timestamp(at)), ("updated_at", ValueRef::Timestamp(call.now))];
        change(call, "auto_playbook_executions", uuid(run, "id").unwrap_or_default(), &set)?;
    }
    let count = runs_of(waiting.len());
    Ok(json!({ "message": format!("{count} put off to {}Z", format_timestamp(next)) }))
}

fn runs_of(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

/// A run and its steps that have not begun.
fn leave_out(call: &Call<'_>, run: Uuid) -> Result<(), Refusal> {
    let now = ValueRef::Timestamp(call.now);
    let set = [("status", "SKIPPED".into()), ("skipped_by", person(call)?.into()), ("updated_at", now)];
    change(call, "auto_playbook_executions", run, &set)?;
    for status in ["CREATED", "SCHEDULED", "QUEUED", "PENDING_APPROVAL"] {
        let set = [
            ("status", "SKIPPED".into()),
            ("reason", "the run was left out by a person".into()),
            ("updated_at", now),
        ];
        call.rows.update("auto_playbook_task", &[eq("execution_id", run), eq("status", status)], &set)?;
    }
    Ok(())
}

/// `auto_runbook_task_manual_run`
pub(super) fn run_task(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("runbook_task_execute_request");
    let task = task(call, request.needed_id("id")?)?;
    let may = ["CREATED", "FAILED", "SKIPPED"];
    let status = text(&task, "status");
    if !may.contains(&status) {
        let message =
            format!("the step is {status}: only one that is {} can be asked for again", either(&may));
        return Err(Refusal::conflict(message));
    }
    let set = [
        ("status", "SCHEDULED".into()),
        ("scheduled_time", ValueRef::Timestamp(call.now)),
        ("error", ValueRef::Null),
        ("reason", ValueRef::Null),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    change(call, "auto_playbook_task", uuid(&task, "id").unwrap_or_default(), &set)?;
    Ok(json!({ "status": format!("SCHEDULED. {NOT_CARRIED_OUT}") }))
}

/// `auto_runbook_task_change_approval_status`
pub(super) fn approve_task(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("runbook_task_approval_request");
    let task = task(call, request.needed_id("task_id")?)?;
    if uuid(&task, "account_id") != Some(request.needed_id("account_id")?) {
        return Err(Refusal::not_found("there is no such step in that account"));
    }
    let answer = request.word("status", &["APPROVED", "REJECTED"])?.unwrap_or_default();
    let status = text(&task, "status");
    if status != "PENDING_APPROVAL" {
        let message = format!("the step is {status}: only one that is PENDING_APPROVAL waits for an answer");
        return Err(Refusal::conflict(message));
    }
    let (to, reason) = match answer {
        "APPROVED" => ("SCHEDULED", format!("approved by {}", person(call)?)),
        _ => ("SKIPPED", format!("rejected by {}", person(call)?)),
    };
    let set = [
        ("status", to.into()),
        ("reason", reason.as_str().into()),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    change(call, "auto_playbook_task", uuid(&task, "id").unwrap_or_default(), &set)?;
    Ok(json!({ "id": task["id"] }))
}

fn task(call: &Call<'_>, id: Uuid) -> Result<Value, Refusal> {
    let found = Look::at(call.rows, "auto_playbook_task")?.with("id", id)?;
    let missing = || Refusal::not_found(format!("there is no step {id} that you may see"));
    found.first(&["id", "account_id", "status"])?.ok_or_else(missing)
}

fn change(call: &Call<'_>, table: &str, id: Uuid, set: &[(&str, ValueRef<'_>)]) -> Result<(), Refusal> {
    match call.rows.update(table, &[eq("id", id)], set)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}
