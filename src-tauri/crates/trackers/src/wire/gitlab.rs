//! GitLab issues, API version 4. The marker is in the description, which can be searched.

use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::{OpenedTicket, Ticket, time};
use serde_json::{Value, json};

pub(super) async fn check(line: &TrackerClient<'_>) -> Result<String, Failure> {
    let me = line.get(&["api", "v4", "user"], &[]).await?;
    Ok(format!("Signed in as {}.", needed(line, &me, "/username")?))
}

/// The path of a project is a single, encoded path segment.
fn issues(ticket: &Ticket) -> [&str; 5] {
    ["api", "v4", "projects", &ticket.project, "issues"]
}

pub(super) async fn create(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<OpenedTicket, Failure> {
    let body = json!({ "title": ticket.title, "description": ticket.text() });
    opened(line, &line.post(&issues(ticket), &[], &body).await?)
}

pub(super) async fn find(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<Option<OpenedTicket>, Failure> {
    let query = [("search", ticket.marker.as_str()), ("in", "description"), ("scope", "all")];
    let listed = line.get(&issues(ticket), &query).await?;
    let listed = listed.as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no issues"))?;
    let has_marker =
        |issue: &&Value| issue["description"].as_str().is_some_and(|text| text.contains(&ticket.marker));
    listed.iter().find(has_marker).map(|issue| opened(line, issue)).transpose()
}

fn opened(line: &TrackerClient<'_>, issue: &Value) -> Result<OpenedTicket, Failure> {
    let number =
        issue["iid"].as_u64().ok_or_else(|| Failure::nonsense(line.who(), "there is no iid in it"))?;
    Ok(OpenedTicket {
        ticket_id: format!("#{number}"),
        url: needed(line, issue, "/web_url")?.to_owned(),
        status: needed(line, issue, "/state")?.to_owned(),
        updated_at: issue["updated_at"].as_str().and_then(time::read),
    })
}
