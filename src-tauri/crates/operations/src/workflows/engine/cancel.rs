//! Runs ended by people.

use super::power::is_on;
use super::step::{begin_followers, called};
use crate::kit::{Look, text, uuid};
use catalogue::{Value as Cell, ValueRef};
use graphql::Refusal;
use store::{Transaction, eq};
use uuid::Uuid;

/// Ends a run and those it called: one that has not begun at once, another as soon as what must happen always has happened. Whether it is over.
pub(crate) fn cancel(rows: &Transaction<'_>, run: Uuid, reason: &str) -> Result<bool, Refusal> {
    let called = called(rows, run)?.into_iter().map(Cell::Uuid).collect();
    let called = Look::at(rows, "workflow_execution")?.one_of("id", called)?;
    for child in called.rows(&["id", "status"])? {
        if ["SCHEDULED", "RUNNING"].contains(&text(&child, "status")) {
            cancel(rows, uuid(&child, "id").unwrap_or_default(), "the run that called it was ended")?;
        }
    }
    let now = ValueRef::Timestamp(rows.now());
    let has_begun = rows.count("workflow_execution", &[eq("id", run), eq("status", "RUNNING")])? > 0;
    // Nobody would take it while automation is off.
    if has_begun && is_on(rows)? {
        // Whoever carries it out loses it; the next who takes it ends it.
        let set = [
            ("canceled_at", now),
            ("cancel_reason", reason.into()),
            ("claim", ValueRef::Null),
            ("due_at", now),
        ];
        rows.update("workflow_execution", &[eq("id", run)], &set)?;
        return Ok(false);
    }
    let set = [
        ("status", "CANCELED".into()),
        ("error", reason.into()),
        ("canceled_at", now),
        ("cancel_reason", reason.into()),
        ("close_time", now),
        ("due_at", ValueRef::Null),
        ("claim", ValueRef::Null),
        ("waits_for", ValueRef::Null),
    ];
    rows.update("workflow_execution", &[eq("id", run)], &set)?;
    for status in ["SCHEDULED", "STARTED"] {
        let open = [eq("execution_id", run), eq("status", status)];
        rows.update("workflow_execution_task", &open, &[("status", "CANCELED".into())])?;
    }
    rows.update("workflow_wait", &[eq("execution_id", run)], &[("is_taken", true.into())])?;
    rows.delete("workflow_event_wait", &[eq("execution_id", run)])?;
    begin_followers(rows, run)?;
    Ok(true)
}
