//! Runs begun, whatever starts them.

use crate::kit::{text, uuid};
use crate::workflows::definition::{Definition, normal};
use catalogue::ValueRef;
use graphql::Refusal;
use serde_json::Value;
use store::{Transaction, eq};
use uuid::Uuid;

/// How deep workflows may call each other.
pub(super) const DEEPEST: i64 = 10;

/// A run to begin.
#[derive(Default)]
pub(crate) struct Start<'a> {
    /// The workflow's row: id, tenant_id, account_id, definition, revision.
    pub workflow: Option<&'a Value>,
    /// Checked and complete.
    pub inputs: Value,
    /// schedule, manual, webhook, event or optimization.
    pub trigger: &'a str,
    pub person: Option<Uuid>,
    pub repeats: Option<Uuid>,
    /// What starts a workflow once.
    pub key: Option<&'a str>,
    /// The time of the schedule, µs since 1970 UTC.
    pub scheduled_for: Option<i64>,
    /// A run of the workflow that must be over first.
    pub waits_for: Option<Uuid>,
    /// The run and the path of the task that calls, and how deep it is.
    pub parent: Option<(Uuid, &'a str, i64)>,
}

/// Writes a run down, due at once; none when its key has started the workflow before. `rows` act in its tenant.
pub(crate) fn start(rows: &Transaction<'_>, start: &Start<'_>) -> Result<Option<Uuid>, Refusal> {
    let Some(workflow) = start.workflow else { return Ok(None) };
    let workflow_id = uuid(workflow, "id").unwrap_or_default();
    if let Some(key) = start.key {
        let known = [eq("workflow_id", workflow_id), eq("idempotency_key", key)];
        if rows.count("workflow_execution", &known)? > 0 {
            return Ok(None);
        }
    }
    let unreadable = |error| Refusal::new("unexpected", format!("a stored definition: {error}"));
    let definition = Definition::read(&workflow["definition"]).map_err(unreadable)?;
    let id = Uuid::new_v4();
    let account: ValueRef<'_> = uuid(workflow, "account_id").into();
    let stored = normal(workflow["definition"].clone()).to_string();
    let due = if start.waits_for.is_some() { ValueRef::Null } else { ValueRef::Timestamp(rows.now()) };
    rows.insert(
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
        ],
    )?;
    for (place, task) in definition.ordered().into_iter().enumerate() {
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

/// The workflow of that name in an account, with what [`Start`] needs.
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

/// What [`Start`] needs of a workflow, and what triggers look at.
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
];
