//! Tickets: stored here, and sent to a tracker if one is connected.
//!
//! The state of tickets to send is in the database (`ticket_sending`). A sender first claims a ticket for a limited
//! time. Therefore two services on one database do not send the same ticket, and a ticket whose sender was killed
//! is retried. Because the tracker may already have it by then, a retry searches for the ticket before opening it.
//! This module does no network calls: the service sends what it [claimed](claim) and [settles](settle) the result.

mod connection;
mod existing;
mod insert;
mod sending;
mod tracker_access;

pub(crate) use existing::{LocalTicketEdit, TicketName, edit_local, locate};
pub use existing::{TicketLocation, TicketTarget};
pub use sending::{LEASE, SENDING, Sending, claim, extend_claim, is_connected, next as next_sending, settle};
pub use tracker_access::{NoTrackers, Trackers};

use crate::kit::{Arguments, refuse_inside_request};
use crate::{Function, TrackerFunction};
use catalogue::Caller;
use graphql::Refusal;
use serde_json::{Map, Value};
use store::Transaction;
use uuid::Uuid;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("tickets_insert_one", insert::insert_in_request),
    ("ticket_integration_create_config", refuse_inside_request),
    ("ticket_check_connection_by_config", refuse_inside_request),
];

pub(crate) const PRE_TRANSACTION_FIELDS: &[(&str, TrackerFunction)] = &[
    ("tickets_insert_one", insert::insert_and_send),
    ("ticket_integration_create_config", |ahead, trackers| Some(connection::save(ahead, trackers))),
    ("ticket_check_connection_by_config", |ahead, trackers| Some(connection::check(ahead, trackers))),
];

/// Opens a ticket in the transaction of a workflow run; it is sent to a tracker afterwards.
pub(crate) fn open_for_run(rows: &Transaction<'_>, object: &Map<String, Value>) -> Result<Value, Refusal> {
    insert::insert_for_run(rows, Arguments(object))
}

/// A ticket to be opened by another module.
pub(crate) struct TicketDraft<'a> {
    pub title: &'a str,
    pub description: &'a str,
    pub account: Uuid,
    /// The tracker's connection id. By default the only connected tracker, if any.
    pub integration: Option<Uuid>,
    /// The project in the tracker. By default the tracker's own.
    pub project: Option<&'a str>,
    pub severity: Option<&'a str>,
    pub source: &'a str,
}

/// A ticket that was opened.
pub(crate) struct TicketRef {
    pub id: Uuid,
    pub message: String,
    /// Whether the ticket exists only in this database.
    pub is_local: bool,
}

/// Opens a ticket in the caller's transaction; it is sent to a tracker afterwards.
pub(crate) fn open(rows: &Transaction<'_>, wanted: &TicketDraft<'_>) -> Result<TicketRef, Refusal> {
    let mut object = Map::new();
    for (name, value) in
        [("title", wanted.title), ("description", wanted.description), ("source", wanted.source)]
    {
        object.insert(name.to_owned(), Value::from(value));
    }
    object.insert("account_id".to_owned(), Value::String(wanted.account.to_string()));
    if let Some(id) = wanted.integration {
        object.insert("integration_id".to_owned(), Value::String(id.to_string()));
    }
    for (name, value) in [("project_key", wanted.project), ("severity", wanted.severity)] {
        object.extend(value.map(|value| (name.to_owned(), Value::from(value))));
    }
    let answer = insert::insert_for_run(rows, Arguments(&object))?;
    let row = &answer["data"]["insert_tickets_one"];
    let id = crate::kit::uuid(row, "id").ok_or_else(Refusal::denied)?;
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let is_local = insert::is_local(&rows.as_caller(&system), id)?;
    Ok(TicketRef { id, message: crate::kit::text(row, "message").to_owned(), is_local })
}

/// A connected tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConnectedTracker {
    pub id: Uuid,
    pub tool: String,
    /// The display name.
    pub name: String,
}

impl ConnectedTracker {
    /// The tracker with name, tool and id, for messages that must distinguish trackers.
    pub(crate) fn describe(&self) -> String {
        format!("{} ({}): {}", self.name, self.tool, self.id)
    }

    /// Whether `wanted` is the name or the id of this tracker.
    pub(crate) fn is_named(&self, wanted: &str) -> bool {
        let id = Uuid::parse_str(wanted).ok();
        id.map_or_else(|| self.name.eq_ignore_ascii_case(wanted), |id| self.id == id)
    }
}

/// Lists trackers for messages.
pub(crate) fn list_of(trackers: &[ConnectedTracker]) -> String {
    trackers.iter().map(ConnectedTracker::describe).collect::<Vec<_>>().join(", ")
}

/// The connected trackers, sorted by name.
pub(crate) fn connected(rows: &Transaction<'_>) -> Result<Vec<ConnectedTracker>, Refusal> {
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let known = connection::active(&rows.as_caller(&system))?;
    Ok(known.into_iter().map(|one| ConnectedTracker { id: one.id, tool: one.tool, name: one.name }).collect())
}

/// The id of the only connected tracker of that tool.
///
/// # Errors
/// There is no such tracker, or there are several; then the message lists them. `naming` is the field in which to name one.
pub(crate) fn of_tool(rows: &Transaction<'_>, tool: &str, naming: &str) -> Result<Uuid, Refusal> {
    let mut known = connected(rows)?;
    known.retain(|one| one.tool == tool);
    match known.as_slice() {
        [one] => Ok(one.id),
        [] => Err(Refusal::conflict(format!(
            "no tracker of type {tool} is connected: an administrator connects one in Settings, Ticket trackers; `ticket` keeps the ticket here"
        ))),
        several => Err(Refusal::conflict(format!(
            "several trackers of type {tool} are connected: name one in `{naming}` ({})",
            list_of(several)
        ))),
    }
}

/// Returns the reason why [`open`] would refuse a ticket for this tracker (or for the only connected one); `None` if
/// it would not. Without a connected tracker, tickets are stored here. `project` is the project that the ticket names.
pub(crate) fn reason_not_usable(
    rows: &Transaction<'_>,
    tracker: Option<Uuid>,
    project: Option<&str>,
) -> Result<Option<String>, Refusal> {
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let known = connection::active(&rows.as_caller(&system))?;
    match (tracker, known.as_slice()) {
        (Some(id), _) => {
            Ok(known.iter().find(|one| one.id == id).and_then(|one| one.reason_not_usable(project)))
        }
        (None, [one]) => Ok(one.reason_not_usable(project)),
        (None, []) => Ok(None),
        (None, _) => {
            let names = list_of(&connected(rows)?);
            Ok(Some(format!(
                "several trackers are connected: take the way of one of them, or give `provider_config.integration_id` ({names})"
            )))
        }
    }
}
