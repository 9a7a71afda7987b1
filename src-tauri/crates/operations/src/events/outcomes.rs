//! Ends attempts to resolve events: when a run ends, a ticket is closed or not accepted, or the event is resolved otherwise.

use super::status::{self, ChangeContext};
use crate::kit::{Look, text, uuid};
use crate::workflows::engine::{SystemRunEnd, cancel_system_run};
use catalogue::{Caller, Value as Cell, ValueRef};
use graphql::Refusal;
use store::{StoreError, Transaction, eq};
use trackers::issues::closes;
use uuid::Uuid;

/// The operation name in the audit trail.
const AUDIT_OPERATION: &str = "event_resolution";
/// Rows per query.
const BATCH: usize = 500;

fn settle(
    rows: &Transaction<'_>,
    tenant: Uuid,
    resolution: Uuid,
    (status, message): (&str, &str),
) -> Result<(), Refusal> {
    let system = Caller::system_for(tenant);
    let acting = rows.as_caller(&system);
    let set = [
        ("status", status.into()),
        ("status_message", message.into()),
        ("updated_at", ValueRef::Timestamp(rows.now())),
    ];
    acting.with_audit_operation(AUDIT_OPERATION, None).update(
        "event_resolution",
        &[eq("id", resolution)],
        &set,
    )?;
    Ok(())
}

/// Ends the attempts whose workflow runs ended.
pub(crate) fn runs_ended(rows: &Transaction<'_>, ends: &[SystemRunEnd]) -> Result<(), Refusal> {
    for end in ends.iter().filter(|end| end.purpose == "event") {
        let known =
            Look::at(rows, "event_resolution")?.with("id", end.purpose_id)?.with("status", "InProgress")?;
        let Some(attempt) = known.first(&["event_id", "type"])? else { continue };
        let Some(event) = uuid(&attempt, "event_id") else { continue };
        if end.status != "COMPLETED" {
            let error = end.error.as_deref().unwrap_or("it did not say why");
            let message = format!("the run is {}: {error}", end.status);
            settle(rows, end.tenant, end.purpose_id, ("Failed", &message))?;
            continue;
        }
        let (said, note) = if text(&attempt, "type") == "Ticket" {
            ("its ticket was closed", "resolved by its ticket")
        } else {
            ("the workflow ended well", "resolved by a workflow")
        };
        settle(rows, end.tenant, end.purpose_id, ("Success", said))?;
        resolve_by_itself(rows, (end.tenant, event), note)?;
    }
    Ok(())
}

/// Sets an event to RESOLVED because its attempt succeeded.
fn resolve_by_itself(
    rows: &Transaction<'_>,
    (tenant, event): (Uuid, Uuid),
    note: &str,
) -> Result<(), Refusal> {
    let system = Caller::system_for(tenant);
    let tenant_rows = rows.as_caller(&system);
    let acting = tenant_rows.with_audit_operation(AUDIT_OPERATION, None);
    let event = status::find(&acting, event)?;
    if event.status != "RESOLVED" {
        let by = ChangeContext { rows: &acting, person: None, now: rows.now() };
        status::set(by, &event, "RESOLVED", None, note)?;
        let over = [("status", "RESOLVED".into()), ("ends_at", ValueRef::Timestamp(rows.now()))];
        acting.update("events", &[eq("id", event.id)], &over)?;
    }
    Ok(())
}

/// Ends the attempts that waited for events which are RESOLVED now.
pub(crate) fn events_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    if rows.count("event_resolution", &[eq("status", "InProgress"), eq("type", "Ticket")])? == 0 {
        return Ok(());
    }
    let changed = || -> Result<(), Refusal> {
        for ids in ids.chunks(BATCH) {
            let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
            let over = Look::at(rows, "events")?.one_of("id", ids)?.with("nb_status", "RESOLVED")?;
            for event in over.rows(&["id", "tenant"])? {
                let (id, tenant) = (uuid(&event, "id"), uuid(&event, "tenant").unwrap_or_default());
                let waiting =
                    Look::at(rows, "event_resolution")?.with("event_id", id)?.with("status", "InProgress")?;
                for row in waiting.with("type", "Ticket")?.rows(&["id"])? {
                    let id = uuid(&row, "id").unwrap_or_default();
                    settle(rows, tenant, id, ("Success", "the event is RESOLVED"))?;
                    cancel_system_run(rows, ("event", id), "the event is RESOLVED")?;
                }
            }
        }
        Ok(())
    };
    changed().map_err(Refusal::into_error)
}

/// Fails attempts whose ticket was rejected by its tracker, and completes those whose local ticket was closed.
pub(crate) fn tickets_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let changed = || -> Result<(), Refusal> {
        let known = ids.iter().map(|id| Cell::Uuid(*id)).collect();
        let columns = ["id", "tenant", "status", "error_message", "is_new", "integration_id"];
        for ticket in Look::at(rows, "tickets")?.one_of("id", known)?.rows(&columns)? {
            let (id, tenant) = (text(&ticket, "id"), uuid(&ticket, "tenant").unwrap_or_default());
            let is_refused = ticket["is_new"] == true && ticket["status"] == "Failed";
            let is_here = uuid(&ticket, "integration_id").is_some_and(|id| id.is_nil());
            let is_closed = is_here && closes(text(&ticket, "status")) == Some(true);
            if !is_refused && !is_closed {
                continue;
            }
            let waiting = Look::at(rows, "event_resolution")?
                .with("type_reference_id", id)?
                .with("status", "InProgress")?;
            for row in waiting.rows(&["id", "event_id"])? {
                let attempt = uuid(&row, "id").unwrap_or_default();
                if is_closed {
                    settle(rows, tenant, attempt, ("Success", "its ticket was closed"))?;
                    let event = uuid(&row, "event_id").unwrap_or_default();
                    resolve_by_itself(rows, (tenant, event), "resolved by its ticket")?;
                    continue;
                }
                let message =
                    format!("the tracker did not take the ticket: {}", text(&ticket, "error_message"));
                settle(rows, tenant, attempt, ("Failed", &message))?;
                cancel_system_run(rows, ("event", attempt), &message)?;
            }
        }
        Ok(())
    };
    changed().map_err(Refusal::into_error)
}
