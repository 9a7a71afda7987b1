//! Trackers of tickets: opening a ticket in one, finding one that was opened, trying a connection out. In each tracker's own words, sent through
//! `outgoing`; what is kept of tickets, and when one is tried again, is not known here.
//!
//! Every ticket carries its [marker](Ticket::marker) where the tracker can be asked for it, so that one whose fate is not known (the answer was cut off, the
//! program was killed) is looked for before it is opened anew.

mod failure;
pub mod issues;
mod line;
pub mod pulls;
#[cfg(test)]
mod tests;
mod time;
mod tool;
mod wire;

pub use failure::Failure;
pub use tool::{Auth, Tool};

use line::Line;
use outgoing::{Backoff, OutgoingSettings};
use std::time::Duration;
use url::Url;
use zeroize::Zeroizing;

/// How long a ticket waits that could not be opened: a quarter of a minute at first, an hour at last, a day where the tracker asks for it.
pub const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(15),
    longest: Duration::from_hours(1),
    longest_asked: Duration::from_hours(24),
};

/// A connection to a tracker, with what opens it.
#[derive(Clone)]
pub struct Tracker {
    pub tool: Tool,
    /// As people call it.
    pub name: String,
    /// Where its interface is: see [`Tool::base`].
    pub base: Url,
    /// For [`Auth::Basic`]; for PagerDuty the e-mail address in whose name incidents are opened.
    pub username: String,
    pub auth: Auth,
    /// The password, or the token.
    pub secret: Zeroizing<String>,
}

/// What is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// One word that only this ticket has, such as `quarterdeck-9b2f…`.
    pub marker: String,
    pub title: String,
    pub description: String,
    /// As the tool names it: see [`Tool::check_project`].
    pub project: String,
    /// Such as Task, where the tool has kinds.
    pub kind: String,
    pub severity: Option<String>,
    /// When it was opened here, µs since 1970 UTC: the tracker has had none of it before.
    pub opened_at: i64,
}

impl Ticket {
    /// The text below the title: what was written, how urgent it is, and where it comes from.
    fn text(&self) -> String {
        let severity = self.severity.as_deref().map(|severity| format!("Severity: {severity}"));
        let from = format!("Opened from Quarterdeck ({}).", self.marker);
        let parts = [Some(self.description.trim().to_owned()), severity, Some(from)];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

/// A ticket as the tracker has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Its number there, such as `OPS-7` or `#12`.
    pub ticket_id: String,
    /// Where a person sees it.
    pub url: String,
    /// In the tracker's words.
    pub status: String,
    /// µs since 1970 UTC, where the tracker says it.
    pub updated_at: Option<i64>,
}

/// Opens a ticket. Where it may be there already, it is looked for first. `now` is µs since 1970 UTC.
pub async fn send(
    way: &OutgoingSettings,
    tracker: &Tracker,
    ticket: &Ticket,
    may_be_there: bool,
    now: i64,
) -> Result<Opened, Failure> {
    let line = Line::open(way, tracker, now)?;
    if may_be_there && let Some(found) = wire::find(&line, ticket).await? {
        return Ok(found);
    }
    wire::create(&line, ticket).await
}

/// Makes one call that changes nothing; whom the tracker takes us for, in a sentence.
pub async fn check(way: &OutgoingSettings, tracker: &Tracker, now: i64) -> Result<String, Failure> {
    wire::check(&Line::open(way, tracker, now)?).await
}
