//! What is begun outside and ends there, a pull request or a ticket, is followed by a run that looks at it again and again: more and more seldom, each hour at
//! last, for as long as an attempt may take. The run has its lease and its journal as all runs have.

use super::super::own::{OwnDefinition, OwnTask};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Looks again after every failure but these, for 30 days and more.
pub(crate) fn looks_again(but: &[&str]) -> Value {
    let retry = Value::from_iter([
        ("initial_interval", Value::from("5s")),
        ("backoff_coefficient", 1.5.into()),
        ("maximum_interval", "1h".into()),
        ("maximum_attempts", 750.into()),
        ("non_retryable_error_types", but.into()),
    ]);
    Value::from_iter([("retry", retry)])
}

/// Waits until a ticket is closed; fails when it is closed without being done, or gone. What a tracker says that is not known here is no end.
pub(crate) fn until_closed(ticket: Uuid) -> OwnDefinition {
    let mut params = Map::new();
    params.insert("ticket_id".to_owned(), ticket.to_string().into());
    params.insert("until".to_owned(), "closed".into());
    OwnDefinition::new(vec![OwnTask {
        id: "closed".to_owned(),
        kind: "tickets.get".to_owned(),
        params,
        depends_on: Vec::new(),
        condition: None,
        failure_policy: Some(looks_again(&["TicketRefused", "TicketGone", "InvalidParameters"])),
    }])
}
