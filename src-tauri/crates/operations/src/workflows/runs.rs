//! Runs asked for: recorded as scheduled with all their tasks.

use super::NOT_CARRIED_OUT;
use super::definition::{Definition, normal};
use super::inputs::complete;
use super::stored::{definition, named, needed};
use super::write::sound;
use crate::kit::{Arguments, Look, account, person, uuid};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use uuid::Uuid;

/// `workflow_trigger`
pub(super) fn trigger(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let workflow = needed(call, request, "id")?;
    record(call, &workflow, request.value("inputs"), None)
}

/// `workflow_retrigger_execution`
pub(super) fn retrigger(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let workflow = needed(call, request, "workflow_id")?;
    let id = request.needed_id("execution_id")?;
    let runs = Look::at(call.rows, "workflow_execution")?.with("id", id)?;
    let run = runs.with("workflow_id", uuid(&workflow, "id"))?.first(&["inputs"])?;
    let missing = || Refusal::not_found(format!("{} has no run {id}", named(&workflow)));
    let run = run.ok_or_else(missing)?;
    record(call, &workflow, request.value("inputs").or(Some(&run["inputs"])), Some(id))
}

/// `workflow_trigger_dryrun`
pub(super) fn dryrun(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = Arguments(call.arguments).object("request");
    account(call, request.needed_id("account_id")?)?;
    let given = request.value("definition").cloned().unwrap_or_default();
    let inputs = |definition: Definition| {
        complete(&definition, request.value("inputs")).map(|_| definition).map_err(Refusal::invalid)
    };
    match sound(&given).and_then(inputs) {
        Ok(definition) => Ok(json!({
            "status": "SCHEDULED",
            "output": {
                "message": "The definition and its inputs are sound, and its tasks would run in this order. \
                            This version of Quarterdeck does not carry them out yet.",
            },
            "tasks": tasks(&definition),
        })),
        Err(mistakes) => Ok(json!({ "status": "FAILED", "error": mistakes.message, "tasks": [] })),
    }
}

/// The tasks as a run begins with them, in the order in which they run.
fn tasks(definition: &Definition) -> Vec<Value> {
    let task = |task: &super::definition::Task| json!({ "id": task.id, "type": task.kind, "status": "SCHEDULED", "attempt": 0, "input": task.params });
    definition.ordered().into_iter().map(task).collect()
}

/// Records a run somebody asks for.
fn record(
    call: &Call<'_>,
    workflow: &Value,
    inputs: Option<&Value>,
    repeats: Option<Uuid>,
) -> Result<Value, Refusal> {
    if workflow["status"] == "INACTIVE" {
        let message = format!(
            "{} is INACTIVE and does not run: make it ACTIVE or PAUSED with workflow_update",
            named(workflow)
        );
        return Err(Refusal::conflict(message));
    }
    let definition = definition(workflow)?;
    let inputs = complete(&definition, inputs).map_err(Refusal::invalid)?;
    let id = Uuid::new_v4();
    let account: ValueRef<'_> = uuid(workflow, "account_id").into();
    call.rows.insert(
        "workflow_execution",
        &[
            ("id", id.into()),
            ("account_id", account),
            ("workflow_id", uuid(workflow, "id").into()),
            ("definition", ValueRef::Json(&normal(workflow["definition"].clone()).to_string())),
            ("revision", workflow["revision"].as_i64().unwrap_or(1).into()),
            ("status", "SCHEDULED".into()),
            ("trigger_type", "manual".into()),
            ("triggered_by", person(call)?.into()),
            ("repeats", repeats.into()),
            ("inputs", ValueRef::Json(&inputs.to_string())),
            ("result", ValueRef::Json(&json!({ "message": NOT_CARRIED_OUT }).to_string())),
            ("start_time", ValueRef::Timestamp(call.now)),
        ],
    )?;
    for (place, task) in definition.ordered().into_iter().enumerate() {
        let input = task.params.as_ref().map(Value::to_string);
        call.rows.insert(
            "workflow_execution_task",
            &[
                ("account_id", account),
                ("execution_id", id.into()),
                ("place", i64::try_from(place).unwrap_or(i64::MAX).into()),
                ("task_id", task.id.as_str().into()),
                ("task_type", task.kind.as_str().into()),
                ("status", "SCHEDULED".into()),
                ("input", input.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ],
        )?;
    }
    Ok(json!({ "id": workflow["id"], "execution_id": id.to_string() }))
}
