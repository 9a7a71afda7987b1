//! Issues of github.com and GitHub Enterprise Server. The marker is in the text, since GitHub drops the labels set by users without push access.

use crate::client::{TrackerClient, needed};
use crate::failure::Failure;
use crate::{OpenedTicket, Ticket, time};
use serde_json::{Value, json};

const PAGE: usize = 100;
/// Maximum number of pages that are searched for a ticket: fewer issues change before the search.
const PAGES: usize = 10;
/// Tolerance for clock differences, µs.
const BEFORE: i64 = 15 * 60 * 1_000_000;

pub(super) async fn check(line: &TrackerClient<'_>) -> Result<String, Failure> {
    let me = line.get(&["user"], &[]).await?;
    Ok(format!("Signed in as {}.", needed(line, &me, "/login")?))
}

fn issues(ticket: &Ticket) -> Vec<&str> {
    ["repos"].into_iter().chain(ticket.project.split('/')).chain(["issues"]).collect()
}

pub(super) async fn create(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<OpenedTicket, Failure> {
    let body = json!({ "title": ticket.title, "body": ticket.text() });
    opened(line, &line.post(&issues(ticket), &[], &body).await?)
}

/// Searches the issues that changed since the ticket was opened here, newest first. GitHub's search index would contain it only later.
pub(super) async fn find(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<Option<OpenedTicket>, Failure> {
    let since = time::write(ticket.opened_at - BEFORE);
    for page in 1..=PAGES {
        let (size, page) = (PAGE.to_string(), page.to_string());
        let query = [
            ("state", "all"),
            ("sort", "created"),
            ("direction", "desc"),
            ("since", &since),
            ("per_page", &size),
            ("page", &page),
        ];
        let listed = line.get(&issues(ticket), &query).await?;
        let listed = listed.as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no issues"))?;
        let has_marker =
            |issue: &&Value| issue["body"].as_str().is_some_and(|text| text.contains(&ticket.marker));
        if let Some(issue) = listed.iter().find(has_marker) {
            return opened(line, issue).map(Some);
        }
        if listed.len() < PAGE {
            break;
        }
    }
    Ok(None)
}

fn opened(line: &TrackerClient<'_>, issue: &Value) -> Result<OpenedTicket, Failure> {
    let number =
        issue["number"].as_u64().ok_or_else(|| Failure::nonsense(line.who(), "there is no number in it"))?;
    Ok(OpenedTicket {
        ticket_id: format!("#{number}"),
        url: needed(line, issue, "/html_url")?.to_owned(),
        status: needed(line, issue, "/state")?.to_owned(),
        updated_at: issue["updated_at"].as_str().and_then(time::read),
    })
}
