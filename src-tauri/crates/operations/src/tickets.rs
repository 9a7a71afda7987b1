//! Tickets: kept here, and handed to a tracker when one is connected.

use crate::Function;
use crate::kit::{Arguments, Look, account, person, tenant, text, uuid};
use catalogue::{Caller, ValueRef};
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use store::eq;
use uuid::Uuid;

pub(crate) const FIELDS: &[(&str, Function)] = &[("tickets_insert_one", insert)];

/// Where tickets go that no tracker takes.
const HERE: &str = "quarterdeck";

fn insert(call: &Call<'_>) -> Result<Value, Refusal> {
    let object = Arguments(call.arguments).object("object");
    let title = object.needed("title")?;
    let account = object.id("account_id")?.map(|id| account(call, id)).transpose()?;
    let source = source(call, object.text("source"))?;
    let tracker = tracker(call, object.id("integration_id")?)?;
    let number = next_number(call)?;
    let id = Uuid::new_v4();
    let (platform, status) = match &tracker {
        Some(tracker) => (text(tracker, "tool"), "Pending"),
        None => (HERE, "Open"),
    };
    let integration = tracker.as_ref().and_then(|row| uuid(row, "id")).unwrap_or_default();
    let mut row = vec![
        ("id", id.into()),
        ("account_id", account.into()),
        ("description", object.text("description").into()),
        ("integration_id", integration.into()),
        ("is_new", tracker.is_some().into()),
        ("platform", platform.into()),
        ("reference_id", number.as_str().into()),
        ("severity", object.text("severity").into()),
        ("source", source.into()),
        ("status", status.into()),
        ("ticket_id", number.as_str().into()),
        ("ticket_type", "Task".into()),
        ("title", title.into()),
        ("created_by", person(call)?.into()),
        ("created_at", ValueRef::Timestamp(call.now)),
        ("updated_at", ValueRef::Timestamp(call.now)),
    ];
    if let Some(project) = object.text("project_key").filter(|key| !key.trim().is_empty()) {
        row.push(("project_key", project.into()));
    }
    call.rows.insert("tickets", &row)?;
    let message = match &tracker {
        Some(tracker) => format!(
            "The ticket is kept as {number} and waits for {} ({platform}). \
             This version of Quarterdeck does not send tickets to trackers yet.",
            text(tracker, "name")
        ),
        None => format!(
            "The ticket is kept as {number} here only: no tracker is connected to this tenant. \
             An administrator connects one by adding a row to jira_configurations."
        ),
    };
    let row = json!({ "id": id.to_string(), "ticket_id": number, "message": message });
    Ok(json!({ "data": { "insert_tickets_one": row } }))
}

/// The tracker named, or the only active one; `None` when none is connected.
fn tracker(call: &Call<'_>, id: Option<Uuid>) -> Result<Option<Value>, Refusal> {
    // Connections belong to the tenant as a whole: an account's administrator uses them without reading them.
    let house = Caller::house_for(tenant(call)?);
    let rows = call.rows.acting_as(&house);
    let found = Look::at(&rows, "jira_configurations")?.with("is_active", true)?.ordered("name", false)?;
    let mut found = found.rows(&["id", "name", "tool"])?;
    match id {
        Some(id) => match found.iter().position(|row| uuid(row, "id") == Some(id)) {
            Some(place) => Ok(Some(found.swap_remove(place))),
            None => Err(Refusal::not_found(format!(
                "there is no active tracker {id} in this tenant: leave `integration_id` out to keep the ticket here"
            ))),
        },
        None if found.len() > 1 => {
            let known: Vec<String> =
                found.iter().map(|row| format!("{} ({})", text(row, "id"), text(row, "name"))).collect();
            Err(Refusal::invalid(format!(
                "`integration_id` is missing, and several trackers are connected: expected one of {}",
                known.join(", ")
            )))
        }
        None => Ok(found.pop()),
    }
}

/// What the ticket was opened from, as the list of sources has it.
fn source<'a>(call: &'a Call<'_>, given: Option<&'a str>) -> Result<&'a str, Refusal> {
    let given = given.filter(|text| !text.is_empty()).unwrap_or("ui");
    let known = call.rows.catalogue().enum_values("ticket_source_type_enum").unwrap_or_default();
    let known: Vec<&str> = known.iter().map(|known| known.value.as_str()).collect();
    if known.contains(&given) {
        return Ok(given);
    }
    Err(Refusal::invalid(format!("`source` is \"{given}\": expected one of {}", known.join(", "))))
}

/// Tickets of a tenant are counted from 1.
fn next_number(call: &Call<'_>) -> Result<String, Refusal> {
    let house = Caller::house_for(tenant(call)?);
    let rows = call.rows.acting_as(&house);
    let mut number = rows.count("tickets", &[])? + 1;
    // Tickets may have been removed.
    loop {
        let name = format!("QD-{number}");
        if rows.count("tickets", &[eq("reference_id", name.as_str())])? == 0 {
            return Ok(name);
        }
        number += 1;
    }
}
