//! Finds tickets that workflows read and change.

use super::connection::{self, Connection};
use super::tracker_access::Trackers;
use catalogue::Caller;
use graphql::Refusal;
use model::tables::tickets;
use model::{Read, Writer, row};
use store::{Store, StoreError, Transaction};
use trackers::issues::Issue;
use trackers::{Failure, Tool, Tracker};
use uuid::Uuid;

/// The operation name in the audit trail.
const AUDIT_OPERATION: &str = "workflow_run";

/// Identifies a ticket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TicketName<'a> {
    /// The ticket's number in the tracker, or its id in this database.
    pub ticket: &'a str,
    /// The connection's id or name.
    pub integration: Option<&'a str>,
    pub project: Option<&'a str>,
}

/// The location of a ticket.
pub enum TicketLocation {
    InTracker(Box<TicketTarget>),
    /// The ticket is still waiting to be sent to the tracker.
    Pending {
        ticket: Uuid,
        why: Option<String>,
    },
    /// The ticket exists only in this database, under this id.
    Local(Uuid),
}

/// A ticket in a tracker.
pub struct TicketTarget {
    tenant: Uuid,
    connection: Connection,
    /// The ticket's id in this database, if it was opened here.
    pub id: Option<Uuid>,
    pub tool: Tool,
    pub project: String,
    /// The number in the form that the tracker's API expects.
    pub number: String,
}

row! {
    struct KnownTicket from tickets {
        id, account_id, integration_id, is_new, project_key, ticket_id, error_message
    }
}

/// Finds a ticket for a workflow of an account: one opened here, or any ticket of a connection that is named.
pub(crate) fn locate(
    rows: &Transaction<'_>,
    account: Uuid,
    name: TicketName<'_>,
) -> Result<TicketLocation, Refusal> {
    let tenant = rows.caller().tenant().ok_or_else(Refusal::denied)?;
    let system = Caller::system_for(tenant);
    let rows = &rows.as_caller(&system);
    let given = name.ticket.trim();
    let own = tickets::account_id.eq_or_null(Some(account));
    if let Ok(id) = Uuid::parse_str(given) {
        let found = rows.query::<KnownTicket>().filter(tickets::id.eq(id).and(own)).first()?;
        return location_of(rows, tenant, found.ok_or_else(|| missing(given))?);
    }
    if let Some(wanted) = name.integration {
        return in_tracker(rows, (tenant, account), named(rows, wanted)?, name);
    }
    let numbered = tickets::ticket_id.one_of(spellings(given)).and(own);
    let known = rows.query::<KnownTicket>().filter(numbered).order(tickets::created_at.desc()).first()?;
    if let Some(known) = known {
        return location_of(rows, tenant, known);
    }
    let mut connected = connection::active(rows)?;
    match connected.pop() {
        None => Err(missing(given)),
        Some(one) if connected.is_empty() => in_tracker(rows, (tenant, account), one, name),
        Some(_) => Err(Refusal::invalid(
            "integration_id: several trackers are connected, expected the id or name of one",
        )),
    }
}

fn missing(given: &str) -> Refusal {
    Refusal::not_found(format!(
        "there is no ticket {given} of this account here: give `integration_id` for one that was not opened from here"
    ))
}

/// All spellings of a ticket number, with and without `#`.
fn spellings(given: &str) -> [String; 3] {
    let plain = given.trim_start_matches('#');
    [given.to_owned(), plain.to_owned(), format!("#{plain}")]
}

/// The active connection with that id or name.
pub(super) fn named(rows: &Transaction<'_>, wanted: &str) -> Result<Connection, Refusal> {
    let id = Uuid::parse_str(wanted).ok();
    let mut found = connection::active(rows)?;
    found.retain(|one| id.map_or(one.name.eq_ignore_ascii_case(wanted), |id| one.id == id));
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err(Refusal::not_found(format!(
            "integration_id: there is no active tracker \"{wanted}\" in this tenant; an administrator connects one in Settings, Ticket trackers"
        ))),
        _ => Err(Refusal::invalid(format!(
            "integration_id: several trackers are called \"{wanted}\": give the id of one"
        ))),
    }
}

/// The location of a ticket that was opened here.
fn location_of(rows: &Transaction<'_>, tenant: Uuid, known: KnownTicket) -> Result<TicketLocation, Refusal> {
    if known.integration_id.is_nil() {
        return Ok(TicketLocation::Local(known.id.uuid()));
    }
    if known.is_new.unwrap_or_default() {
        return Ok(TicketLocation::Pending { ticket: known.id.uuid(), why: known.error_message });
    }
    let gone = || {
        Refusal::conflict(format!("the tracker that ticket {} was opened in was removed", known.ticket_id))
    };
    let connection = connection::find(rows, known.integration_id)?.ok_or_else(gone)?;
    let tool = connection.supported_tool().map_err(Refusal::conflict)?;
    let number = tool
        .number(&known.ticket_id)
        .map_err(|why| Refusal::conflict(format!("the ticket's number {why}")))?;
    let target = TicketTarget {
        tenant,
        connection,
        id: Some(known.id.uuid()),
        tool,
        project: known.project_key,
        number,
    };
    Ok(TicketLocation::InTracker(Box::new(target)))
}

/// Finds a ticket of a connection by its number. Tickets of other accounts are refused.
fn in_tracker(
    rows: &Transaction<'_>,
    (tenant, account): (Uuid, Uuid),
    connection: Connection,
    name: TicketName<'_>,
) -> Result<TicketLocation, Refusal> {
    let tool = connection.supported_tool().map_err(Refusal::invalid)?;
    let number = tool.number(name.ticket).map_err(|why| Refusal::invalid(format!("ticket_id {why}")))?;
    let project = if tool.counts_by_project() {
        connection.project_for(name.project)?
    } else {
        connection.project_for(name.project).unwrap_or_default()
    };
    let numbered = tickets::ticket_id.one_of(spellings(&number));
    let here = numbered.and(tickets::integration_id.eq(connection.id)).and(tickets::is_new.eq(false));
    let of_project = tool.counts_by_project().then(|| tickets::project_key.eq(project.as_str()));
    let known = rows.query::<KnownTicket>().filter(here).filter_some(of_project).first()?;
    if known.as_ref().is_some_and(|known| known.account_id.is_some_and(|other| other != account)) {
        let message = format!("ticket {} was opened for another account", name.ticket);
        return Err(Refusal::new("access-denied", message));
    }
    let id = known.map(|known| known.id.uuid());
    Ok(TicketLocation::InTracker(Box::new(TicketTarget { tenant, connection, id, tool, project, number })))
}

impl TicketTarget {
    /// The tenant that owns the ticket.
    pub fn tenant(&self) -> Uuid {
        self.tenant
    }

    /// The tracker, including the decrypted password. Blocks while reading the key from the keyring.
    ///
    /// # Errors
    /// The connection is switched off, or its password cannot be decrypted.
    pub fn tracker(&self, trackers: &dyn Trackers) -> Result<Tracker, Failure> {
        match self.connection.inactive_failure() {
            Some(inactive_failure) => Err(inactive_failure),
            None => self.connection.tracker(trackers),
        }
    }

    /// Stores the tracker's current state of the ticket, if the ticket was opened here. Blocks.
    ///
    /// # Errors
    /// The database write fails.
    pub fn note(&self, store: &Store, issue: &Issue) -> Result<(), StoreError> {
        let Some(id) = self.id else { return Ok(()) };
        let system = Caller::system_for(self.tenant);
        let note = |rows: &Transaction<'_>| -> Result<(), Refusal> {
            let rows = rows.with_audit_operation(AUDIT_OPERATION, None);
            let assignee = Some(issue.assignees.join(", ")).filter(|names| !names.is_empty());
            let now = rows.now();
            Writer::new(&rows)?.update(
                tickets::id.eq(id),
                [
                    tickets::status.to(issue.status.as_str()),
                    tickets::assignee.to_option(assignee),
                    tickets::updated_at.to(issue.updated_at.unwrap_or(now)),
                ],
            )?;
            Ok(())
        };
        store.transaction(&system, note).map_err(Refusal::into_error)
    }
}

/// Changes to a ticket that exists only in this database.
#[derive(Debug, Default)]
pub(crate) struct LocalTicketEdit<'a> {
    pub status: Option<&'a str>,
    pub severity: Option<&'a str>,
    pub assignee: Option<&'a str>,
    pub description: Option<&'a str>,
}

/// Changes a ticket that was not sent to any tracker.
pub(crate) fn edit_local(
    rows: &Transaction<'_>,
    id: Uuid,
    edit: &LocalTicketEdit<'_>,
) -> Result<(), Refusal> {
    let mut set = vec![tickets::updated_at.to(rows.now())];
    set.extend(edit.status.map(|status| tickets::status.to(status)));
    set.extend(edit.severity.map(|severity| tickets::severity.to(severity)));
    set.extend(edit.assignee.map(|assignee| tickets::assignee.to(assignee)));
    set.extend(edit.description.map(|description| tickets::description.to(description)));
    match Writer::new(rows)?.update(tickets::id.eq(id), set)? {
        0 => Err(Refusal::denied()),
        _ => Ok(()),
    }
}
