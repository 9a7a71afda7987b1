//! Watches attempts until they end: a run or ticket ends, an import shows the change or not, a user decides, or the time limit passes. A failed
//! attempt sets its recommendation to Open again, with the reason.

use super::status::OPEN_AGAIN;
use super::undo::PURPOSE as UNDO;
use crate::kit::{Look, read, text, uuid};
use crate::workflows::engine::{SystemRunEnd, cancel};
use catalogue::{Caller, Value as Cell, ValueRef, parse_timestamp};
use graphql::Refusal;
use serde::Deserialize;
use serde_json::Value;
use store::query::{Operator, Test};
use store::{StoreError, Transaction, eq, one_of};
use trackers::issues::closes;
use uuid::Uuid;

/// The table of watched attempts.
pub(crate) const WATCHED: &str = "recommendation_watch";
/// The operation name in the audit trail.
pub(super) const AUDIT_OPERATION: &str = "recommendation_watch";
/// The time limit, in µs, until an import must show the change.
const PATIENCE: i64 = 30 * 86_400_000_000;
/// The start of the note of a recommendation that an import closed.
const CLOSED_BY_IMPORT: &str = "Closed by an import:";
/// The reason why a recommendation is Open after its change was undone.
const TAKEN_BACK: &str = "the change was made, and taken back";
/// Rows per query.
const BATCH: usize = 500;

/// A new attempt.
pub(super) struct Start {
    pub resolution: Uuid,
    pub recommendation: Uuid,
    pub account: Uuid,
    pub execution: Option<Uuid>,
    pub ticket: Option<Uuid>,
    pub pilot_task: Option<Uuid>,
}

/// A row of the table.
#[derive(Debug, Deserialize)]
pub(super) struct Watch {
    resolution_id: Uuid,
    pub tenant_id: Uuid,
    pub recommendation_id: Uuid,
    execution_id: Option<Uuid>,
    ticket_id: Option<Uuid>,
    pilot_task_id: Option<Uuid>,
    acted_at: Option<String>,
    pub verified_at: Option<String>,
}

const COLUMNS: [&str; 8] = [
    "resolution_id",
    "tenant_id",
    "recommendation_id",
    "execution_id",
    "ticket_id",
    "pilot_task_id",
    "acted_at",
    "verified_at",
];

/// Starts watching an attempt.
pub(super) fn begin(rows: &Transaction<'_>, start: &Start) -> Result<(), Refusal> {
    rows.insert(
        WATCHED,
        &[
            ("resolution_id", start.resolution.into()),
            ("account_id", start.account.into()),
            ("recommendation_id", start.recommendation.into()),
            ("execution_id", start.execution.into()),
            ("ticket_id", start.ticket.into()),
            ("pilot_task_id", start.pilot_task.into()),
            ("due_at", ValueRef::Timestamp(rows.now() + PATIENCE)),
        ],
    )?;
    Ok(())
}

/// Updates the attempts of recommendations that an import, a user or the undo of an import changed.
pub(crate) fn recommendations_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    if rows.count(WATCHED, &[])? == 0 {
        return Ok(());
    }
    let changed = || -> Result<(), Refusal> {
        for watch in of(rows, "recommendation_id", ids)? {
            let columns = ["status", "note", "recommendation"];
            let look = Look::at(rows, "recommendation")?.with("id", watch.recommendation_id)?;
            if let Some(row) = look.first(&columns)? {
                follow(rows, &watch, &row)?;
            }
        }
        Ok(())
    };
    changed().map_err(Refusal::into_error)
}

/// All watched attempts.
pub(super) fn all(rows: &Transaction<'_>) -> Result<Vec<Watch>, Refusal> {
    Look::at(rows, WATCHED)?.rows(&COLUMNS)?.into_iter().map(read).collect()
}

fn of(rows: &Transaction<'_>, column: &str, ids: &[Uuid]) -> Result<Vec<Watch>, Refusal> {
    let mut found = Vec::new();
    for ids in ids.chunks(BATCH) {
        let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
        let rows = Look::at(rows, WATCHED)?.one_of(column, ids)?.rows(&COLUMNS)?;
        found.extend(rows.into_iter().map(read).collect::<Result<Vec<Watch>, _>>()?);
    }
    Ok(found)
}

fn follow(rows: &Transaction<'_>, watch: &Watch, row: &Value) -> Result<(), Refusal> {
    let note = text(row, "note");
    match (text(row, "status"), &watch.verified_at) {
        ("Closed", None) => {
            let message = if note.starts_with(CLOSED_BY_IMPORT) {
                note.to_owned()
            } else {
                "closed by a person; no import has shown the change".to_owned()
            };
            let set = [("verified_at", ValueRef::Timestamp(rows.now()))];
            rows.update(WATCHED, &[eq("resolution_id", watch.resolution_id)], &set)?;
            settle(rows, watch, ("Success", &message), Some("Complete"))
        }
        ("InProgress" | "Assigned", Some(_)) => {
            let set = [("verified_at", ValueRef::Null)];
            rows.update(WATCHED, &[eq("resolution_id", watch.resolution_id)], &set)?;
            settle(rows, watch, ("InProgress", "what showed the change was taken back"), Some("Executed"))
        }
        ("InProgress" | "Assigned", None) => {
            // A scan from before the change does not verify it.
            let details = if row["recommendation"].is_array() {
                &row["recommendation"][0]
            } else {
                &row["recommendation"]
            };
            let scanned = details["scanned_at"].as_str().and_then(parse_timestamp);
            let acted = watch.acted_at.as_deref().and_then(parse_timestamp);
            match (scanned, acted, details["scanned_at"].as_str()) {
                (Some(scanned), Some(acted), Some(day)) if scanned > acted => {
                    let reason = format!("the change was made, and the scan of {day} still finds it");
                    reopen(rows, watch, &reason)
                }
                _ => Ok(()),
            }
        }
        ("Open" | "Dismissed" | "Archive", None) => {
            let message = format!("given up: the recommendation became {}", text(row, "status"));
            end_run(rows, watch, "the recommendation was given up")?;
            rows.delete(WATCHED, &[eq("resolution_id", watch.resolution_id)])?;
            settle(rows, watch, ("Failed", &message), Some("Failed"))
        }
        _ => Ok(()),
    }
}

/// Stores the outcome of an attempt, and of the auto-pilot task that started it.
fn settle(
    rows: &Transaction<'_>,
    watch: &Watch,
    (status, message): (&str, &str),
    task: Option<&str>,
) -> Result<(), Refusal> {
    let system = Caller::system_for(watch.tenant_id);
    let tenant_rows = rows.as_caller(&system);
    let acting = tenant_rows.with_audit_operation(AUDIT_OPERATION, None);
    let now = ValueRef::Timestamp(rows.now());
    let set = [("status", status.into()), ("status_message", message.into()), ("updated_at", now)];
    acting.update("recommendation_resolution", &[eq("id", watch.resolution_id)], &set)?;
    if let (Some(id), Some(status)) = (watch.pilot_task_id, task) {
        let error = (status == "Failed").then_some(message);
        let set = [
            ("status", status.into()),
            ("reason", message.into()),
            ("error", error.into()),
            ("updated_at", now),
        ];
        acting.update("auto_pilot_task", &[eq("id", id)], &set)?;
    }
    Ok(())
}

/// Ends a failed attempt: its recommendation is Open again, with the reason.
fn reopen(rows: &Transaction<'_>, watch: &Watch, reason: &str) -> Result<(), Refusal> {
    rows.delete(WATCHED, &[eq("resolution_id", watch.resolution_id)])?;
    settle(rows, watch, ("Failed", reason), Some("Failed"))?;
    let system = Caller::system_for(watch.tenant_id);
    let tenant_rows = rows.as_caller(&system);
    let acting = tenant_rows.with_audit_operation(AUDIT_OPERATION, None);
    let still = [eq("id", watch.recommendation_id), one_of("status", OPEN_AGAIN.map(Into::into).to_vec())];
    let note = format!("Open again: {reason}");
    let set = [
        ("status", "Open".into()),
        ("note", note.as_str().into()),
        ("updated_at", ValueRef::Timestamp(rows.now())),
    ];
    acting.update("recommendation", &still, &set)?;
    Ok(())
}

/// Updates the attempts whose runs, or whose undo runs, ended.
pub(crate) fn runs_ended(rows: &Transaction<'_>, ends: &[SystemRunEnd]) -> Result<(), Refusal> {
    for end in ends.iter().filter(|end| end.purpose == UNDO) {
        undone(rows, end)?;
    }
    for end in ends.iter().filter(|end| end.purpose == "recommendation") {
        for watch in of(rows, "resolution_id", &[end.purpose_id])? {
            // An import has shown the change, so the outcome of the run no longer matters.
            if watch.verified_at.is_some() {
                continue;
            }
            if end.status == "COMPLETED" && !end.is_refused {
                act(rows, &watch)?;
            } else if end.is_refused && end.status == "COMPLETED" {
                reopen(rows, &watch, "the plan was rejected")?;
            } else {
                let error = end.error.as_deref().unwrap_or("it did not say why");
                reopen(rows, &watch, &format!("the run is {}: {error}", end.status))?;
            }
        }
    }
    Ok(())
}

/// Stores the outcome of a run that undoes a change.
fn undone(rows: &Transaction<'_>, end: &SystemRunEnd) -> Result<(), Refusal> {
    let system = Caller::system_for(end.tenant);
    let tenant_rows = rows.as_caller(&system);
    let acting = tenant_rows.with_audit_operation(AUDIT_OPERATION, None);
    let now = ValueRef::Timestamp(rows.now());
    let say = |status: &[(&str, ValueRef<'_>)], message: &str| {
        let set = [status, &[("status_message", message.into()), ("updated_at", now)]].concat();
        acting.update("recommendation_resolution", &[eq("id", end.purpose_id)], &set).map(drop)
    };
    if end.is_refused {
        return Ok(say(&[], "carried out; taking it back was rejected")?);
    }
    if end.status != "COMPLETED" {
        let error = end.error.as_deref().unwrap_or("it did not say why");
        let message =
            format!("carried out; taking it back is {}, look at what stands now: {error}", end.status);
        return Ok(say(&[], &message)?);
    }
    let look = Look::at(rows, "recommendation_resolution")?.with("id", end.purpose_id)?;
    let Some(advice) = look.first(&["recommendation_id"])?.and_then(|row| uuid(&row, "recommendation_id"))
    else {
        return Ok(());
    };
    for watch in of(rows, "resolution_id", &[end.purpose_id])? {
        reopen(rows, &watch, TAKEN_BACK)?;
    }
    say(&[("status", "Failed".into())], TAKEN_BACK)?;
    let before = ["Assigned", "InProgress", "Closed"].map(Into::into).to_vec();
    let note = format!("Open again: {TAKEN_BACK}");
    let set = [("status", "Open".into()), ("note", note.as_str().into()), ("updated_at", now)];
    acting.update("recommendation", &[eq("id", advice), one_of("status", before)], &set)?;
    Ok(())
}

/// Records that the change was made, as reported by its run or ticket. An import has to verify it.
fn act(rows: &Transaction<'_>, watch: &Watch) -> Result<(), Refusal> {
    let set = [("acted_at", ValueRef::Timestamp(rows.now()))];
    rows.update(WATCHED, &[eq("resolution_id", watch.resolution_id)], &set)?;
    let message = if watch.ticket_id.is_some() {
        "its ticket was closed; waits for an import that shows the change"
    } else if is_pull_request(rows, watch)? {
        "its pull request was merged; waits for an import that shows the change"
    } else {
        "carried out; waits for an import that shows it"
    };
    settle(rows, watch, ("InProgress", message), Some("Executed"))
}

/// Cancels the run of a failed attempt if it is still active.
fn end_run(rows: &Transaction<'_>, watch: &Watch, reason: &str) -> Result<(), Refusal> {
    let Some(run) = watch.execution_id else { return Ok(()) };
    let open = one_of("status", vec!["SCHEDULED".into(), "RUNNING".into()]);
    if rows.count("workflow_execution", &[eq("id", run), open])? > 0 {
        cancel(rows, run, reason)?;
    }
    Ok(())
}

fn is_pull_request(rows: &Transaction<'_>, watch: &Watch) -> Result<bool, Refusal> {
    let known = [eq("id", watch.resolution_id), eq("type", "PullRequest")];
    Ok(rows.count("recommendation_resolution", &known)? > 0)
}

/// Fails attempts whose ticket was rejected by its tracker, and completes those whose local ticket was closed.
pub(crate) fn tickets_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let changed = || -> Result<(), Refusal> {
        for watch in of(rows, "ticket_id", ids)? {
            let columns = ["status", "error_message", "is_new", "integration_id"];
            let look = Look::at(rows, "tickets")?.with("id", watch.ticket_id)?;
            let Some(row) = look.first(&columns)? else { continue };
            let status = text(&row, "status");
            if row["is_new"] == true && status == "Failed" {
                let reason = format!("the tracker did not take the ticket: {}", text(&row, "error_message"));
                reopen(rows, &watch, &reason)?;
                end_run(rows, &watch, &reason)?;
            } else if uuid(&row, "integration_id").is_some_and(|id| id.is_nil())
                && closes(status) == Some(true)
                && watch.verified_at.is_none()
            {
                act(rows, &watch)?;
            }
        }
        Ok(())
    };
    if rows.count(WATCHED, &[])? == 0 { Ok(()) } else { changed().map_err(Refusal::into_error) }
}

/// When the next time limit passes, µs since 1970 UTC.
pub(crate) fn next(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let look = Look::at(rows, WATCHED)?.that("verified_at", Test::IsNull)?.ordered("due_at", false)?.limit(1);
    Ok(look.first(&["due_at"])?.and_then(|row| row["due_at"].as_str().and_then(parse_timestamp)))
}

/// Ends attempts whose time limit has passed.
pub(crate) fn expire(rows: &Transaction<'_>) -> Result<(), Refusal> {
    let over = Test::Compare(Operator::LessOrEqual, Cell::Timestamp(rows.now()));
    let look = Look::at(rows, WATCHED)?.that("due_at", over)?.that("verified_at", Test::IsNull)?;
    for watch in look.rows(&COLUMNS)?.into_iter().map(read).collect::<Result<Vec<Watch>, _>>()? {
        let reason = if watch.acted_at.is_some() {
            "the change was made 30 days ago or less, and no import has shown it since"
        } else {
            "nobody has carried it out within 30 days, as far as imports show"
        };
        end_run(rows, &watch, "its time was over")?;
        reopen(rows, &watch, reason)?;
    }
    Ok(())
}
