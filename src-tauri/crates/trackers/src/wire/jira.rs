//! Jira Cloud and Data Center: REST API version 2, with plain texts. The marker is a label.

use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::{OpenedTicket, Ticket, time};
use serde_json::{Value, json};

const API: [&str; 3] = ["rest", "api", "2"];
/// The fields that are read of an issue.
const FIELDS: (&str, &str) = ("fields", "status,updated");
/// The status if it could not be read.
const SENT: &str = "Sent";

fn place<'p>(parts: &[&'p str]) -> Vec<&'p str> {
    [&API, parts].concat()
}

pub(super) async fn check(line: &TrackerClient<'_>) -> Result<String, Failure> {
    let me = line.get(&place(&["myself"]), &[]).await?;
    Ok(format!("Signed in as {}.", needed(line, &me, "/displayName")?))
}

pub(super) async fn create(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<OpenedTicket, Failure> {
    let body = json!({ "fields": {
        "project": { "key": ticket.project },
        "issuetype": { "name": ticket.kind },
        "summary": ticket.title,
        "description": ticket.text(),
        "labels": [ticket.marker],
    } });
    let made = line.post(&place(&["issue"]), &[], &body).await?;
    let key = needed(line, &made, "/key")?;
    // The issue exists. Reading its status is optional.
    let issue = line.get(&place(&["issue", key]), &[FIELDS]).await.unwrap_or_default();
    Ok(opened(line, key, &issue))
}

pub(super) async fn find(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<Option<OpenedTicket>, Failure> {
    let about = line.get(&place(&["serverInfo"]), &[]).await?;
    // Cloud has removed the old search, Data Center does not have the new one.
    let search: &[&str] = if about["deploymentType"] == "Cloud" { &["search", "jql"] } else { &["search"] };
    let jql = format!("labels = \"{}\"", ticket.marker);
    let found = line.get(&place(search), &[("jql", &jql), FIELDS, ("maxResults", "2")]).await?;
    let issues =
        found["issues"].as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no issues"))?;
    let Some(issue) = issues.first() else { return Ok(None) };
    Ok(Some(opened(line, needed(line, issue, "/key")?, issue)))
}

fn opened(line: &TrackerClient<'_>, key: &str, issue: &Value) -> OpenedTicket {
    let field = |place: &str| issue.pointer(place).and_then(Value::as_str);
    OpenedTicket {
        ticket_id: key.to_owned(),
        url: line.place(&["browse", key], &[]).into(),
        status: field("/fields/status/name").unwrap_or(SENT).to_owned(),
        updated_at: field("/fields/updated").and_then(time::read),
    }
}
