//! Undoes a bulk change: restores each event's earlier status unless it was changed since.

use super::{BATCH, MOST_AT_ONCE, status};
use crate::events::status::By;
use crate::kit::{self, Arguments, Look, text, uuid};
use catalogue::{Value, ValueRef, format_timestamp, parse_timestamp};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value as Json;
use store::query::{Operator, Test};
use store::{Transaction, eq};
use uuid::Uuid;

/// States of an operation that is being, or has been, undone.
pub(super) const UNDER_WAY: &str = "undoing";
pub(super) const DONE: &str = "undone";

/// The metadata in an event's history from which an operation can be undone.
#[derive(Serialize)]
struct Note<'a> {
    bulk_operation: Uuid,
    changed_at: String,
    before: Before<'a>,
}

/// The triage status of an event before the change.
#[derive(Serialize)]
struct Before<'a> {
    nb_status: &'a Json,
    nb_status_changed_at: &'a Json,
    nb_status_changed_by: &'a Json,
    snoozed_until: &'a Json,
}

/// The history note of an operation on an event whose earlier state was `before`.
pub(super) fn note(operation: Uuid, now: i64, before: &Json) -> Result<Json, Refusal> {
    let note = Note {
        bulk_operation: operation,
        changed_at: format_timestamp(now),
        before: Before {
            nb_status: &before["nb_status"],
            nb_status_changed_at: &before["nb_status_changed_at"],
            nb_status_changed_by: &before["nb_status_changed_by"],
            snoozed_until: &before["snoozed_until"],
        },
    };
    serde_json::to_value(note).map_err(|error| Refusal::new("unexpected", format!("a note: {error}")))
}

/// How many events an undo restored, and how many it left because they had changed since.
#[derive(Default, Serialize)]
pub(in crate::events) struct Undone {
    events_kept: u64,
    events_put_back: u64,
    status: &'static str,
    success: bool,
}

impl Undone {
    pub(super) fn looked_at(&self) -> u64 {
        self.events_kept + self.events_put_back
    }
}

/// `event_undo_bulk_operation`
pub(in crate::events) fn undo(call: &Call<'_>) -> Result<Undone, Refusal> {
    let id = Arguments(call.arguments).needed_id("job_id")?;
    let found =
        Look::at(call.rows, "event_bulk_operations")?.with("id", id)?.first(&["account_id", "status"])?;
    let job = found.ok_or_else(|| Refusal::not_found(format!("there is no bulk operation {id}")))?;
    kit::account(call, uuid(&job, "account_id").unwrap_or_default())?;
    if [UNDER_WAY, DONE].contains(&text(&job, "status")) {
        return Err(Refusal::conflict("the change was taken back before"));
    }
    let mut undone = Undone { success: true, status: DONE, ..Undone::default() };
    if left(call.rows, id)?.count()? > MOST_AT_ONCE {
        undone.status = UNDER_WAY;
    }
    while undone.status == DONE {
        let some = batch(By::call(call), id)?;
        if some.looked_at() == 0 {
            break;
        }
        undone.events_kept += some.events_kept;
        undone.events_put_back += some.events_put_back;
    }
    // Events that were not changed yet stay unchanged.
    call.rows.update(
        "event_bulk_operations",
        &[eq("id", id)],
        &[("status", undone.status.into()), ("completed_at", ValueRef::Timestamp(call.now))],
    )?;
    Ok(undone)
}

/// History rows of the operation that the undo has not handled yet.
fn left<'a>(rows: &'a Transaction<'a>, operation: Uuid) -> Result<Look<'a>, Refusal> {
    let note = Value::Json(format!("{{\"bulk_operation\":\"{operation}\"}}"));
    let changes = Look::at(rows, "event_history")?.with("change_type", "status")?;
    changes.that("metadata", Test::Compare(Operator::Contains, note))
}

/// Restores one batch of events.
pub(super) fn batch(by: By<'_>, operation: Uuid) -> Result<Undone, Refusal> {
    let look = left(by.rows, operation)?.ordered("id", false)?.limit(BATCH);
    let mut undone = Undone::default();
    for change in look.rows(&["id", "event_id", "new_value", "old_value", "metadata"])? {
        let id = uuid(&change, "event_id").unwrap_or_default();
        let event = Look::at(by.rows, "events")?.with("id", id)?;
        let event =
            event.first(&["cloud_account_id", "nb_status", "nb_status_changed_at"])?.unwrap_or_default();
        let mut note = change["metadata"].clone();
        let is_as_left =
            event["nb_status"] == change["new_value"] && event["nb_status_changed_at"] == note["changed_at"];
        if is_as_left {
            put_back(by, id, &event, &change)?;
            undone.events_put_back += 1;
        } else {
            undone.events_kept += 1;
        }
        // Rename the field so that each row is handled once.
        if let Some(fields) = note.as_object_mut() {
            let operation = fields.remove("bulk_operation").unwrap_or_default();
            fields.insert("undone_bulk_operation".to_owned(), operation);
        }
        let note = note.to_string();
        let row = [eq("id", uuid(&change, "id").unwrap_or_default())];
        by.rows.update("event_history", &row, &[("metadata", ValueRef::Json(&note))])?;
    }
    Ok(undone)
}

fn put_back(by: By<'_>, id: Uuid, event: &Json, change: &Json) -> Result<(), Refusal> {
    let before = &change["metadata"]["before"];
    let time = |name: &str| {
        let time = before[name].as_str().and_then(parse_timestamp);
        time.map_or(ValueRef::Null, ValueRef::Timestamp)
    };
    let sets = [
        ("nb_status", before["nb_status"].as_str().into()),
        ("nb_status_changed_at", time("nb_status_changed_at")),
        ("nb_status_changed_by", uuid(before, "nb_status_changed_by").into()),
        ("snoozed_until", time("snoozed_until")),
        ("updated_at", ValueRef::Timestamp(by.now)),
    ];
    if by.rows.update("events", &[eq("id", id)], &sets)? == 0 {
        return Err(Refusal::denied());
    }
    let event = status::Event {
        id,
        account: uuid(event, "cloud_account_id"),
        status: text(event, "nb_status").to_owned(),
    };
    let values = (&change["new_value"], &change["old_value"]);
    status::history(by, &event, "status", values, "the change of all events that match was taken back", None)
}
