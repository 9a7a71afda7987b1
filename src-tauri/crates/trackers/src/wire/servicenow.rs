//! ServiceNow, Table API. The marker is the record's correlation id.

use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::{OpenedTicket, Ticket};
use serde_json::{Value, json};

/// The fields that are read of a record, as display values.
const FIELDS: [(&str, &str); 2] =
    [("sysparm_fields", "sys_id,number,state"), ("sysparm_display_value", "true")];

fn table(name: &str) -> [&str; 4] {
    ["api", "now", "table", name]
}

pub(super) async fn check(line: &TrackerClient<'_>) -> Result<String, Failure> {
    let found = line.get(&table("incident"), &[("sysparm_limit", "1"), ("sysparm_fields", "number")]).await?;
    match found["result"].as_array() {
        Some(_) => Ok("The key is accepted, and incidents can be read.".to_owned()),
        None => Err(Failure::nonsense(line.who(), "it lists no records")),
    }
}

pub(super) async fn create(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<OpenedTicket, Failure> {
    let body = json!({
        "short_description": ticket.title,
        "description": ticket.text(),
        "correlation_id": ticket.marker,
        "correlation_display": "Quarterdeck",
    });
    let made = line.post(&table(&ticket.project), &FIELDS, &body).await?;
    opened(line, ticket, &made["result"])
}

pub(super) async fn find(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<Option<OpenedTicket>, Failure> {
    let wanted = format!("correlation_id={}", ticket.marker);
    let query = [&FIELDS[..], &[("sysparm_query", wanted.as_str()), ("sysparm_limit", "1")]].concat();
    let found = line.get(&table(&ticket.project), &query).await?;
    let found =
        found["result"].as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no records"))?;
    found.first().map(|record| opened(line, ticket, record)).transpose()
}

fn opened(line: &TrackerClient<'_>, ticket: &Ticket, record: &Value) -> Result<OpenedTicket, Failure> {
    let place = format!("{}.do?sys_id={}", ticket.project, needed(line, record, "/sys_id")?);
    Ok(OpenedTicket {
        ticket_id: needed(line, record, "/number")?.to_owned(),
        url: line.place(&["nav_to.do"], &[("uri", &place)]).into(),
        status: needed(line, record, "/state")?.to_owned(),
        // Its times are in the time zone of the API user.
        updated_at: None,
    })
}
