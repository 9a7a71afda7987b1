//! Starts, repeats and dry-runs workflows for people.

use super::engine::{NewRun, require_automation, start};
use super::inputs::complete;
use super::stored::{self, definition, needed};
use super::write::{parse_and_check, refuse_leaks};
use crate::kit::{Arguments, Look, account, person, uuid};
use automation::dry_run::dry_run;
use automation::journal::Entry;
use automation::mask::named;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Serialize)]
pub(super) struct TriggerAnswer {
    id: Option<Uuid>,
    execution_id: Option<Uuid>,
}

/// Handles `workflow_trigger`.
pub(super) fn trigger(call: &Call<'_>) -> Result<TriggerAnswer, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let workflow = needed(call, request, "id")?;
    let uses_pinned = request.flag("uses_pinned").unwrap_or_default();
    record(call, &workflow, request.value("inputs"), None, uses_pinned)
}

/// Handles `workflow_retrigger_execution`.
pub(super) fn retrigger(call: &Call<'_>) -> Result<TriggerAnswer, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let workflow = needed(call, request, "workflow_id")?;
    let id = request.needed_id("execution_id")?;
    let runs = Look::at(call.rows, "workflow_execution")?.with("id", id)?;
    let run = runs.with("workflow_id", uuid(&workflow, "id"))?.first(&["inputs"])?;
    let missing = || Refusal::not_found(format!("{} has no run {id}", stored::named(&workflow)));
    let run = run.ok_or_else(missing)?;
    record(call, &workflow, request.value("inputs").or(Some(&run["inputs"])), Some(id), false)
}

/// Handles `workflow_trigger_dryrun`: plans the whole run without making its calls.
pub(super) fn dryrun(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    account(call, request.needed_id("account_id")?)?;
    let given = request.value("definition").cloned().unwrap_or_default();
    let checked =
        parse_and_check(&given).and_then(|definition| refuse_leaks(call, &given).map(|()| definition));
    let planned = checked.and_then(|definition| {
        let inputs = complete(&definition, request.value("inputs")).map_err(Refusal::invalid)?;
        let unreadable = |error| Refusal::invalid(format!("the workflow definition cannot be read: {error}"));
        let definition = automation::definition::Definition::read(&given).map_err(unreadable)?;
        let inputs = inputs.as_object().cloned().unwrap_or_default();
        Ok(dry_run(&definition, &inputs, &named(&given), call.now))
    });
    let run = match planned {
        Ok(run) => run,
        Err(mistakes) => return Ok(json!({ "status": "FAILED", "error": mistakes.message, "tasks": [] })),
    };
    let task = |entry: &Entry| {
        json!({
            "id": entry.path, "type": entry.kind, "status": entry.status.name(), "attempt": entry.attempt,
            "input": entry.input, "output": entry.output, "error": entry.error,
        })
    };
    let mut entries: Vec<&Entry> = run.journal.entries().collect();
    entries.sort_by_key(|entry| entry.order);
    Ok(json!({
        "status": run.outcome.status.name(),
        "error": run.outcome.error,
        "output": { "result": run.outcome.output, "would": run.previews },
        "tasks": entries.into_iter().map(task).collect::<Vec<_>>(),
    }))
}

/// Starts a run for a person.
fn record(
    call: &Call<'_>,
    workflow: &Value,
    inputs: Option<&Value>,
    repeats: Option<Uuid>,
    uses_pinned: bool,
) -> Result<TriggerAnswer, Refusal> {
    if workflow["status"] == "INACTIVE" {
        let message = format!(
            "{} is INACTIVE and does not run: make it ACTIVE or PAUSED with workflow_update",
            stored::named(workflow)
        );
        return Err(Refusal::conflict(message));
    }
    let definition = definition(workflow)?;
    let inputs = complete(&definition, inputs).map_err(Refusal::invalid)?;
    require_automation(call.rows)?;
    let person = Some(person(call)?);
    let run = NewRun {
        workflow: Some(workflow),
        inputs,
        trigger: "manual",
        person,
        repeats,
        uses_pinned,
        ..NewRun::default()
    };
    let id = start(call.rows, &run)?;
    Ok(TriggerAnswer { id: uuid(workflow, "id"), execution_id: id })
}
