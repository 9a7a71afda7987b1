//! Ends runs at the request of a person or of another run.

use super::questions;
use super::settings::is_on;
use super::step::{called, release_waiting};
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Value as Cell, ValueRef};
use graphql::Refusal;
use store::query::Test;
use store::{Transaction, eq};
use uuid::Uuid;

const PARENT_ENDED: &str = "the run that called it was ended";

/// Ends a run and the runs it called. A run that has not started ends immediately; another ends
/// after its `always` hooks have run. Returns whether it is over.
pub(crate) fn cancel(rows: &Transaction<'_>, run: Uuid, reason: &str) -> Result<bool, Refusal> {
    for child in open_children(rows, run)? {
        cancel(rows, child, PARENT_ENDED)?;
    }
    let now = ValueRef::Timestamp(rows.now());
    let has_begun = rows.count("workflow_execution", &[eq("id", run), eq("status", "RUNNING")])? > 0;
    // While automation is off, no runner would claim it.
    if has_begun && is_on(rows)? {
        // The current runner loses its claim; the next runner that claims the run ends it.
        let set = [
            ("canceled_at", now),
            ("cancel_reason", reason.into()),
            ("claim", ValueRef::Null),
            ("due_at", now),
        ];
        rows.update("workflow_execution", &[eq("id", run)], &set)?;
        return Ok(false);
    }
    close_now(rows, run, "CANCELED", reason)?;
    Ok(true)
}

/// Called before a workflow is deleted with its runs: wakes the runs that called them, which then find them deleted.
pub(crate) fn wake_callers(rows: &Transaction<'_>, workflow: Uuid) -> Result<(), Refusal> {
    let system = Caller::system();
    let rows = rows.as_caller(&system);
    let open = Look::at(&rows, "workflow_execution")?.with("workflow_id", workflow)?;
    for run in open.that("close_time", Test::IsNull)?.rows(&["parent_execution"])? {
        if let Some(parent) = uuid(&run, "parent_execution") {
            questions::wake(&rows, parent)?;
        }
    }
    Ok(())
}

/// Ends a run and the runs it called immediately, without their `always` hooks.
pub(super) fn terminate(rows: &Transaction<'_>, run: Uuid, reason: &str) -> Result<(), Refusal> {
    for child in open_children(rows, run)? {
        terminate(rows, child, PARENT_ENDED)?;
    }
    close_now(rows, run, "TERMINATED", reason)
}

/// The runs that a run called and that are not over.
fn open_children(rows: &Transaction<'_>, run: Uuid) -> Result<Vec<Uuid>, Refusal> {
    let called = called(rows, run)?.into_iter().map(Cell::Uuid).collect();
    let called = Look::at(rows, "workflow_execution")?.one_of("id", called)?.rows(&["id", "status"])?;
    let open = called.iter().filter(|child| ["SCHEDULED", "RUNNING"].contains(&text(child, "status")));
    Ok(open.filter_map(|child| uuid(child, "id")).collect())
}

/// Closes a run: cancels its open tasks, closes its questions, and wakes the runs that wait for it.
fn close_now(rows: &Transaction<'_>, run: Uuid, status: &str, reason: &str) -> Result<(), Refusal> {
    let now = ValueRef::Timestamp(rows.now());
    let look = Look::at(rows, "workflow_execution")?.with("id", run)?;
    let row = look.first(&["waits_for", "parent_execution"])?.unwrap_or_default();
    let set = [
        ("status", status.into()),
        ("error", reason.into()),
        ("canceled_at", now),
        ("cancel_reason", reason.into()),
        ("close_time", now),
        ("due_at", ValueRef::Null),
        ("claim", ValueRef::Null),
        ("waits_for", ValueRef::Null),
    ];
    rows.update("workflow_execution", &[eq("id", run)], &set)?;
    // A caller who may end a run is not necessarily allowed to write its journal.
    let house = rows.caller().tenant().map_or_else(Caller::system, Caller::system_for);
    let acting = rows.as_caller(&house);
    let rows = &acting.without_actor();
    for status in ["SCHEDULED", "STARTED", "UNKNOWN"] {
        let open = [eq("execution_id", run), eq("status", status)];
        rows.update("workflow_execution_task", &open, &[("status", "CANCELED".into())])?;
    }
    rows.update("workflow_wait", &[eq("execution_id", run)], &[("is_taken", true.into())])?;
    rows.delete("workflow_event_wait", &[eq("execution_id", run)])?;
    if let Some(parent) = uuid(&row, "parent_execution") {
        questions::wake(rows, parent)?;
    }
    // The run had not started: the runs that waited for it now wait for its predecessor.
    if let Some(before) = uuid(&row, "waits_for") {
        rows.update("workflow_execution", &[eq("waits_for", run)], &[("waits_for", before.into())])?;
        return Ok(());
    }
    release_waiting(rows, run)
}
