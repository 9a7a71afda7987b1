//! What becomes of attempts: a run or a ticket ends, an import shows the change or does not, a person decides, or the time is over. An attempt that came to nothing
//! leaves its recommendation Open again, with the reason.

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

/// The table that says what is watched.
pub(crate) const WATCHED: &str = "recommendation_watch";
/// What the audit trail calls it.
pub(super) const HAND: &str = "recommendation_watch";
/// How long an attempt may take until an import shows the change.
const PATIENCE: i64 = 30 * 86_400_000_000;
/// How the note of a recommendation begins that an import closed.
const CLOSED_BY_IMPORT: &str = "Closed by an import:";
/// Why a recommendation is Open whose change was undone.
const TAKEN_BACK: &str = "the change was made, and taken back";
/// Rows that are read at once.
const BATCH: usize = 500;

/// An attempt that begins.
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

/// Watches an attempt.
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

/// Recommendations were written: by an import, by a person, by the undo of an import.
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

/// Everything that is watched.
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
            // A scan from before the change says nothing about it.
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

/// Writes down how an attempt stands, and the task of the auto-pilot that made it.
fn settle(
    rows: &Transaction<'_>,
    watch: &Watch,
    (status, message): (&str, &str),
    task: Option<&str>,
) -> Result<(), Refusal> {
    let house = Caller::house_for(watch.tenant_id);
    let tenant_rows = rows.acting_as(&house);
    let acting = tenant_rows.with_audit_operation(HAND, None);
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

/// An attempt came to nothing: its recommendation is Open again, with the reason.
fn reopen(rows: &Transaction<'_>, watch: &Watch, reason: &str) -> Result<(), Refusal> {
    rows.delete(WATCHED, &[eq("resolution_id", watch.resolution_id)])?;
    settle(rows, watch, ("Failed", reason), Some("Failed"))?;
    let house = Caller::house_for(watch.tenant_id);
    let tenant_rows = rows.acting_as(&house);
    let acting = tenant_rows.with_audit_operation(HAND, None);
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

/// Runs that carried recommendations out, or took that back, are over.
pub(crate) fn runs_ended(rows: &Transaction<'_>, ends: &[SystemRunEnd]) -> Result<(), Refusal> {
    for end in ends.iter().filter(|end| end.purpose == UNDO) {
        undone(rows, end)?;
    }
    for end in ends.iter().filter(|end| end.purpose == "recommendation") {
        for watch in of(rows, "resolution_id", &[end.purpose_id])? {
            // An import has shown the change: what becomes of the run does not matter any more.
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

/// A change was taken back, or was not.
fn undone(rows: &Transaction<'_>, end: &SystemRunEnd) -> Result<(), Refusal> {
    let house = Caller::house_for(end.tenant);
    let tenant_rows = rows.acting_as(&house);
    let acting = tenant_rows.with_audit_operation(HAND, None);
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

/// The change was made, as far as its run or its ticket says: an import has to show it.
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

/// Ends the run of an attempt that came to nothing, where it goes on.
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

/// Tickets were written: one that no tracker takes carries nothing out, and one that is kept here alone does when it is closed.
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

/// When the time of the next attempt is over, µs since 1970 UTC.
pub(crate) fn next(rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
    let look = Look::at(rows, WATCHED)?.that("verified_at", Test::IsNull)?.ordered("due_at", false)?.limit(1);
    Ok(look.first(&["due_at"])?.and_then(|row| row["due_at"].as_str().and_then(parse_timestamp)))
}

/// Ends attempts whose time is over.
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
