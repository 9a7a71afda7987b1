//! PagerDuty incidents, REST API version 2. The marker is the incident key, for which PagerDuty allows one open incident.

use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::{OpenedTicket, Ticket, time};
use serde_json::{Value, json};

pub(super) async fn check(line: &TrackerClient<'_>) -> Result<String, Failure> {
    let services = line.get(&["services"], &[("limit", "1")]).await?;
    match services["services"].as_array() {
        Some(_) => Ok("The key is accepted, and services can be read.".to_owned()),
        None => Err(Failure::nonsense(line.who(), "it lists no services")),
    }
}

pub(super) async fn create(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<OpenedTicket, Failure> {
    let body = json!({ "incident": {
        "type": "incident",
        "title": ticket.title,
        "service": { "id": ticket.project, "type": "service_reference" },
        "incident_key": ticket.marker,
        "body": { "type": "incident_body", "details": ticket.text() },
    } });
    opened(line, &line.post(&["incidents"], &[], &body).await?["incident"])
}

pub(super) async fn find(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<Option<OpenedTicket>, Failure> {
    let query = [("incident_key", ticket.marker.as_str()), ("date_range", "all")];
    let found = line.get(&["incidents"], &query).await?;
    let found = found["incidents"]
        .as_array()
        .ok_or_else(|| Failure::nonsense(line.who(), "it lists no incidents"))?;
    let is_ours = |incident: &&Value| incident["incident_key"] == ticket.marker.as_str();
    found.iter().find(is_ours).map(|incident| opened(line, incident)).transpose()
}

fn opened(line: &TrackerClient<'_>, incident: &Value) -> Result<OpenedTicket, Failure> {
    let changed = &incident["last_status_change_at"];
    Ok(OpenedTicket {
        ticket_id: needed(line, incident, "/id")?.to_owned(),
        url: needed(line, incident, "/html_url")?.to_owned(),
        status: needed(line, incident, "/status")?.to_owned(),
        updated_at: changed.as_str().and_then(time::read),
    })
}
