//! Follows external items that a run created, a pull request or a ticket, until they are closed.
//!
//! The run polls with increasing intervals, at most one hour apart, for as long as an attempt may
//! take. It has a lease and a journal like every run.

use super::super::system_runs::{SystemDefinition, SystemTask};
use serde_json::{Map, Value};
use uuid::Uuid;

/// A failure policy that polls again after every error except these, for at least 30 days.
pub(crate) fn polling_policy(but: &[&str]) -> Value {
    let retry = Value::from_iter([
        ("initial_interval", Value::from("5s")),
        ("backoff_coefficient", 1.5.into()),
        ("maximum_interval", "1h".into()),
        ("maximum_attempts", 750.into()),
        ("non_retryable_error_types", but.into()),
    ]);
    Value::from_iter([("retry", retry)])
}

/// Waits until the ticket is closed. Fails if it is closed as not done or was deleted. An unknown tracker status does not count as closed.
pub(crate) fn until_closed(ticket: Uuid) -> SystemDefinition {
    let mut params = Map::new();
    params.insert("ticket_id".to_owned(), ticket.to_string().into());
    params.insert("until".to_owned(), "closed".into());
    SystemDefinition::new(vec![SystemTask {
        id: "closed".to_owned(),
        kind: "tickets.get".to_owned(),
        params,
        depends_on: Vec::new(),
        condition: None,
        failure_policy: Some(polling_policy(&["TicketRefused", "TicketGone", "InvalidParameters"])),
    }])
}
