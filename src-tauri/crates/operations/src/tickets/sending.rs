//! Sends tickets: each is claimed by one sender at a time, settled with the result, and retried on failure.

use super::connection::{self, Connection};
use super::tracker_access::Trackers;
use crate::kit::{Look, uuid};
use catalogue::{Caller, ValueRef, parse_timestamp};
use graphql::Refusal;
use model::tables::{ticket_sending, tickets};
use model::{Read, TicketSending, row};
use std::time::Duration;
use store::{Store, StoreError, Transaction, eq};
use trackers::{BACKOFF, Failure, OpenedTicket, Ticket, Tracker};
use uuid::Uuid;

/// The table of tickets that are waiting to be sent.
pub const SENDING: &str = "ticket_sending";
pub(super) const PENDING: &str = "Pending";
pub(super) const FAILED: &str = "Failed";
/// The operation name in the audit trail.
const AUDIT_OPERATION: &str = "ticket_sending";
/// A sender that has neither settled nor [extended](extend_claim) its claim for this time is assumed to have stopped.
pub const LEASE: Duration = Duration::from_secs(30);
/// How long sending is retried.
const MAX_RETRY_TIME: Duration = Duration::from_hours(72);

row! { struct TicketId from tickets { id } }
row! { struct TicketContent from tickets { title, description, project_key, ticket_type, severity, created_at } }
row! { struct Claim from ticket_sending { claim } }
row! { struct DueTicket from ticket_sending { ticket, due_at } }

/// A ticket claimed for sending.
pub struct Sending {
    ticket: Uuid,
    tenant: Uuid,
    integration: Uuid,
    claim: Uuid,
    /// Number of earlier attempts.
    tries: u32,
    opened_at: i64,
    /// The ticket to send; `None` if it was removed.
    content: Option<Ticket>,
    /// The tracker to send to; `None` if it was removed.
    connection: Option<Connection>,
}

/// The tracker, the ticket, and whether an earlier attempt may already have created it.
type Work<'s> = (Tracker, &'s Ticket, bool);

impl Sending {
    /// The tenant that owns the ticket.
    pub fn tenant(&self) -> Uuid {
        self.tenant
    }

    /// Returns the ticket to send and its tracker. Blocks while reading the key from the keyring.
    pub fn work(&self, trackers: &dyn Trackers) -> Result<Work<'_>, Failure> {
        let gone =
            |what: &str| Failure::lasting(format!("The {what} was removed before the ticket was sent."));
        let connection = self.connection.as_ref().ok_or_else(|| gone("tracker"))?;
        if let Some(inactive_failure) = connection.inactive_failure() {
            return Err(inactive_failure);
        }
        let content = self.content.as_ref().ok_or_else(|| gone("ticket"))?;
        Ok((connection.tracker(trackers)?, content, self.tries > 0))
    }
}

/// Schedules a ticket to be sent immediately. `tries` is the number of earlier attempts.
pub(super) fn schedule(
    rows: &Transaction<'_>,
    ticket: Uuid,
    integration: Uuid,
    tries: i64,
) -> Result<(), StoreError> {
    let (house, tenant) = (Caller::system(), rows.caller().tenant().unwrap_or_default());
    let row = [
        ("ticket", ticket.into()),
        ("tenant", tenant.into()),
        ("integration", integration.into()),
        ("tries", tries.into()),
        ("due_at", ValueRef::Timestamp(rows.now())),
        ("claim", ValueRef::Null),
        ("opened_at", ValueRef::Timestamp(rows.now())),
    ];
    rows.without_actor().as_caller(&house).upsert(SENDING, &["ticket"], &row, &[])
}

/// Schedules all tickets that failed for this tracker to be sent again.
pub(super) fn reschedule_failed(rows: &Transaction<'_>, integration: Uuid) -> Result<(), StoreError> {
    let failed = tickets::integration_id.eq(integration);
    let failed = failed.and(tickets::status.eq(FAILED)).and(tickets::is_new.eq(true));
    for row in rows.query::<TicketId>().filter(failed).rows()? {
        let ticket = row.id.uuid();
        let set = [("status", PENDING.into()), ("updated_at", ValueRef::Timestamp(rows.now()))];
        rows.update("tickets", &[eq("id", ticket)], &set)?;
        schedule(rows, ticket, integration, 1)?;
    }
    Ok(())
}

/// When the next ticket is due, µs since 1970 UTC.
pub fn next(store: &Store) -> Result<Option<i64>, StoreError> {
    store
        .snapshot(&Caller::system(), |rows| Ok(first(rows)?.map(|(_, due)| due)))
        .map_err(Refusal::into_error)
}

/// Whether any tracker is connected. If so, other processes may write tickets to be sent.
pub fn is_connected(store: &Store) -> Result<bool, StoreError> {
    store.snapshot(&Caller::system(), |rows| Ok(!connection::active(rows)?.is_empty()))
}

fn first(rows: &Transaction<'_>) -> Result<Option<(Uuid, i64)>, Refusal> {
    let first = Look::at(rows, SENDING)?.ordered("due_at", false)?.limit(1).rows(&["ticket", "due_at"])?;
    let read =
        |row: &serde_json::Value| Some((uuid(row, "ticket")?, parse_timestamp(row["due_at"].as_str()?)?));
    Ok(first.first().and_then(read))
}

/// Claims a due ticket (this one or the first) to keep other senders from taking it for a while. `claim` is a new random id. Blocks.
pub fn claim(store: &Store, which: Option<Uuid>, claim: Uuid) -> Result<Option<Sending>, StoreError> {
    let claimed = store.transaction(&Caller::system(), |rows| {
        let which = match which {
            Some(ticket) => ticket,
            None => match first(rows)? {
                Some((ticket, due)) if due <= rows.now() => ticket,
                _ => return Ok(None),
            },
        };
        let Some(row) = rows.find::<TicketSending>(which)?.filter(|row| row.due_at.micros() <= rows.now())
        else {
            return Ok(None);
        };
        let set = [
            ("tries", ValueRef::Int(row.tries + 1)),
            ("due_at", ValueRef::Timestamp(rows.now() + micros(LEASE))),
            ("claim", claim.into()),
        ];
        rows.update(SENDING, &[eq("ticket", which)], &set)?;
        let (tenant, integration) = (row.tenant.uuid(), row.integration);
        let system = Caller::system_for(tenant);
        let rows = rows.as_caller(&system);
        Ok(Some(Sending {
            ticket: which,
            tenant,
            integration,
            claim,
            tries: u32::try_from(row.tries).unwrap_or(u32::MAX),
            opened_at: row.opened_at.micros(),
            content: content(&rows, which)?,
            connection: connection::find(&rows, integration)?,
        }))
    });
    claimed.map_err(Refusal::into_error)
}

/// Extends the claim while sending continues. Blocks.
pub fn extend_claim(store: &Store, sending: &Sending) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::system(), |rows| {
        let ours = [eq("ticket", sending.ticket), eq("claim", sending.claim)];
        let until = ValueRef::Timestamp(rows.now() + micros(LEASE));
        rows.update(SENDING, &ours, &[("due_at", until)]).map(|_| ())
    })
}

fn content(rows: &Transaction<'_>, id: Uuid) -> Result<Option<Ticket>, StoreError> {
    Ok(rows.find::<TicketContent>(id)?.map(|row| Ticket {
        marker: format!("quarterdeck-{id}"),
        title: row.title,
        description: row.description.unwrap_or_default(),
        project: row.project_key,
        kind: row.ticket_type,
        severity: row.severity.filter(|severity| !severity.is_empty()),
        opened_at: row.created_at.micros(),
    }))
}

/// Stores the result of sending: the tracker's number, address and state, or the error and the time of the next attempt.
/// `chance` (0 to 1) adds jitter to the retry time. If the sender's claim has expired, only a success is stored. Blocks.
pub fn settle(
    store: &Store,
    sending: &Sending,
    outcome: &Result<OpenedTicket, Failure>,
    chance: f64,
) -> Result<(), StoreError> {
    store.transaction(&Caller::system(), |house_rows| {
        let known = house_rows.find::<Claim>(sending.ticket)?;
        let is_ours = known.as_ref().is_some_and(|known| known.claim == Some(sending.claim));
        if known.is_none() || !is_ours && outcome.is_err() {
            return Ok(());
        }
        let system = Caller::system_for(sending.tenant);
        let tenant_rows = house_rows.as_caller(&system);
        let (rows, now) = (tenant_rows.with_audit_operation(AUDIT_OPERATION, None), house_rows.now());
        let done = || house_rows.delete(SENDING, &[eq("ticket", sending.ticket)]).map(|_| ());
        let set = |cells: &[(&str, ValueRef<'_>)]| {
            rows.update("tickets", &[eq("id", sending.ticket)], cells).map(|_| ())
        };
        match outcome {
            Ok(opened) => {
                set(&[
                    ("ticket_id", opened.ticket_id.as_str().into()),
                    ("url", opened.url.as_str().into()),
                    ("status", opened.status.as_str().into()),
                    ("error_message", ValueRef::Null),
                    ("is_new", false.into()),
                    ("updated_at", ValueRef::Timestamp(opened.updated_at.unwrap_or(now))),
                ])?;
                done()
            }
            Err(failure) if failure.is_final || now - sending.opened_at > micros(MAX_RETRY_TIME) => {
                set(&[
                    ("status", FAILED.into()),
                    ("error_message", failure.message.as_str().into()),
                    ("updated_at", ValueRef::Timestamp(now)),
                ])?;
                done()
            }
            Err(failure) => {
                // Repeating the same error does not change the row, which avoids a second audit entry.
                set(&[("error_message", failure.message.as_str().into())])?;
                reschedule(house_rows, sending, failure, chance)
            }
        }
    })
}

/// Schedules the next attempt. If the tracker's rate limit was reached, its other tickets wait at least as long.
fn reschedule(
    rows: &Transaction<'_>,
    sending: &Sending,
    failure: &Failure,
    chance: f64,
) -> Result<(), StoreError> {
    let wait = BACKOFF.wait(sending.tries.saturating_add(1), failure.retry_after, chance);
    let due = rows.now() + micros(wait);
    let set = [("due_at", ValueRef::Timestamp(due)), ("claim", ValueRef::Null)];
    rows.update(SENDING, &[eq("ticket", sending.ticket)], &set)?;
    if failure.is_limit {
        let others =
            rows.query::<DueTicket>().filter(ticket_sending::integration.eq(sending.integration)).rows()?;
        for other in others.iter().filter(|other| other.due_at.micros() < due) {
            let set = [("due_at", ValueRef::Timestamp(due))];
            rows.update(SENDING, &[eq("ticket", other.ticket.uuid())], &set)?;
        }
    }
    Ok(())
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
