//! Tasks on existing tickets. Tickets in a tracker need calls by the service; tickets stored only here are rows.

pub(super) mod answers;
pub(super) mod polling;

use super::run_row::RunRow;
use crate::tickets::{LocalTicketEdit, TicketLocation, TicketName, edit_local, locate};
use answers::{TicketDetails, TicketUpdate};
use automation::plan::{Call, TaskFailure};
use automation::services::tickets::{TicketAction, TicketEdit, TicketTask};
use catalogue::Caller;
use graphql::Refusal;
use model::tables::tickets;
use model::{Read, row};
use serde::Serialize;
use store::{Store, StoreError, Transaction};
use trackers::issues::closes;
use uuid::Uuid;

/// A call for a ticket in a tracker.
#[derive(Debug)]
pub struct TicketCall {
    tenant: Uuid,
    account: Uuid,
    pub task: TicketTask,
}

impl TicketCall {
    /// The call of a run. Tickets can only be changed on behalf of a person.
    pub(super) fn of(run: &RunRow, call: &Call) -> Result<Self, TaskFailure> {
        super::row_tasks::check_account(run, &call.params)?;
        let task = TicketTask::read(&run.id.to_string(), call)?;
        let reads = matches!(task.action, TicketAction::Read { .. } | TicketAction::ReadComments);
        if run.person.is_none() && !reads {
            return Err(TaskFailure::new("AccessDenied", NOBODY));
        }
        Ok(Self { tenant: run.tenant, account: run.account, task })
    }
}

const NOBODY: &str = "a ticket is changed in the name of a person, and nobody is known for this run: save the workflow once more";

fn named(task: &TicketTask) -> TicketName<'_> {
    TicketName {
        ticket: &task.ticket,
        integration: task.integration.as_deref(),
        project: task.project.as_deref(),
    }
}

/// Locates the ticket of a call. Blocks.
///
/// # Errors
/// The database cannot be read. The inner error means that the ticket cannot be identified.
pub fn find_ticket(
    store: &Store,
    call: &TicketCall,
) -> Result<Result<TicketLocation, TaskFailure>, StoreError> {
    let system = Caller::system_for(call.tenant);
    let found: Result<TicketLocation, Refusal> =
        store.snapshot(&system, |rows| locate(rows, call.account, named(&call.task)));
    match found {
        Ok(place) => Ok(Ok(place)),
        Err(refusal) if refusal.is_unexpected() => Err(refusal.into_error()),
        Err(refusal) => Ok(Err(TaskFailure::new(refusal.code, refusal.message))),
    }
}

/// Whether no tracker call is needed: the ticket is stored only here, or cannot be identified.
pub(super) fn uses_own_rows(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> bool {
    let Ok(task) = TicketTask::read(&run.id.to_string(), call) else { return true };
    matches!(locate(rows, run.account, named(&task)), Ok(TicketLocation::Local(_)) | Err(_))
}

row! {
    struct TicketRow from tickets {
        id, ticket_id, title, description, status, severity, assignee, url, error_message
    }
}

/// The output of a task on a ticket that is stored only here.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum TicketOutput {
    Read(Box<TicketDetails>),
    Changed(TicketUpdate),
}

/// Carries out a task on a ticket that is stored only here.
pub(super) fn carry_out(
    rows: &Transaction<'_>,
    run: &RunRow,
    call: &Call,
) -> Result<TicketOutput, TaskFailure> {
    let task = TicketTask::read(&run.id.to_string(), call)?;
    let failed = |refusal: Refusal| TaskFailure::new(refusal.code, refusal.message);
    let id = match locate(rows, run.account, named(&task)).map_err(failed)? {
        TicketLocation::Local(id) => id,
        // The ticket was sent to its tracker a moment ago.
        TicketLocation::InTracker(_) | TicketLocation::Pending { .. } => {
            return Err(TaskFailure::new("TicketPending", "the ticket has just gone to its tracker"));
        }
    };
    let row = read(rows, id).map_err(failed)?;
    match &task.action {
        TicketAction::Read { until_closed } => {
            let ticket = ticket_of(row);
            if *until_closed && ticket.state != "done" {
                return Err(TaskFailure::new("TicketOpen", format!("{} is open", ticket.ticket_id)));
            }
            Ok(TicketOutput::Read(Box::new(ticket)))
        }
        TicketAction::Change(edit) => {
            if run.person.is_none() {
                return Err(TaskFailure::new("AccessDenied", NOBODY));
            }
            rows.attempt(|| change(rows, id, edit)).map(TicketOutput::Changed).map_err(failed)
        }
        _ => {
            let message = format!(
                "ticket {} is kept here alone, and no tracker has it: it can be read and changed, and nothing else",
                row.ticket_id
            );
            Err(TaskFailure::new("not-supported", message))
        }
    }
}

fn read(rows: &Transaction<'_>, id: Uuid) -> Result<TicketRow, Refusal> {
    let found = rows.query::<TicketRow>().filter(tickets::id.eq(id)).first()?;
    found.ok_or_else(|| Refusal::not_found(format!("there is no ticket {id} any more")))
}

fn state_of(row: &TicketRow) -> &'static str {
    let is_closed = row.status.as_deref().and_then(closes) == Some(true);
    if is_closed { "done" } else { "open" }
}

fn ticket_of(row: TicketRow) -> TicketDetails {
    TicketDetails {
        state: state_of(&row),
        id: Some(row.id.uuid()),
        ticket_id: row.ticket_id,
        title: row.title,
        description: row.description,
        status: row.status,
        severity: row.severity,
        assignees: row.assignee.clone().into_iter().collect(),
        assignee: row.assignee,
        platform: "quarterdeck",
        url: row.url,
        message: row.error_message,
        ..TicketDetails::default()
    }
}

fn change(rows: &Transaction<'_>, id: Uuid, edit: &TicketEdit) -> Result<TicketUpdate, Refusal> {
    if edit.labels.is_some() {
        return Err(Refusal::invalid("labels cannot be set on tickets that are kept here"));
    }
    let status = match edit.status.as_deref() {
        None => None,
        Some(status) => Some(match closes(status) {
            Some(true) => "Closed",
            Some(false) => "Open",
            None => {
                let message = format!("status is \"{status}\": a ticket that is kept here is open or closed");
                return Err(Refusal::invalid(message));
            }
        }),
    };
    let assignee = Some(edit.assignees.join(", ")).filter(|names| !names.is_empty());
    let here = LocalTicketEdit {
        status,
        severity: edit.severity.as_deref(),
        assignee: assignee.as_deref(),
        description: edit.description.as_deref(),
    };
    edit_local(rows, id, &here)?;
    let row = read(rows, id)?;
    let status = row.status.clone().unwrap_or_default();
    Ok(TicketUpdate {
        state: state_of(&row),
        message: format!("{} is {status}", row.ticket_id),
        ticket_id: row.ticket_id,
        status: row.status,
        assignee: row.assignee.into_iter().collect(),
    })
}
