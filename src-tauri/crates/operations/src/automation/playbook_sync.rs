//! Keeps playbooks and their workflows in sync: a changed playbook updates its workflow, and workflow runs are shown as playbook runs.

use super::playbook_flow::{definition, step_id};
use crate::kit::{Look, text, uuid};
use crate::workflows::engine::{OFF, is_on};
use crate::workflows::{check_definition, trigger_types};
use catalogue::{Caller, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use serde::Serialize;
use serde_json::Value;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The purpose of workflows that belong to playbooks.
pub(super) const PURPOSE: &str = "playbook";
const COLUMNS: &[&str] = &[
    "id",
    "tenant_id",
    "account_id",
    "name",
    "status",
    "trigger",
    "tasks",
    "resource_filter",
    "attributes",
    "updated_by",
    "created_by",
];

/// Updates the workflows of playbooks that were written.
pub(crate) fn after_write(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let follow = || -> Result<(), Refusal> {
        let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
        for playbook in Look::at(rows, "auto_playbook")?.one_of("id", ids)?.rows(COLUMNS)? {
            let system = Caller::system_for(uuid(&playbook, "tenant_id").unwrap_or_default());
            let acting = rows.as_caller(&system);
            sync_workflow(&acting.without_actor(), &playbook)?;
        }
        Ok(())
    };
    follow().map_err(Refusal::into_error)
}

/// The workflow definition of a playbook, validated by the engine, or the reason why it cannot run.
pub(super) fn checked_definition(playbook: &Value) -> Result<Value, String> {
    let definition = definition(playbook)?.json().map_err(|refusal| refusal.message)?;
    check_definition(&definition).map_err(|refusal| refusal.message)?;
    Ok(definition)
}

fn sync_workflow(rows: &Transaction<'_>, playbook: &Value) -> Result<(), Refusal> {
    let id = uuid(playbook, "id").unwrap_or_default();
    let known = [eq("purpose", PURPOSE), eq("purpose_id", id)];
    let is_there = rows.count("workflow", &known)? > 0;
    let is_dry = playbook["attributes"]["dryrun"] == true;
    let reason = match checked_definition(playbook) {
        Err(reason) => {
            // Past runs remain; the workflow can no longer be triggered.
            rows.update(
                "workflow",
                &known,
                &[("status", "INACTIVE".into()), ("next_due_at", ValueRef::Null)],
            )?;
            Some(format!("it cannot run: {reason}"))
        }
        Ok(definition) => {
            let status = if playbook["status"] == "ACTIVE" && !is_dry { "ACTIVE" } else { "INACTIVE" };
            let triggers = crate::kit::reply(&trigger_types(&definition))?.to_string();
            let definition = definition.to_string();
            let by: ValueRef<'_> =
                uuid(playbook, "updated_by").or_else(|| uuid(playbook, "created_by")).into();
            let mut row = vec![
                ("status", status.into()),
                ("definition", ValueRef::Json(&definition)),
                ("trigger_types", ValueRef::Json(&triggers)),
                // The engine computes this again.
                ("next_due_at", ValueRef::Null),
                ("updated_by", by),
                ("updated_at", ValueRef::Timestamp(rows.now())),
            ];
            if is_there {
                rows.update("workflow", &known, &row)?;
            } else {
                let name = free_name(rows, playbook)?;
                row.extend([
                    ("account_id", uuid(playbook, "account_id").into()),
                    ("name", name.as_str().into()),
                    ("purpose", PURPOSE.into()),
                    ("purpose_id", id.into()),
                    ("created_by", by),
                ]);
                rows.insert("workflow", &row)?;
            }
            match (is_on(rows)?, is_dry) {
                (_, true) => {
                    Some("it is a dry run: it says what it would do, and nothing starts it".to_owned())
                }
                (false, false) => Some(OFF.to_owned()),
                (true, false) => None,
            }
        }
    };
    // A playbook in status DRAFT or DISABLED does not run in any case and needs no reason.
    let reason = reason.filter(|_| playbook["status"] == "ACTIVE");
    let attributes = super::pilot_runs::with_reason(&playbook["attributes"], reason.as_deref());
    if attributes != playbook["attributes"] {
        let attributes = attributes.to_string();
        rows.update("auto_playbook", &[eq("id", id)], &[("attributes", ValueRef::Json(&attributes))])?;
    }
    Ok(())
}

/// Updates all playbooks when automation is switched on or off, because each stores whether it runs.
pub(crate) fn refresh(rows: &Transaction<'_>) -> Result<(), Refusal> {
    for playbook in Look::at(rows, "auto_playbook")?.rows(COLUMNS)? {
        let system = Caller::system_for(uuid(&playbook, "tenant_id").unwrap_or_default());
        let acting = rows.as_caller(&system);
        sync_workflow(&acting.without_actor(), &playbook)?;
    }
    Ok(())
}

/// A name for the workflow. Names are unique in an account, and a person may already use this one.
fn free_name(rows: &Transaction<'_>, playbook: &Value) -> Result<String, Refusal> {
    let name = format!("Playbook: {}", text(playbook, "name"));
    let taken =
        [eq("account_id", uuid(playbook, "account_id").unwrap_or_default()), eq("name", name.as_str())];
    if rows.count("workflow", &taken)? == 0 {
        Ok(name)
    } else {
        Ok(format!("{name} ({})", text(playbook, "id")))
    }
}

#[derive(Serialize)]
struct RunMeta {
    workflow_id: Option<Uuid>,
    execution_id: Uuid,
}

#[derive(Serialize)]
struct RunCause<'a> {
    trigger: &'a str,
    by: Option<Uuid>,
}

/// Updates the playbook runs that belong to workflow runs that were written.
pub(crate) fn runs_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), Refusal> {
    for ids in ids.chunks(500) {
        let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
        let look = Look::at(rows, "workflow_execution")?.one_of("id", ids)?.with("purpose", PURPOSE)?;
        let columns = [
            "id",
            "tenant_id",
            "account_id",
            "workflow_id",
            "purpose_id",
            "status",
            "trigger_type",
            "triggered_by",
            "start_time",
            "error",
        ];
        for run in look.rows(&columns)? {
            let system = Caller::system_for(uuid(&run, "tenant_id").unwrap_or_default());
            let acting = rows.as_caller(&system);
            show(&acting.without_actor(), &run)?;
        }
    }
    Ok(())
}

fn show(rows: &Transaction<'_>, run: &Value) -> Result<(), Refusal> {
    let id = uuid(run, "id").unwrap_or_default();
    let playbook = uuid(run, "purpose_id").unwrap_or_default();
    let look = Look::at(rows, "auto_playbook")?.with("id", playbook)?.first(COLUMNS)?;
    let Some(row) = look else { return Ok(()) };
    let now = ValueRef::Timestamp(rows.now());
    if rows.count("auto_playbook_executions", &[eq("id", id)])? == 0 {
        insert_run(rows, run, &row)?;
    }
    let steps = Look::at(rows, "workflow_execution_task")?.with("execution_id", id)?;
    let steps = steps.rows(&["path", "status", "output", "error"])?;
    let step = |place: usize| steps.iter().find(|step| text(step, "path") == step_id(place));
    let mut has_failed = false;
    for (place, _) in row["tasks"].as_array().into_iter().flatten().enumerate() {
        let Some(step) = step(place) else { continue };
        let status = match text(step, "status") {
            "COMPLETED" => "COMPLETE",
            "FAILED" | "TIMED_OUT" | "UNKNOWN" => "FAILED",
            "SKIPPED" | "CANCELED" => "SKIPPED",
            "STARTED" => "IN_PROGRESS",
            _ => "SCHEDULED",
        };
        has_failed |= status == "FAILED";
        let output = Some(step["output"].to_string()).filter(|_| !step["output"].is_null());
        let set = [
            ("status", status.into()),
            ("error", step["error"].as_str().into()),
            ("result", output.as_deref().into()),
            ("updated_at", now),
        ];
        rows.update("auto_playbook_task", &[eq("id", task_id(id, place))], &set)?;
    }
    let status = match text(run, "status") {
        "SCHEDULED" => "SCHEDULED",
        "RUNNING" => "IN_PROGRESS",
        "COMPLETED" if has_failed => "COMPLETE_WITH_ERROR",
        "COMPLETED" => "COMPLETE",
        "CANCELED" => "SKIPPED",
        _ => "FAILED",
    };
    rows.update(
        "auto_playbook_executions",
        &[eq("id", id)],
        &[("status", status.into()), ("updated_at", now)],
    )?;
    let set = [("execution_status", status.into()), ("last_executed_time", now)];
    rows.update("auto_playbook", &[eq("id", playbook)], &set)?;
    Ok(())
}

/// The id of a step's row, computed from the run and the step's position.
fn task_id(run: Uuid, place: usize) -> Uuid {
    Uuid::from_u128(run.as_u128().wrapping_add(place as u128 + 1))
}

/// The step id for a row's id; the inverse of [`task_id`].
pub(super) fn step_of(run: Uuid, task: Uuid) -> Option<String> {
    let place = task.as_u128().wrapping_sub(run.as_u128()).checked_sub(1)?;
    usize::try_from(place).ok().filter(|place| *place < 1000).map(step_id)
}

fn insert_run(rows: &Transaction<'_>, run: &Value, playbook: &Value) -> Result<(), Refusal> {
    let id = uuid(run, "id").unwrap_or_default();
    let account: ValueRef<'_> = uuid(run, "account_id").into();
    let cause = RunCause { trigger: text(run, "trigger_type"), by: uuid(run, "triggered_by") };
    let meta = RunMeta { workflow_id: uuid(run, "workflow_id"), execution_id: id };
    let (cause, meta) = (crate::kit::reply(&cause)?.to_string(), crate::kit::reply(&meta)?.to_string());
    let start = run["start_time"].as_str().and_then(parse_timestamp).unwrap_or(rows.now());
    rows.insert(
        "auto_playbook_executions",
        &[
            ("id", id.into()),
            ("account_id", account),
            ("auto_playbook_id", uuid(playbook, "id").into()),
            ("attribute", ValueRef::Json(&cause)),
            ("meta", ValueRef::Json(&meta)),
            ("scheduled_at", ValueRef::Timestamp(start)),
            ("status", "SCHEDULED".into()),
        ],
    )?;
    for (place, step) in playbook["tasks"].as_array().into_iter().flatten().enumerate() {
        rows.insert(
            "auto_playbook_task",
            &[
                ("id", task_id(id, place).into()),
                ("account_id", account),
                ("auto_playbook_id", uuid(playbook, "id").into()),
                ("execution_id", id.into()),
                ("name", text(step, "type").into()),
                ("task_type", text(step, "type").into()),
                ("attributes", ValueRef::Json(&step["config"].to_string())),
                ("resource", ValueRef::Json(&playbook["resource_filter"].to_string())),
                ("scheduled_time", ValueRef::Timestamp(start)),
                ("status", "SCHEDULED".into()),
            ],
        )?;
    }
    Ok(())
}
