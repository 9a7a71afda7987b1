//! Cancels runs, and restarts them from a task.

use super::definition::Definition;
use super::engine::{NewRun, REUSED_TASK_COLUMNS, cancel as end, require_automation, start};
use super::inputs::complete;
use super::stored::{self, needed};
use crate::kit::{Arguments, Look, person, text, uuid};
use automation::upcoming::followers;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// Maximum length of a stored reason, in characters.
const MAX_REASON_LENGTH: usize = 1000;

#[derive(Serialize)]
pub(super) struct CancelAnswer {
    execution_id: Uuid,
    message: String,
    status: &'static str,
}

#[derive(Serialize)]
pub(super) struct RunAnswer {
    execution_id: Option<Uuid>,
    id: Option<Uuid>,
    kept: Vec<String>,
}

/// Finds a run and its workflow for a request with `execution_id` and with the workflow's id under `name`.
fn run(
    call: &Call<'_>,
    request: Arguments<'_>,
    name: &str,
    columns: &[&str],
) -> Result<(Value, Value), Refusal> {
    let workflow = needed(call, request, name)?;
    let id = request.needed_id("execution_id")?;
    let runs = Look::at(call.rows, "workflow_execution")?.with("id", id)?;
    let run = runs.with("workflow_id", uuid(&workflow, "id"))?.first(columns)?;
    let Some(run) = run else {
        return Err(Refusal::not_found(format!("{} has no run {id}", stored::named(&workflow))));
    };
    Ok((workflow, run))
}

/// Handles `workflow_cancel_execution`.
pub(super) fn cancel(call: &Call<'_>) -> Result<CancelAnswer, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (_, run) = run(call, request, "id", &["id", "status"])?;
    let status = text(&run, "status");
    if !["SCHEDULED", "RUNNING"].contains(&status) {
        return Err(Refusal::conflict(format!(
            "the run is {status}: only one that is not over can be ended"
        )));
    }
    let execution_id = uuid(&run, "id").unwrap_or_default();
    let given = request.text("reason").unwrap_or_default();
    let reason: String = given.trim().chars().take(MAX_REASON_LENGTH).collect();
    let by = person(call)?;
    let user = Look::at(call.rows, "users")?.with("id", by)?.first(&["username"])?;
    let name = user.map_or_else(|| by.to_string(), |user| text(&user, "username").to_owned());
    let reason =
        if reason.is_empty() { format!("ended by {name}") } else { format!("ended by {name}: {reason}") };
    let is_over = end(call.rows, execution_id, &reason)?;
    let (status, message) = if is_over {
        ("CANCELED", format!("the run was {reason}"))
    } else {
        ("RUNNING", format!("the run is being {reason}; what must happen always still does"))
    };
    Ok(CancelAnswer { execution_id, message, status })
}

/// Handles `workflow_run_from_task`.
pub(super) fn run_from(call: &Call<'_>) -> Result<RunAnswer, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (workflow, run) = run(call, request, "workflow_id", &["id", "inputs", "status"])?;
    begin_at(call, &workflow, &run, request.needed("task_id")?, request.value("inputs"))
}

/// Starts the workflow of a run again from a task. Refused while automation is off.
pub(crate) fn again_from(call: &Call<'_>, run: Uuid, task: &str) -> Result<Uuid, Refusal> {
    let columns = &["id", "workflow_id", "account_id", "inputs", "status"];
    let found = Look::at(call.rows, "workflow_execution")?.with("id", run)?.first(columns)?;
    let missing = || {
        Refusal::conflict(
            "the step belongs to no run that was carried out: run the playbook with auto_runbook_manually_run",
        )
    };
    let run = found.ok_or_else(missing)?;
    let place = (uuid(&run, "account_id").unwrap_or_default(), uuid(&run, "workflow_id").unwrap_or_default());
    let workflow = stored::find(call, place.0, place.1)?.ok_or_else(missing)?;
    let begun = begin_at(call, &workflow, &run, task, None)?;
    begun.execution_id.ok_or_else(|| Refusal::new("unexpected", "the run did not begin"))
}

fn begin_at(
    call: &Call<'_>,
    workflow: &Value,
    run: &Value,
    first: &str,
    inputs: Option<&Value>,
) -> Result<RunAnswer, Refusal> {
    if workflow["status"] == "INACTIVE" {
        let message = format!("{} is INACTIVE and does not run", stored::named(workflow));
        return Err(Refusal::conflict(message));
    }
    if ["SCHEDULED", "RUNNING"].contains(&text(run, "status")) {
        return Err(Refusal::conflict("the run is not over: end it first, or wait"));
    }
    let unreadable = |error| Refusal::new("unexpected", format!("a stored definition: {error}"));
    let tasks = automation::definition::Definition::read(&workflow["definition"]).map_err(unreadable)?;
    let tasks = tasks.tasks();
    if !tasks.iter().any(|task| task.id == first) {
        let known: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        let expected = crate::states::either(&known);
        return Err(Refusal::invalid(format!("`task_id` is \"{first}\": expected {expected}")));
    }
    let mut again = followers(&tasks, first);
    again.insert(first.to_owned());
    let before = Look::at(call.rows, "workflow_execution_task")?.with("execution_id", uuid(run, "id"))?;
    let before = before.ordered("place", false)?.rows(REUSED_TASK_COLUMNS)?;
    let root = |row: &Value| text(row, "path").split('/').next().unwrap_or_default().to_owned();
    // Tasks that had not completed, or whose type has changed, run again, as do the tasks that depend on them.
    for task in &tasks {
        let is_same = |row: &&Value| text(row, "path") == task.id && text(row, "task_type") == task.kind;
        let is_usable = before.iter().find(is_same).is_some_and(is_done);
        if !is_usable && again.insert(task.id.clone()) {
            again.extend(followers(&tasks, &task.id));
        }
    }
    let is_reusable = |row: &Value| {
        let root = root(row);
        !again.contains(&root) && tasks.iter().any(|task| task.id == root)
    };
    let reused: Vec<Value> = before.into_iter().filter(is_reusable).collect();
    let names =
        reused.iter().map(|row| text(row, "path").to_owned()).filter(|path| !path.contains('/')).collect();
    let definition = Definition::read(&workflow["definition"]).map_err(unreadable)?;
    let inputs = inputs.unwrap_or(&run["inputs"]);
    let inputs = complete(&definition, Some(inputs)).map_err(Refusal::invalid)?;
    require_automation(call.rows)?;
    let begun = NewRun {
        workflow: Some(workflow),
        inputs,
        trigger: "manual",
        person: Some(person(call)?),
        repeats: uuid(run, "id"),
        reused,
        ..NewRun::default()
    };
    let execution_id = start(call.rows, &begun)?;
    Ok(RunAnswer { execution_id, id: uuid(workflow, "id"), kept: names })
}

/// Whether a task ended in a way that later tasks can use its result.
fn is_done(row: &Value) -> bool {
    matches!(text(row, "status"), "COMPLETED" | "SKIPPED") && row["settled"].as_i64().unwrap_or_default() > 0
}
