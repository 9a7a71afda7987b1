//! The triage status of an event.

use crate::kit::Arguments;
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use store::{Transaction, eq};
use uuid::Uuid;

/// Every status triage knows; ACKNOWLEDGED and INVESTIGATING are kept for old clients (semantics §7).
pub(super) const STATUSES: [&str; 9] = [
    "OPEN",
    "ACKNOWLEDGED",
    "INVESTIGATING",
    "ACTION_REQUIRED",
    "SNOOZED",
    "SUPPRESSED",
    "DROPPED",
    "DUPLICATE",
    "RESOLVED",
];

/// What a change of status needs to know of an event.
pub(super) struct Event {
    pub id: Uuid,
    pub account: Option<Uuid>,
    pub status: String,
}

/// The event, if the caller meets it.
pub(super) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Event, Refusal> {
    let found = rows.select("events", &["cloud_account_id", "nb_status"], &[eq("id", id)])?;
    let Some([account, status]) = found.first().map(Vec::as_slice) else {
        return Err(Refusal::not_found(format!("there is no event {id}")));
    };
    let status = status.as_text().unwrap_or("OPEN").to_owned();
    Ok(Event { id, account: account.as_uuid(), status })
}

/// Moves an event to a status and writes its history; the status it had. `until` counts for SNOOZED only.
pub(super) fn set(
    call: &Call<'_>,
    event: &Event,
    status: &str,
    until: Option<i64>,
    reason: &str,
) -> Result<(), Refusal> {
    let until = until.filter(|_| status == "SNOOZED").map_or(ValueRef::Null, ValueRef::Timestamp);
    let now = ValueRef::Timestamp(call.now);
    let changed = call.rows.update(
        "events",
        &[eq("id", event.id)],
        &[
            ("nb_status", status.into()),
            ("nb_status_changed_at", now),
            ("nb_status_changed_by", call.caller.user.into()),
            ("snoozed_until", until),
            ("updated_at", now),
        ],
    )?;
    if changed == 0 {
        return Err(Refusal::denied());
    }
    let Some(account) = event.account else { return Ok(()) };
    let (old, new) = (json!(event.status).to_string(), json!(status).to_string());
    call.rows.insert(
        "event_history",
        &[
            ("cloud_account_id", account.into()),
            ("event_id", event.id.into()),
            ("change_type", "status".into()),
            ("change_reason", reason.into()),
            ("changed_by", call.caller.user.into()),
            ("changed_at", now),
            ("old_value", ValueRef::Json(&old)),
            ("new_value", ValueRef::Json(&new)),
        ],
    )?;
    Ok(())
}

/// `event_update_nb_status`
pub(super) fn update(call: &Call<'_>) -> Result<Json, Refusal> {
    let arguments = Arguments(call.arguments);
    let event = find(call.rows, arguments.needed_id("event_id")?)?;
    let status = arguments.word("nb_status", &STATUSES)?.unwrap_or("OPEN");
    let until = arguments.time("snoozed_until")?;
    set(call, &event, status, until, "status set by a person")?;
    Ok(json!({ "success": true, "prev_status": event.status, "new_status": status }))
}
