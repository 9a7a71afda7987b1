//! Opens tickets: stores them, and schedules them for sending if a tracker is connected.

use super::connection::{self, Connection};
use super::existing::named as named_tracker;
use super::{Trackers, sending};
use crate::kit::{Arguments, reply};
use catalogue::{Caller, ValueRef};
use graphql::{Call, PreTransactionCall, Refusal};
use model::operations::{InsertTicketOneResp, TicketInsertDataResp, TicketsInsertOneOutput};
use serde_json::Value;
use store::{Transaction, eq};
use uuid::Uuid;

/// The tool name of tickets that are not sent to a tracker.
const LOCAL_TOOL: &str = "quarterdeck";
/// The columns read for the response.
const RESPONSE_COLUMNS: [&str; 6] = ["reference_id", "ticket_id", "url", "status", "error_message", "is_new"];

/// Handles `tickets_insert_one` if no tracker is connected or the request chooses none.
pub(super) fn insert_in_request(call: &Call<'_>) -> Result<Value, Refusal> {
    let object = Arguments(call.arguments).object("object");
    let chosen = chosen_tracker(call.rows, object)?;
    let id = store_ticket(call.rows, object, chosen.as_ref())?;
    answer(call.rows, id, chosen.as_ref())
}

/// Handles `tickets_insert_one` with a tracker. The ticket is stored and sent before the request's
/// transaction, because a transaction must not wait for a tracker. `None` if no tracker is chosen.
pub(super) fn insert_and_send(
    ahead: &PreTransactionCall<'_>,
    trackers: &dyn Trackers,
) -> Option<Result<Value, Refusal>> {
    let object = Arguments(ahead.arguments).object("object");
    let store = ahead.engine.store();
    // Errors, and tickets without a tracker, are handled inside the request ([`here`]).
    let connection = store.snapshot(ahead.caller, |rows| chosen_tracker(rows, object)).ok().flatten()?;
    let sent = || {
        let id = store.transaction(ahead.caller, |rows| {
            store_ticket(&rows.with_audit_operation(ahead.name, ahead.caller.user), object, Some(&connection))
        })?;
        trackers.send_soon(id);
        store.snapshot(ahead.caller, |rows| answer(rows, id, Some(&connection)))
    };
    Some(sent())
}

/// Opens a ticket inside the transaction of a workflow run. It does not wait for the tracker; the ticket is sent later.
pub(super) fn insert_for_run(rows: &Transaction<'_>, object: Arguments<'_>) -> Result<Value, Refusal> {
    let named = object.text("integration_id").map(str::trim).filter(|name| !name.is_empty());
    let chosen = match named.filter(|name| Uuid::parse_str(name).is_err()) {
        // Workflow definitions may name a tracker by its name.
        Some(name) => {
            let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
            let connection = named_tracker(&rows.as_caller(&system), name)?;
            connection.check_sending()?;
            Some(connection)
        }
        None => chosen_tracker(rows, object)?,
    };
    let id = store_ticket(rows, object, chosen.as_ref())?;
    answer(rows, id, chosen.as_ref())
}

/// Stores the ticket and schedules it for sending.
fn store_ticket(
    rows: &Transaction<'_>,
    object: Arguments<'_>,
    connection: Option<&Connection>,
) -> Result<Uuid, Refusal> {
    let caller = rows.caller();
    let title = object.needed("title")?;
    let account = object.id("account_id")?;
    if let Some(id) = account
        && rows.count("cloud_accounts", &[eq("id", id)])? == 0
    {
        return Err(Refusal::not_found(format!("there is no account {id} that you may see")));
    }
    let source = source(rows, object.text("source"))?;
    let project = match connection {
        Some(connection) => Some(connection.project_for(object.text("project_key"))?),
        None => object.text("project_key").filter(|key| !key.trim().is_empty()).map(str::to_owned),
    };
    let number = next_number(rows)?;
    let id = Uuid::new_v4();
    let mut row = vec![
        ("id", id.into()),
        ("account_id", account.into()),
        ("description", object.text("description").into()),
        ("integration_id", connection.map(|known| known.id).unwrap_or_default().into()),
        ("is_new", connection.is_some().into()),
        ("platform", connection.map_or(LOCAL_TOOL, |known| known.tool.as_str()).into()),
        ("reference_id", number.as_str().into()),
        ("severity", object.text("severity").into()),
        ("source", source.into()),
        ("status", if connection.is_some() { sending::PENDING } else { "Open" }.into()),
        ("ticket_id", number.as_str().into()),
        ("ticket_type", "Task".into()),
        ("title", title.into()),
        ("created_by", caller.user.ok_or_else(Refusal::denied)?.into()),
        ("created_at", ValueRef::Timestamp(rows.now())),
        ("updated_at", ValueRef::Timestamp(rows.now())),
    ];
    row.extend(project.as_deref().map(|project| ("project_key", project.into())));
    rows.insert("tickets", &row)?;
    if let Some(connection) = connection {
        sending::schedule(rows, id, connection.id, 0)?;
    }
    Ok(id)
}

/// Whether the ticket is not meant for any tracker.
pub(super) fn is_local(rows: &Transaction<'_>, id: Uuid) -> Result<bool, Refusal> {
    Ok(rows.count("tickets", &[eq("id", id), eq("integration_id", Uuid::nil())])? > 0)
}

/// Builds the response: the current state of the ticket and a message that explains it.
fn answer(rows: &Transaction<'_>, id: Uuid, connection: Option<&Connection>) -> Result<Value, Refusal> {
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let found = rows
        .as_caller(&system)
        .select("tickets", &RESPONSE_COLUMNS, &[eq("id", id)])?
        .pop()
        .unwrap_or_default();
    let cell =
        |place: usize| found.get(place).and_then(catalogue::Value::as_text).filter(|text| !text.is_empty());
    let (number, ticket_id, url, status, error) =
        (cell(0).unwrap_or_default(), cell(1).unwrap_or_default(), cell(2), cell(3), cell(4));
    let is_new = found.get(5) == Some(&catalogue::Value::Bool(true));
    let message = match (connection, error) {
        (None, _) => format!(
            "The ticket is kept as {number} here only: no tracker has it. \
             An administrator connects one in Settings, Ticket trackers."
        ),
        (Some(connection), _) if !is_new => format!("The ticket is {ticket_id} in {}.", connection.title()),
        (Some(_), Some(error)) if status == Some(sending::FAILED) => format!(
            "The ticket is kept as {number}, and the tracker does not take it: {error} \
             It is sent again when an administrator saves the tracker in Settings, Ticket trackers."
        ),
        (Some(connection), Some(error)) => format!(
            "The ticket is kept as {number} and waits for {}: {error} It is tried again until it is there.",
            connection.title()
        ),
        (Some(connection), None) => format!(
            "The ticket is kept as {number} and on its way to {}, which has not answered yet. \
             It is tried again until it is there.",
            connection.title()
        ),
    };
    let error = error.filter(|_| status == Some(sending::FAILED));
    let insert_tickets_one = InsertTicketOneResp {
        action: None,
        error: error.map(str::to_owned),
        id: Some(id),
        message: Some(message),
        ticket_id: Some(ticket_id.to_owned()),
        url: url.map(str::to_owned),
    };
    reply(&TicketsInsertOneOutput { data: TicketInsertDataResp { insert_tickets_one } })
}

/// The tracker named in the request, or the only active one. `None` if none is connected or the request chooses none.
fn chosen_tracker(rows: &Transaction<'_>, object: Arguments<'_>) -> Result<Option<Connection>, Refusal> {
    let id = object.id("integration_id")?;
    if id == Some(Uuid::nil()) {
        return Ok(None);
    }
    // Connections belong to the tenant: an account administrator may use them without being able to read them.
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let mut found = connection::active(&rows.as_caller(&system))?;
    let connection = match id {
        Some(id) => match found.iter().position(|known| known.id == id) {
            Some(place) => found.swap_remove(place),
            None => {
                return Err(Refusal::not_found(format!(
                    "there is no active tracker {id} in this tenant: leave `integration_id` out to keep the ticket here"
                )));
            }
        },
        None if found.len() > 1 => {
            let known: Vec<String> =
                found.iter().map(|known| format!("{} ({})", known.id, known.name)).collect();
            return Err(Refusal::invalid(format!(
                "`integration_id` is missing, and several trackers are connected: expected one of {}",
                known.join(", ")
            )));
        }
        None => match found.pop() {
            Some(connection) => connection,
            None => return Ok(None),
        },
    };
    connection.check_sending()?;
    Ok(Some(connection))
}

/// The source of the ticket, checked against the list of allowed sources.
fn source<'a>(rows: &'a Transaction<'_>, given: Option<&'a str>) -> Result<&'a str, Refusal> {
    let given = given.filter(|text| !text.is_empty()).unwrap_or("ui");
    let known = rows.catalogue().enum_values("ticket_source_type_enum").unwrap_or_default();
    let known: Vec<&str> = known.iter().map(|known| known.value.as_str()).collect();
    if known.contains(&given) {
        return Ok(given);
    }
    Err(Refusal::invalid(format!("`source` is \"{given}\": expected one of {}", known.join(", "))))
}

/// The next ticket number of the tenant. Numbers start at 1.
fn next_number(rows: &Transaction<'_>) -> Result<String, Refusal> {
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let rows = rows.as_caller(&system);
    let mut number = rows.count("tickets", &[])? + 1;
    // Tickets may have been removed, then the count is lower than the last number.
    loop {
        let name = format!("QD-{number}");
        if rows.count("tickets", &[eq("reference_id", name.as_str())])? == 0 {
            return Ok(name);
        }
        number += 1;
    }
}
