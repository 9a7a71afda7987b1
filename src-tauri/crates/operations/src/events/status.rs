//! The triage status of an event.

use crate::kit::{Arguments, Look};
use catalogue::ValueRef;
use graphql::{Call, Refusal};
use model::operations::UpdateNBStatusResponse;
use serde_json::Value as Json;
use store::{Transaction, eq};
use uuid::Uuid;

/// All triage statuses. ACKNOWLEDGED and INVESTIGATING exist for old clients (semantics §7).
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

/// The change type in an event's history for a playbook run.
pub(crate) const PLAYBOOK: &str = "playbook";

/// The fields of an event that a status change needs.
pub(crate) struct Event {
    pub id: Uuid,
    pub account: Option<Uuid>,
    pub status: String,
}

/// The user, transaction and time of a change.
#[derive(Clone, Copy)]
pub(crate) struct By<'a> {
    pub rows: &'a Transaction<'a>,
    /// `None` for the service itself.
    pub person: Option<Uuid>,
    pub now: i64,
}

impl<'a> By<'a> {
    pub(crate) fn call(call: &'a Call<'a>) -> Self {
        Self { rows: call.rows, person: call.caller.user, now: call.now }
    }
}

/// The event, if the caller can see it.
pub(crate) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Event, Refusal> {
    let found = rows.select("events", &["cloud_account_id", "nb_status"], &[eq("id", id)])?;
    let Some([account, status]) = found.first().map(Vec::as_slice) else {
        return Err(Refusal::not_found(format!("there is no event {id}")));
    };
    let status = status.as_text().unwrap_or("OPEN").to_owned();
    Ok(Event { id, account: account.as_uuid(), status })
}

/// Sets the status of an event and writes its history. `until` applies to SNOOZED only.
pub(super) fn set(
    by: By<'_>,
    event: &Event,
    status: &str,
    until: Option<i64>,
    reason: &str,
) -> Result<(), Refusal> {
    set_noted(by, event, status, until, reason, None)
}

/// Like [`set`], with a note in the history.
pub(super) fn set_noted(
    by: By<'_>,
    event: &Event,
    status: &str,
    until: Option<i64>,
    reason: &str,
    note: Option<&Json>,
) -> Result<(), Refusal> {
    let until = until.filter(|_| status == "SNOOZED").map_or(ValueRef::Null, ValueRef::Timestamp);
    let now = ValueRef::Timestamp(by.now);
    let changed = by.rows.update(
        "events",
        &[eq("id", event.id)],
        &[
            ("nb_status", status.into()),
            ("nb_status_changed_at", now),
            ("nb_status_changed_by", by.person.into()),
            ("snoozed_until", until),
            ("updated_at", now),
        ],
    )?;
    if changed == 0 {
        return Err(Refusal::denied());
    }
    history(by, event, "status", (&event.status.as_str().into(), &status.into()), reason, note)
}

/// Writes an entry in the history of an event. Events without an account have no history.
pub(crate) fn history(
    by: By<'_>,
    event: &Event,
    what: &str,
    (old, new): (&Json, &Json),
    reason: &str,
    note: Option<&Json>,
) -> Result<(), Refusal> {
    let Some(account) = event.account else { return Ok(()) };
    let (old, new, note) = (old.to_string(), new.to_string(), note.map(Json::to_string));
    by.rows.insert(
        "event_history",
        &[
            ("cloud_account_id", account.into()),
            ("event_id", event.id.into()),
            ("change_type", what.into()),
            ("change_reason", reason.into()),
            ("changed_by", by.person.into()),
            ("changed_at", ValueRef::Timestamp(by.now)),
            ("old_value", ValueRef::Json(&old)),
            ("new_value", ValueRef::Json(&new)),
            ("metadata", note.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
        ],
    )?;
    Ok(())
}

/// `event_update_nb_status`
pub(super) fn update(call: &Call<'_>) -> Result<UpdateNBStatusResponse, Refusal> {
    let arguments = Arguments(call.arguments);
    let event = find(call.rows, arguments.needed_id("event_id")?)?;
    let status = arguments.word("nb_status", &STATUSES)?.unwrap_or("OPEN");
    let until = arguments.time("snoozed_until")?;
    set(By::call(call), &event, status, until, "status set by a person")?;
    Ok(UpdateNBStatusResponse { success: true, prev_status: event.status, new_status: status.to_owned() })
}

/// The urgencies of an event.
const URGENCIES: [&str; 5] = ["HIGH", "MEDIUM", "LOW", "INFO", "DEBUG"];

/// The columns of an event in the API: API name, column name.
const ROW: [(&str, &str); 37] = [
    ("account_id", "cloud_account_id"),
    ("aggregation_key", "aggregation_key"),
    ("category", "category"),
    ("cluster", "cluster"),
    ("computed_priority", "computed_priority"),
    ("computed_score", "computed_score"),
    ("created_at", "created_at"),
    ("description", "description"),
    ("ends_at", "ends_at"),
    ("evidences", "evidences"),
    ("failure", "failure"),
    ("finding_id", "finding_id"),
    ("finding_type", "finding_type"),
    ("fingerprint", "fingerprint"),
    ("id", "id"),
    ("labels", "labels"),
    ("nb_status", "nb_status"),
    ("nb_status_changed_at", "nb_status_changed_at"),
    ("nb_status_changed_by", "nb_status_changed_by"),
    ("principal", "principal"),
    ("priority", "priority"),
    ("resource_id", "cloud_resource_id"),
    ("score_confidence", "score_confidence"),
    ("score_factors", "score_factors"),
    ("service_key", "service_key"),
    ("source", "source"),
    ("starts_at", "starts_at"),
    ("status", "status"),
    ("subject_name", "subject_name"),
    ("subject_namespace", "subject_namespace"),
    ("subject_node", "subject_node"),
    ("subject_owner", "subject_owner"),
    ("subject_type", "subject_type"),
    ("tenant_id", "tenant"),
    ("title", "title"),
    ("updated_at", "updated_at"),
    ("urgency", "urgency"),
];

/// `event_update`
pub(super) fn update_urgency(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let event = find(call.rows, request.needed_id("event_id")?)?;
    let urgency = request.word("urgency", &URGENCIES)?.unwrap_or("LOW");
    let look = || Look::at(call.rows, "events")?.with("id", event.id);
    let before = look()?.first(&["urgency"])?.unwrap_or_default();
    let now = ValueRef::Timestamp(call.now);
    let sets = [("urgency", urgency.into()), ("updated_at", now)];
    if call.rows.update("events", &[eq("id", event.id)], &sets)? == 0 {
        return Err(Refusal::denied());
    }
    history(
        By::call(call),
        &event,
        "urgency",
        (&before["urgency"], &urgency.into()),
        "urgency set by a person",
        None,
    )?;
    let columns: Vec<&str> = ROW.iter().map(|(_, column)| *column).collect();
    let found = look()?.first(&columns)?.unwrap_or_default();
    let mut row = serde_json::Map::new();
    for (name, column) in ROW {
        let value = &found[column];
        // The API has these JSON columns as text.
        let as_text = matches!(name, "evidences" | "labels") && !value.is_null();
        row.insert(name.to_owned(), if as_text { value.to_string().into() } else { value.clone() });
    }
    Ok(Json::Object(row))
}
