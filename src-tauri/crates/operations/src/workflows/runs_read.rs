//! Reads runs: a single one with its tasks, a list, and their number.

use super::stored::{needed, next_page, page, waits_for};
use crate::kit::{Arguments, Look, account, uuid};
use automation::mask::MASK;
use catalogue::{Role, Value as Cell};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::query::{Operator, Test};

/// Handles `workflow_get_execution`.
pub(super) fn get(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let columns = &[
        "id",
        "workflow_id",
        "status",
        "start_time",
        "close_time",
        "inputs",
        "result",
        "error",
        "triggered_by",
        "parent_execution",
    ];
    let run = Look::at(call.rows, "workflow_execution")?
        .with("id", request.needed_id("id")?)?
        .with("workflow_id", request.needed_id("workflow_id")?)?
        .with("account_id", request.needed_id("account_id")?)?
        .first(columns)?;
    let Some(mut run) = run else { return Ok(Value::Null) };
    let tasks = Look::at(call.rows, "workflow_execution_task")?.with("execution_id", uuid(&run, "id"))?;
    let tasks = tasks.ordered("place", false)?.rows(&[
        "task_id",
        "task_type",
        "status",
        "attempt",
        "input",
        "output",
        "error",
        "start_time",
        "end_time",
        "path",
    ])?;
    run["tasks"] = nested(tasks);
    if !may_decide(call) {
        hide_links(&mut run["tasks"]);
    }
    run["parent_workflow_id"] = parent(call, &run)?;
    run["workflow_result"] = run["result"].take();
    Ok(run)
}

/// Anyone who has the link of an approval can decide it; therefore it is shown only to people who may change workflows.
fn may_decide(call: &Call<'_>) -> bool {
    call.caller.roles.iter().any(|role| matches!(role, Role::TenantAdmin | Role::AccountAdmin))
}

fn hide_links(tasks: &mut Value) {
    for task in tasks.as_array_mut().into_iter().flatten() {
        if let Some(url) = task["output"].as_object_mut().and_then(|output| output.get_mut("approval_url")) {
            *url = json!(MASK);
        }
        if task["children"].is_array() {
            hide_links(&mut task["children"]);
        }
    }
}

/// The id of the workflow whose task called the run.
fn parent(call: &Call<'_>, run: &Value) -> Result<Value, Refusal> {
    let Some(parent) = uuid(run, "parent_execution") else { return Ok(Value::Null) };
    let parent = Look::at(call.rows, "workflow_execution")?.with("id", parent)?.first(&["workflow_id"])?;
    Ok(parent.map(|mut row| row["workflow_id"].take()).unwrap_or_default())
}

/// The tasks of the definition, each with those that ran inside it as `children`. Hooks of the run are last.
fn nested(rows: Vec<Value>) -> Value {
    let (mut tasks, mut inside): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for row in rows {
        let is_inside = row["path"].as_str().is_some_and(|path| path.contains('/'));
        if is_inside { inside.push(task(row)) } else { tasks.push(task(row)) }
    }
    for child in inside {
        let outer = child["path"].as_str().and_then(|path| path.split('/').next()).map(str::to_owned);
        if let Some(outer) = tasks.iter_mut().find(|task| task["id"].as_str() == outer.as_deref()) {
            match &mut outer["children"] {
                Value::Array(children) => children.push(child),
                none => *none = json!([child]),
            }
        }
    }
    Value::Array(tasks)
}

fn task(mut row: Value) -> Value {
    row["id"] = row["task_id"].take();
    row["type"] = row["task_type"].take();
    row
}

/// Handles `workflow_get_execution_count`.
pub(super) fn count(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let account = account(call, request.needed_id("account_id")?)?;
    let mut look = Look::at(call.rows, "workflow_execution")?.with("account_id", account)?;
    if let Some(id) = request.id("workflow_id")? {
        look = look.with("workflow_id", id)?;
    }
    for name in ["status", "trigger_type"] {
        if let Some(text) = request.text(name) {
            look = look.with(name, text)?;
        }
    }
    let (start, end) = (request.time("start_date")?, request.time("end_date")?);
    if let (Some(start), Some(end)) = (start, end)
        && end < start
    {
        return Err(Refusal::invalid("`end_date` is before `start_date`: expected a time after it"));
    }
    if let Some(start) = start {
        let test = Test::Compare(Operator::GreaterOrEqual, Cell::Timestamp(start));
        look = look.that("start_time", test)?;
    }
    if let Some(end) = end {
        look = look.that("start_time", Test::Compare(Operator::Less, Cell::Timestamp(end)))?;
    }
    Ok(json!({ "count": look.count()? }))
}

/// Handles `workflow_list_executions`.
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (limit, offset) = page(request)?;
    let workflow = needed(call, request, "id")?;
    let mut look = Look::at(call.rows, "workflow_execution")?.with("workflow_id", uuid(&workflow, "id"))?;
    for name in ["status", "trigger_type"] {
        if let Some(text) = request.text(name) {
            look = look.with(name, text)?;
        }
    }
    let total = look.count()?;
    let look = look.ordered("start_time", true)?.ordered("id", false)?.limit(limit).offset(offset);
    let mut executions = look.rows(&[
        "id",
        "workflow_id",
        "status",
        "trigger_type",
        "triggered_by",
        "start_time",
        "close_time",
    ])?;
    for run in &mut executions {
        run["waits_for"] = waits_for(call, run)?.map_or(Value::Null, Value::from);
    }
    Ok(json!({ "executions": executions, "next_page_token": next_page(offset, limit, total) }))
}
