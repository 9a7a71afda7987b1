//! `tickets.get`: a ticket of the run's account, as this service knows it.

use super::run_row::RunRow;
use automation::plan::Call;
use automation::template::to_text;
use graphql::Refusal;
use model::tables::tickets;
use model::{Read, row};
use serde::Serialize;
use store::Transaction;
use uuid::Uuid;

row! {
    struct TicketRow from tickets {
        id, ticket_id, title, description, status, severity, assignee, url, error_message
    }
}

/// What the task gives.
#[derive(Debug, Serialize)]
pub(super) struct TicketRead {
    id: String,
    ticket_id: String,
    title: String,
    description: Option<String>,
    status: Option<String>,
    severity: Option<String>,
    assignee: Option<String>,
    url: Option<String>,
    /// Why the tracker has not taken it.
    message: Option<String>,
}

/// By its number in the tracker, or by the id that `tickets.create` gave: the number changes once the tracker has taken it.
pub(super) fn read(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<TicketRead, Refusal> {
    let given = to_text(&call.params["ticket_id"]);
    let given = given.trim();
    if given.is_empty() {
        return Err(Refusal::invalid(
            "ticket_id: expected the number of a ticket, or the id that tickets.create gave",
        ));
    }
    let which = match Uuid::parse_str(given) {
        Ok(id) => tickets::id.eq(id),
        Err(_) => tickets::ticket_id.eq(given),
    };
    let own = tickets::account_id.is(Some(run.account));
    let found = rows.query::<TicketRow>().filter(which.and(own)).order(tickets::created_at.desc()).first()?;
    let missing = || {
        Refusal::not_found(format!(
            "there is no ticket {given} of this account here: only those opened from here are known"
        ))
    };
    let found = found.ok_or_else(missing)?;
    Ok(TicketRead {
        id: found.id.to_string(),
        ticket_id: found.ticket_id,
        title: found.title,
        description: found.description,
        status: found.status,
        severity: found.severity,
        assignee: found.assignee,
        url: found.url,
        message: found.error_message,
    })
}
