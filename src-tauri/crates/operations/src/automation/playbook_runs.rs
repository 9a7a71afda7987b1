//! Starts, tries out, postpones and skips runs of playbooks, and reruns them from a step. They run as workflows.

use super::pilot_status::{minutes, time};
use super::playbook_events::PlaybookEvent;
use super::playbook_sync::{checked_definition, step_of};
use super::playbooks;
use crate::kit::{Arguments, Look, person, text, uuid};
use crate::states::either;
use crate::workflows::again_from;
use crate::workflows::engine::{cancel, start_playbook};
use automation::dry_run::dry_run;
use catalogue::{ValueRef, format_timestamp};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use store::eq;
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;

#[derive(Serialize)]
pub(super) struct StatusAnswer {
    status: String,
}

#[derive(Serialize)]
struct DryRunMeta {
    would: BTreeMap<String, String>,
    error: Option<String>,
}

/// Handles `auto_runbook_manually_run`.
pub(super) fn run(call: &Call<'_>) -> Result<StatusAnswer, Refusal> {
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
    let refused =
        |reason| Refusal::conflict(format!("the playbook \"{}\" cannot run: {reason}", text(&row, "name")));
    let definition = checked_definition(&row).map_err(refused)?;
    let event = request.id("event_id")?.map(|id| PlaybookEvent::find(call, &row, id)).transpose()?;
    let inputs = event.as_ref().map(|event| event.inputs.clone()).unwrap_or_default();
    if row["attributes"]["dryrun"] == true {
        return store_dry_run(call, &row, &definition, &inputs);
    }
    let id = uuid(&row, "id").unwrap_or_default();
    let execution = start_playbook(call.rows, id, inputs, person(call)?)?;
    if let Some(event) = event {
        event.note(call, &row, execution)?;
    }
    Ok(StatusAnswer { status: format!("SCHEDULED: the run {execution} begins at once") })
}

/// Describes what a run would do, and stores the description as a dry run.
fn store_dry_run(
    call: &Call<'_>,
    row: &Value,
    definition: &Value,
    inputs: &Map<String, Value>,
) -> Result<StatusAnswer, Refusal> {
    let unreadable = |error| Refusal::new("unexpected", format!("a playbook's definition: {error}"));
    let read = automation::definition::Definition::read(definition).map_err(unreadable)?;
    let dry = dry_run(&read, inputs, &automation::mask::named(definition), call.now);
    let lines: Vec<&str> = dry.previews.values().map(String::as_str).collect();
    let status = format!("COMPLETE: a dry run, which changes nothing. It would: {}", lines.join("; "));
    let meta = DryRunMeta { would: dry.previews.clone(), error: dry.outcome.error };
    let state = if meta.error.is_some() { "COMPLETE_WITH_ERROR" } else { "COMPLETE" };
    call.rows.insert(
        "auto_playbook_executions",
        &[
            ("account_id", uuid(row, "account_id").into()),
            ("auto_playbook_id", uuid(row, "id").into()),
            ("meta", ValueRef::Json(&crate::kit::reply(&meta)?.to_string())),
            ("scheduled_at", ValueRef::Timestamp(call.now)),
            ("status", state.into()),
        ],
    )?;
    Ok(StatusAnswer { status })
}

/// Handles `auto_runbook_skip_execution`: skips or postpones one run, or all runs of a playbook, that have not started.
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
            skip_run(call, uuid(run, "id").unwrap_or_default())?;
        }
        return Ok(json!({ "message": format!("{} will not be done", runs_of(waiting.len())) }));
    };
    let mut next = 0;
    for run in &waiting {
        let from = time(run, "scheduled_at").unwrap_or(call.now).max(call.now);
        let at = from + minutes * MINUTE;
        next = if std::ptr::eq(*run, *first) { at } else { next.min(at) };
        let set = [("scheduled_at", ValueRef::Timestamp(at)), ("updated_at", ValueRef::Timestamp(call.now))];
        let id = uuid(run, "id").unwrap_or_default();
        change(call, "auto_playbook_executions", id, &set)?;
        let waiting = [eq("id", id), eq("status", "SCHEDULED")];
        call.rows.update("workflow_execution", &waiting, &[("due_at", ValueRef::Timestamp(at))])?;
    }
    let count = runs_of(waiting.len());
    Ok(json!({ "message": format!("{count} put off to {}Z", format_timestamp(next)) }))
}

fn runs_of(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

/// Skips a run and those of its steps that have not started.
fn skip_run(call: &Call<'_>, run: Uuid) -> Result<(), Refusal> {
    if call.rows.count("workflow_execution", &[eq("id", run), eq("status", "SCHEDULED")])? > 0 {
        cancel(call.rows, run, "left out by a person")?;
    }
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

/// Handles `auto_runbook_task_manual_run`: reruns the playbook from this step.
pub(super) fn run_task(call: &Call<'_>) -> Result<StatusAnswer, Refusal> {
    let request = Arguments(call.arguments).object("runbook_task_execute_request");
    let task = task(call, request.needed_id("id")?)?;
    let may = ["CREATED", "FAILED", "SKIPPED"];
    let status = text(&task, "status");
    if !may.contains(&status) {
        let message =
            format!("the step is {status}: only one that is {} can be asked for again", either(&may));
        return Err(Refusal::conflict(message));
    }
    let run = uuid(&task, "execution_id").unwrap_or_default();
    let no_run = || {
        Refusal::conflict(
            "the step belongs to no run that was carried out: run the playbook with auto_runbook_manually_run",
        )
    };
    let step = step_of(run, uuid(&task, "id").unwrap_or_default()).ok_or_else(no_run)?;
    let execution = again_from(call, run, &step)?;
    Ok(StatusAnswer { status: format!("SCHEDULED: the run {execution} begins at once, from this step on") })
}

/// Handles `auto_runbook_task_change_approval_status`.
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
    found.first(&["id", "account_id", "status", "execution_id"])?.ok_or_else(missing)
}

fn change(call: &Call<'_>, table: &str, id: Uuid, set: &[(&str, ValueRef<'_>)]) -> Result<(), Refusal> {
    match call.rows.update(table, &[eq("id", id)], set)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}
