//! Starts runs, for every kind of trigger.

use crate::acting;
use crate::kit::{text, uuid};
use crate::workflows::definition::{Definition, normalized};
use automation::definition::without_pins;
use catalogue::{ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::Value;
use store::{Transaction, eq};
use uuid::Uuid;

/// Maximum depth of workflows that call each other.
pub(super) const MAX_DEPTH: i64 = 10;

/// A run to start.
#[derive(Default)]
pub(crate) struct NewRun<'a> {
    /// The workflow's row: id, tenant_id, account_id, definition, revision.
    pub workflow: Option<&'a Value>,
    /// The inputs, validated and complete.
    pub inputs: Value,
    /// The trigger type: schedule, manual, webhook, event or optimization.
    pub trigger: &'a str,
    pub person: Option<Uuid>,
    pub repeats: Option<Uuid>,
    /// Idempotency key: the workflow is started at most once per key.
    pub key: Option<&'a str>,
    /// The scheduled time, µs since 1970 UTC.
    pub scheduled_for: Option<i64>,
    /// A run of the workflow that must be over first.
    pub waits_for: Option<Uuid>,
    /// The calling run, the path of the calling task, and the nesting depth.
    pub parent: Option<(Uuid, &'a str, i64)>,
    /// The definition to run; by default that of the workflow.
    pub definition: Option<&'a Value>,
    /// The kind and id of the row for which the service itself starts the run.
    pub purpose: Option<(&'a str, Uuid)>,
    /// Tasks of an earlier run whose results are reused: rows with [`REUSED_TASK_COLUMNS`].
    pub reused: Vec<Value>,
    /// Whether this is a test run, in which a task with a pinned output returns that output instead of being carried out.
    pub uses_pinned: bool,
}

impl NewRun<'_> {
    /// Whether no person or run requested the run. The audit trail then names its trigger, and the
    /// person it acts for: the last author of the workflow.
    fn is_triggered(&self) -> bool {
        self.person.is_none() && self.parent.is_none()
    }
}

/// The columns that are copied from a reused task.
pub(crate) const REUSED_TASK_COLUMNS: &[&str] = &[
    "path",
    "task_id",
    "task_type",
    "status",
    "attempt",
    "input",
    "output",
    "error",
    "vars",
    "settled",
    "start_time",
    "end_time",
];

/// Inserts a run that is due immediately. `None` if its key has already started the workflow, or if
/// it would be triggered in the sample data. `rows` act in its tenant.
pub(crate) fn start(rows: &Transaction<'_>, start: &NewRun<'_>) -> Result<Option<Uuid>, Refusal> {
    let Some(workflow) = start.workflow else { return Ok(None) };
    if let Some(reason) = acting::block_reason(rows, rows.caller().tenant(), acting::WORKFLOW)? {
        // A trigger starts nothing in the sample data, and must not fail, because that would prevent the workflows of other tenants from starting.
        return if start.person.is_some() { Err(Refusal::conflict(reason)) } else { Ok(None) };
    }
    let workflow_id = uuid(workflow, "id").unwrap_or_default();
    if let Some(key) = start.key {
        let known = [eq("workflow_id", workflow_id), eq("idempotency_key", key)];
        if rows.count("workflow_execution", &known)? > 0 {
            return Ok(None);
        }
    }
    let unreadable = |error| Refusal::new("unexpected", format!("a stored definition: {error}"));
    let given = start.definition.unwrap_or(&workflow["definition"]);
    let definition = Definition::read(given).map_err(unreadable)?;
    let id = Uuid::new_v4();
    // Runs inherit the purpose of their workflow.
    let of_workflow = || Some((workflow["purpose"].as_str()?, uuid(workflow, "purpose_id")?));
    let purpose = start.purpose.or_else(of_workflow);
    let account: ValueRef<'_> = uuid(workflow, "account_id").into();
    let stored = if start.uses_pinned { given.clone() } else { without_pins(given.clone()) };
    let stored = normalized(stored).to_string();
    let operation = format!("workflow_trigger_{}", start.trigger);
    let triggered =
        start.is_triggered().then(|| rows.with_audit_operation(&operation, uuid(workflow, "updated_by")));
    let due = if start.waits_for.is_some() { ValueRef::Null } else { ValueRef::Timestamp(rows.now()) };
    triggered.as_ref().unwrap_or(rows).insert(
        "workflow_execution",
        &[
            ("id", id.into()),
            ("account_id", account),
            ("workflow_id", workflow_id.into()),
            ("definition", ValueRef::Json(&stored)),
            ("revision", workflow["revision"].as_i64().unwrap_or(1).into()),
            ("status", "SCHEDULED".into()),
            ("trigger_type", start.trigger.into()),
            ("triggered_by", start.person.into()),
            ("repeats", start.repeats.into()),
            ("inputs", ValueRef::Json(&start.inputs.to_string())),
            ("start_time", ValueRef::Timestamp(rows.now())),
            ("due_at", due),
            ("waits_for", start.waits_for.into()),
            ("scheduled_for", start.scheduled_for.map_or(ValueRef::Null, ValueRef::Timestamp)),
            ("idempotency_key", start.key.into()),
            ("parent_execution", start.parent.map(|(run, _, _)| run).into()),
            ("parent_path", start.parent.map(|(_, path, _)| path).into()),
            ("depth", start.parent.map_or(0, |(_, _, depth)| depth + 1).into()),
            ("purpose", purpose.map(|(purpose, _)| purpose).into()),
            ("purpose_id", purpose.map(|(_, id)| id).into()),
        ],
    )?;
    copy_tasks(rows, id, account, &start.reused)?;
    let is_reused = |id: &str| start.reused.iter().any(|row| text(row, "path") == id);
    let ordered = definition.ordered().into_iter().filter(|task| !is_reused(&task.id));
    for (place, task) in ordered.enumerate() {
        let place = place + start.reused.len();
        let input = task.params.as_ref().map(Value::to_string);
        rows.insert(
            "workflow_execution_task",
            &[
                ("account_id", account),
                ("execution_id", id.into()),
                ("place", i64::try_from(place).unwrap_or(i64::MAX).into()),
                ("path", task.id.as_str().into()),
                ("task_id", task.id.as_str().into()),
                ("task_type", task.kind.as_str().into()),
                ("status", "SCHEDULED".into()),
                ("input", input.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ],
        )?;
    }
    Ok(Some(id))
}

/// Copies reused tasks of an earlier run.
fn copy_tasks(
    rows: &Transaction<'_>,
    run: Uuid,
    account: ValueRef<'_>,
    reused: &[Value],
) -> Result<(), Refusal> {
    for (place, row) in reused.iter().enumerate() {
        let json = |name: &str| Some(row[name].to_string()).filter(|_| !row[name].is_null());
        let time = |name: &str| row[name].as_str().and_then(parse_timestamp);
        let time = |name: &str| time(name).map_or(ValueRef::Null, ValueRef::Timestamp);
        let (input, output, vars) = (json("input"), json("output"), row["vars"].to_string());
        rows.insert(
            "workflow_execution_task",
            &[
                ("account_id", account),
                ("execution_id", run.into()),
                ("place", i64::try_from(place).unwrap_or(i64::MAX).into()),
                ("path", text(row, "path").into()),
                ("task_id", text(row, "task_id").into()),
                ("task_type", text(row, "task_type").into()),
                ("status", text(row, "status").into()),
                ("attempt", row["attempt"].as_i64().unwrap_or_default().into()),
                ("input", input.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
                ("output", output.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
                ("error", row["error"].as_str().into()),
                ("vars", ValueRef::Json(&vars)),
                ("settled", row["settled"].as_i64().unwrap_or_default().into()),
                ("start_time", time("start_time")),
                ("end_time", time("end_time")),
            ],
        )?;
    }
    Ok(())
}

/// The workflow with that name in an account, with the columns that [`NewRun`] needs.
pub(super) fn named(rows: &Transaction<'_>, account: Uuid, name: &str) -> Result<Value, Refusal> {
    let look = crate::kit::Look::at(rows, "workflow")?.with("account_id", account)?.with("name", name)?;
    let found = look.first(COLUMNS)?;
    let found = found
        .ok_or_else(|| Refusal::not_found(format!("there is no workflow \"{name}\" in this account")))?;
    if text(&found, "status") == "INACTIVE" {
        return Err(Refusal::conflict(format!("workflow \"{name}\" is INACTIVE and does not run")));
    }
    Ok(found)
}

/// The columns of a workflow that [`NewRun`] and triggers need.
pub(super) const COLUMNS: &[&str] = &[
    "id",
    "tenant_id",
    "account_id",
    "name",
    "status",
    "definition",
    "revision",
    "trigger_types",
    "next_due_at",
    "webhook_hash",
    "updated_by",
    "purpose",
    "purpose_id",
];
