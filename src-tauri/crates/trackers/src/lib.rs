//! Ticket trackers: opens tickets, finds tickets that were opened, and tests connections, with the API of each tracker, sent through `outgoing`.
//!
//! Storing tickets and scheduling retries is done elsewhere.
//!
//! Every ticket contains its [marker](Ticket::marker) in a place where the tracker can search for it. If it is unknown whether a ticket was opened
//! (the response was cut off, the process was killed), it is searched for before it is opened again.

mod client;
mod failure;
pub mod issues;
pub mod pulls;
#[cfg(test)]
mod tests;
mod time;
mod tool;
mod wire;

pub use failure::Failure;
pub use tool::{Auth, Tool};

use client::TrackerClient;
use outgoing::{Backoff, OutgoingSettings};
use std::time::Duration;
use url::Url;
use zeroize::Zeroizing;

/// Retry delays of a ticket that could not be opened: from a quarter of a minute to an hour, and up to a day if the tracker requests it.
pub const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(15),
    longest: Duration::from_hours(1),
    longest_asked: Duration::from_hours(24),
};

/// A connection to a tracker, with its credentials.
#[derive(Clone)]
pub struct Tracker {
    pub tool: Tool,
    /// The name given by the user.
    pub name: String,
    /// The base URL of its API: see [`Tool::base`].
    pub base: Url,
    /// For [`Auth::Basic`]; for PagerDuty, the e-mail address of the user who opens incidents.
    pub username: String,
    pub auth: Auth,
    /// The password or the token.
    pub secret: Zeroizing<String>,
}

/// A ticket to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// A word that is unique to this ticket, such as `quarterdeck-9b2f…`.
    pub marker: String,
    pub title: String,
    pub description: String,
    /// The tool's name for the project: see [`Tool::check_project`].
    pub project: String,
    /// The kind of ticket, such as Task, if the tool has kinds.
    pub kind: String,
    pub severity: Option<String>,
    /// When it was opened here, µs since 1970 UTC. The tracker cannot have it from before.
    pub opened_at: i64,
}

impl Ticket {
    /// The text below the title: description, severity and origin.
    fn text(&self) -> String {
        let severity = self.severity.as_deref().map(|severity| format!("Severity: {severity}"));
        let from = format!("Opened from Quarterdeck ({}).", self.marker);
        let parts = [Some(self.description.trim().to_owned()), severity, Some(from)];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

/// A ticket in the tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedTicket {
    /// Its number, such as `OPS-7` or `#12`.
    pub ticket_id: String,
    /// The URL of its page.
    pub url: String,
    /// The tracker's own term.
    pub status: String,
    /// µs since 1970 UTC, if stated.
    pub updated_at: Option<i64>,
}

/// Opens a ticket. If `may_be_there`, searches for it first. `now` is µs since 1970 UTC.
pub async fn send(
    way: &OutgoingSettings,
    tracker: &Tracker,
    ticket: &Ticket,
    may_be_there: bool,
    now: i64,
) -> Result<OpenedTicket, Failure> {
    let line = TrackerClient::open(way, tracker, now)?;
    if may_be_there && let Some(found) = wire::find(&line, ticket).await? {
        return Ok(found);
    }
    wire::create(&line, ticket).await
}

/// Tests the connection with a call that changes nothing. Returns a sentence that names the authenticated user.
pub async fn check(way: &OutgoingSettings, tracker: &Tracker, now: i64) -> Result<String, Failure> {
    wire::check(&TrackerClient::open(way, tracker, now)?).await
}
