//! Runs that the service itself starts: for a recommendation, an event or a playbook. They run like others, but their workflow is not listed.

use super::settings::require_automation;
use super::start::{COLUMNS, NewRun, start};
use crate::kit::{Look, uuid};
use catalogue::ValueRef;
use graphql::Refusal;
use serde::Serialize;
use serde_json::{Map, Value};
use store::{Transaction, eq};
use uuid::Uuid;

/// A definition written by the service.
#[derive(Debug, Serialize)]
pub(crate) struct SystemDefinition {
    pub version: &'static str,
    pub triggers: Vec<SystemTrigger>,
    pub tasks: Vec<SystemTask>,
}

/// The trigger of the definition.
#[derive(Debug, Serialize)]
pub(crate) struct SystemTrigger {
    #[serde(rename = "type")]
    pub kind: String,
    pub params: Map<String, Value>,
}

/// A task of the definition.
#[derive(Debug, Serialize)]
pub(crate) struct SystemTask {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub params: Map<String, Value>,
    pub depends_on: Vec<String>,
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_policy: Option<Value>,
}

impl SystemDefinition {
    /// A definition with these tasks and a manual trigger.
    pub(crate) fn new(tasks: Vec<SystemTask>) -> Self {
        let manual = SystemTrigger { kind: "manual".to_owned(), params: Map::new() };
        Self { version: "v1", triggers: vec![manual], tasks }
    }

    pub(crate) fn json(&self) -> Result<Value, Refusal> {
        crate::kit::reply(self)
    }
}

/// A run that the service starts.
pub(crate) struct SystemRun<'a> {
    pub account: Uuid,
    /// `recommendation` or `event`.
    pub purpose: &'static str,
    /// The id of the resolution.
    pub id: Uuid,
    /// The name of its workflow.
    pub name: &'static str,
    pub definition: &'a Value,
    pub inputs: Value,
    pub person: Uuid,
}

/// Starts a run for the service. Refused while automation is off. `rows` write for the service, in the tenant.
pub(crate) fn start_system_run(rows: &Transaction<'_>, own: &SystemRun<'_>) -> Result<Uuid, Refusal> {
    require_automation(rows)?;
    let workflow = system_workflow(rows, own)?;
    let run = NewRun {
        workflow: Some(&workflow),
        inputs: own.inputs.clone(),
        trigger: "manual",
        person: Some(own.person),
        definition: Some(own.definition),
        purpose: Some((own.purpose, own.id)),
        ..NewRun::default()
    };
    start(rows, &run)?.ok_or_else(|| Refusal::new("unexpected", "the run did not begin"))
}

/// Starts a run of a user's workflow for the service. Refused while automation is off, or if the workflow is INACTIVE.
pub(crate) fn start_named(
    rows: &Transaction<'_>,
    (account, workflow): (Uuid, Uuid),
    (purpose, id): (&'static str, Uuid),
    inputs: Value,
    person: Uuid,
) -> Result<Uuid, Refusal> {
    require_automation(rows)?;
    let look = Look::at(rows, "workflow")?.with("id", workflow)?.with("account_id", account)?;
    let missing = || Refusal::not_found(format!("there is no workflow {workflow} in that account"));
    let row = look.first(COLUMNS)?.ok_or_else(missing)?;
    if row["status"] == "INACTIVE" {
        return Err(Refusal::conflict("the workflow is INACTIVE and does not run"));
    }
    let definition = crate::workflows::definition::Definition::read(&row["definition"])
        .map_err(|error| Refusal::new("unexpected", format!("a stored definition: {error}")))?;
    let inputs = crate::workflows::inputs::complete(&definition, Some(&inputs)).map_err(Refusal::invalid)?;
    let run = NewRun {
        workflow: Some(&row),
        inputs,
        trigger: "manual",
        person: Some(person),
        purpose: Some((purpose, id)),
        ..NewRun::default()
    };
    start(rows, &run)?.ok_or_else(|| Refusal::new("unexpected", "the run did not begin"))
}

/// Starts a run of a playbook's workflow. Refused while automation is off. `rows` act for the person.
pub(crate) fn start_playbook(
    rows: &Transaction<'_>,
    playbook: Uuid,
    inputs: Map<String, Value>,
    person: Uuid,
) -> Result<Uuid, Refusal> {
    require_automation(rows)?;
    let look = Look::at(rows, "workflow")?.with("purpose", "playbook")?.with("purpose_id", playbook)?;
    let missing =
        || Refusal::conflict("the playbook has no workflow: write it again with auto_runbook_edit_one");
    let workflow = look.first(COLUMNS)?.ok_or_else(missing)?;
    let run = NewRun {
        workflow: Some(&workflow),
        inputs: Value::Object(inputs),
        trigger: "manual",
        person: Some(person),
        ..NewRun::default()
    };
    start(rows, &run)?.ok_or_else(|| Refusal::new("unexpected", "the run did not begin"))
}

/// Finds or creates the workflow of such runs: one for each account and purpose.
fn system_workflow(rows: &Transaction<'_>, own: &SystemRun<'_>) -> Result<Value, Refusal> {
    let look = || {
        Look::at(rows, "workflow")?
            .with("account_id", own.account)?
            .with("purpose", own.purpose)?
            .first(COLUMNS)
    };
    if let Some(found) = look()? {
        return Ok(found);
    }
    // Names are unique in an account, and a person may already use this one.
    let mut name = own.name.to_owned();
    while rows.count("workflow", &[eq("account_id", own.account), eq("name", name.as_str())])? > 0 {
        name = format!("{name} (Quarterdeck)");
    }
    let id = Uuid::new_v4();
    rows.insert(
        "workflow",
        &[
            ("id", id.into()),
            ("account_id", own.account.into()),
            ("name", name.as_str().into()),
            ("status", "PAUSED".into()),
            ("definition", ValueRef::Json(&own.definition.to_string())),
            ("trigger_types", ValueRef::Json("[\"manual\"]")),
            ("purpose", own.purpose.into()),
            ("created_at", ValueRef::Timestamp(rows.now())),
            ("updated_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    look()?.ok_or_else(|| Refusal::new("unexpected", "a workflow of the service is not there"))
}

/// Cancels the runs started for this row that are not over.
pub(crate) fn cancel_system_run(
    rows: &Transaction<'_>,
    (purpose, id): (&str, Uuid),
    reason: &str,
) -> Result<(), Refusal> {
    let look = Look::at(rows, "workflow_execution")?.with("purpose", purpose)?.with("purpose_id", id)?;
    for run in look.rows(&["id", "status"])? {
        if ["SCHEDULED", "RUNNING"].contains(&crate::kit::text(&run, "status")) {
            super::cancel(rows, uuid(&run, "id").unwrap_or_default(), reason)?;
        }
    }
    Ok(())
}

/// The end of a run that the service started.
pub(crate) struct SystemRunEnd {
    pub tenant: Uuid,
    pub purpose: String,
    /// The id of the row it was started for.
    pub purpose_id: Uuid,
    /// COMPLETED, FAILED, TIMED_OUT, CANCELED or TERMINATED.
    pub status: String,
    pub error: Option<String>,
    /// Whether a person chose another option than the first one in a question.
    pub is_refused: bool,
}

/// The ends of those runs that the service started and that are over.
pub(crate) fn system_run_ends(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<Vec<SystemRunEnd>, Refusal> {
    let mut found = Vec::new();
    for ids in ids.chunks(500) {
        let ids = ids.iter().map(|id| catalogue::Value::Uuid(*id)).collect();
        let is_own = store::query::Test::Not(Box::new(store::query::Test::IsNull));
        let look = Look::at(rows, "workflow_execution")?.one_of("id", ids)?.that("purpose", is_own)?;
        for row in look.rows(&["id", "tenant_id", "purpose", "purpose_id", "status", "error"])? {
            let status = crate::kit::text(&row, "status");
            if ["SCHEDULED", "RUNNING"].contains(&status) {
                continue;
            }
            let id = uuid(&row, "id").unwrap_or_default();
            found.push(SystemRunEnd {
                tenant: uuid(&row, "tenant_id").unwrap_or_default(),
                purpose: crate::kit::text(&row, "purpose").to_owned(),
                purpose_id: uuid(&row, "purpose_id").unwrap_or_default(),
                status: status.to_owned(),
                error: row["error"].as_str().map(str::to_owned),
                is_refused: is_refused(rows, id)?,
            });
        }
    }
    Ok(found)
}

/// Whether a question got an answer other than its first option, including a default answer after its time-out.
fn is_refused(rows: &Transaction<'_>, run: Uuid) -> Result<bool, Refusal> {
    let waits = Look::at(rows, "workflow_wait")?.with("execution_id", run)?.rows(&["path", "options"])?;
    let asked = Look::at(rows, "workflow_execution_task")?.with("execution_id", run)?;
    let asked = asked.with("task_type", "core.approval")?.rows(&["path", "output"])?;
    let first_option =
        |path: &Value| waits.iter().find(|wait| wait["path"] == *path).map(|wait| &wait["options"][0]);
    Ok(asked.iter().any(|task| {
        let answer = &task["output"]["status"];
        !answer.is_null() && first_option(&task["path"]).is_some_and(|first_option| first_option != answer)
    }))
}
