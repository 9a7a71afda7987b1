//! Existing tickets: reads, comments and changes them. A property that already has the requested value is not changed. Changes that a tracker does
//! not support are refused before a request is sent.

mod github;
mod gitlab;
mod jira;
mod pagerduty;
mod servicenow;

use crate::Tracker;
use crate::client::TrackerClient;
use crate::failure::Failure;
use crate::tool::Tool;
use outgoing::OutgoingSettings;
use serde_json::Value;

/// Maximum number of pages of comments that are read, and their size.
const PAGES: usize = 10;
const PAGE: usize = 100;

/// Identifies a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssueKey<'k> {
    /// The tool's name for the project: see [`Tool::check_project`]. Not used for Jira and PagerDuty.
    pub project: &'k str,
    /// The ticket's number, such as `OPS-7` or `12`: see [`Tool::number`].
    pub number: &'k str,
}

/// The state of a ticket, independent of the tracker's own terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueState {
    Open,
    /// Closed as done.
    Done,
    /// Closed as not done, according to the tracker.
    Refused,
    /// The tracker's status is not known here.
    Unknown,
}

impl IssueState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

/// A ticket in the tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// Such as `OPS-7` or `#12`.
    pub ticket_id: String,
    pub title: String,
    pub description: String,
    /// The tracker's own term.
    pub status: String,
    pub state: IssueState,
    /// Why it was closed, in the tracker's own term, if stated.
    pub resolution: Option<String>,
    pub severity: Option<String>,
    pub assignees: Vec<String>,
    pub reporter: Option<String>,
    pub labels: Vec<String>,
    pub milestone: Option<String>,
    pub project: String,
    /// The URL of its page.
    pub url: String,
    /// µs since 1970 UTC.
    pub created_at: Option<i64>,
    pub updated_at: Option<i64>,
}

/// A comment on a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: String,
    pub author: String,
    pub text: String,
    /// µs since 1970 UTC.
    pub created_at: Option<i64>,
}

/// Requested changes of a ticket. `None`, or an empty list of assignees, leaves a property unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IssueChange {
    /// The tracker's own term. GitHub and GitLab also accept `closed` and `open`; Jira accepts `closed` if exactly one transition leads to a closed
    /// status.
    pub status: Option<String>,
    pub severity: Option<String>,
    /// Replaces the current ones.
    pub assignees: Vec<String>,
    pub description: Option<String>,
    /// Replaces the current ones.
    pub labels: Option<Vec<String>>,
    /// PagerDuty: the id of the escalation policy to assign.
    pub escalation_policy: Option<String>,
    /// PagerDuty: the level of its escalation policy to notify.
    pub escalation_level: Option<u32>,
}

/// A comment that must be added only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkedComment<'r> {
    pub text: &'r str,
    /// Appended to the text, so that the comment can be found again.
    pub marker: &'r str,
    /// The part of the marker that is the same in every attempt.
    pub found_by: &'r str,
}

impl MarkedComment<'_> {
    /// The text with the marker in an HTML comment, which is not displayed.
    fn hidden(&self) -> String {
        format!("{}\n\n<!-- {} -->", self.text.trim(), self.marker)
    }

    /// The text with the marker below it, for plain-text trackers.
    fn plain(&self) -> String {
        format!("{}\n\n({})", self.text.trim(), self.marker)
    }
}

impl IssueChange {
    /// The first change that this tool does not support, as a message.
    pub fn lack(&self, tool: Tool) -> Option<String> {
        let is_incident = tool == Tool::PagerDuty;
        let wanted = [
            ("severity", self.severity.is_some(), !matches!(tool, Tool::GitHub | Tool::GitLab)),
            ("description", self.description.is_some(), !is_incident),
            ("labels", self.labels.is_some(), matches!(tool, Tool::GitHub | Tool::GitLab | Tool::Jira)),
            ("escalation_policy", self.escalation_policy.is_some(), is_incident),
            ("escalation_level", self.escalation_level.is_some(), is_incident),
        ];
        let lacking = wanted.into_iter().find(|(_, is_wanted, is_there)| *is_wanted && !is_there);
        if let Some((name, ..)) = lacking {
            return Some(format!("{name} cannot be set on tickets of {}", tool.name()));
        }
        let one = matches!(tool, Tool::Jira | Tool::ServiceNow);
        (one && self.assignees.len() > 1).then(|| {
            format!("a ticket of {} has one assignee, and {} were given", tool.name(), self.assignees.len())
        })
    }
}

/// A ticket by its number. `None` if the tracker has no such ticket (any more) in a project that exists.
pub async fn read(
    way: &OutgoingSettings,
    tracker: &Tracker,
    key: IssueKey<'_>,
    now: i64,
) -> Result<Option<Issue>, Failure> {
    find(&TrackerClient::open(way, tracker, now)?, key).await
}

async fn find(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Option<Issue>, Failure> {
    match line.tracker.tool {
        Tool::GitHub => github::read(line, key).await,
        Tool::GitLab => gitlab::read(line, key).await,
        Tool::Jira => jira::read(line, key).await,
        Tool::PagerDuty => pagerduty::read(line, key).await,
        Tool::ServiceNow => servicenow::read(line, key).await,
    }
}

async fn needed(line: &TrackerClient<'_>, key: IssueKey<'_>) -> Result<Issue, Failure> {
    let missing = || Failure {
        is_absent: true,
        ..Failure::lasting(format!("{} has no ticket {}, or does not show it.", line.who(), key.number))
    };
    find(line, key).await?.ok_or_else(missing)
}

/// The comments on a ticket, oldest first, up to a thousand.
pub async fn comments(
    way: &OutgoingSettings,
    tracker: &Tracker,
    key: IssueKey<'_>,
    now: i64,
) -> Result<Vec<Comment>, Failure> {
    let line = TrackerClient::open(way, tracker, now)?;
    match tracker.tool {
        Tool::GitHub => github::comments(&line, key).await,
        Tool::GitLab => gitlab::comments(&line, key).await,
        Tool::Jira => jira::comments(&line, key).await,
        Tool::PagerDuty => pagerduty::comments(&line, key).await,
        Tool::ServiceNow => servicenow::comments(&line, key).await,
    }
}

/// Adds a comment to a ticket, unless it is there already. Returns whether it was.
pub async fn comment(
    way: &OutgoingSettings,
    tracker: &Tracker,
    key: IssueKey<'_>,
    remark: MarkedComment<'_>,
    now: i64,
) -> Result<bool, Failure> {
    let line = TrackerClient::open(way, tracker, now)?;
    let was_there = if tracker.tool == Tool::ServiceNow {
        // Not every user may read its comment journal; the field of the record itself contains all comments.
        servicenow::was_said(&line, key, remark.found_by).await?
    } else {
        let said = comments(way, tracker, key, now).await?;
        said.iter().any(|one| one.text.contains(remark.found_by))
    };
    if was_there {
        return Ok(true);
    }
    match tracker.tool {
        Tool::GitHub => github::comment(&line, key, &remark.hidden()).await,
        Tool::GitLab => gitlab::comment(&line, key, &remark.hidden()).await,
        Tool::Jira => jira::comment(&line, key, &remark.plain()).await,
        Tool::PagerDuty => pagerduty::comment(&line, key, &remark.plain()).await,
        Tool::ServiceNow => servicenow::comment(&line, key, &remark.plain()).await,
    }?;
    Ok(false)
}

/// Changes a ticket. Properties that have the requested value already are not sent. Returns the ticket after the change.
pub async fn change(
    way: &OutgoingSettings,
    tracker: &Tracker,
    key: IssueKey<'_>,
    wanted: &IssueChange,
    now: i64,
) -> Result<Issue, Failure> {
    if let Some(lack) = wanted.lack(tracker.tool) {
        return Err(Failure::lasting(format!("{lack}.")));
    }
    let line = TrackerClient::open(way, tracker, now)?;
    let before = needed(&line, key).await?;
    match tracker.tool {
        Tool::GitHub => github::change(&line, key, &before, wanted).await,
        Tool::GitLab => gitlab::change(&line, key, &before, wanted).await,
        Tool::Jira => jira::change(&line, key, &before, wanted).await,
        Tool::PagerDuty => pagerduty::change(&line, key, &before, wanted).await,
        Tool::ServiceNow => servicenow::change(&line, key, &before, wanted).await,
    }?;
    needed(&line, key).await
}

/// Whether two terms mean the same status.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.trim().to_lowercase().replace(['_', '-'], " ");
    plain(one) == plain(other)
}

/// Whether a status simply means closed (`true`) or open (`false`); `None` for any other status.
pub fn closes(status: &str) -> Option<bool> {
    match status.trim().to_lowercase().replace(['_', '-'], " ").as_str() {
        "open" | "opened" | "reopen" | "reopened" => Some(false),
        "closed" | "close" | "done" | "resolved" | "completed" => Some(true),
        _ => None,
    }
}

/// Whether a tracker's term means that the ticket was closed as not done.
fn says_refused(words: &str) -> bool {
    const WORDS: [&str; 16] = [
        "won't do",
        "won't fix",
        "wont do",
        "wont fix",
        "declined",
        "rejected",
        "duplicate",
        "cannot reproduce",
        "incomplete",
        "canceled",
        "cancelled",
        "not planned",
        "abandoned",
        "invalid",
        "closed incomplete",
        "closed skipped",
    ];
    let words = words.trim().to_lowercase().replace('_', " ").replace('’', "'");
    WORDS.contains(&words.as_str())
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The strings at the JSON pointer `place` in each item of a list; with an empty pointer, the items themselves.
fn texts(list: &Value, place: &str) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| text(item.pointer(place)?)).collect()
}

/// All pages of a list, oldest first.
async fn pages(
    line: &TrackerClient<'_>,
    place: &[&str],
    more: &[(&str, &str)],
) -> Result<Vec<Value>, Failure> {
    let mut found = Vec::new();
    for page in 1..=PAGES {
        let (size, page) = (PAGE.to_string(), page.to_string());
        let query = [more, &[("per_page", size.as_str()), ("page", page.as_str())]].concat();
        let listed = line.get(place, &query).await?;
        let listed =
            listed.as_array().ok_or_else(|| Failure::nonsense(line.who(), "it lists no comments"))?;
        found.extend(listed.iter().cloned());
        if listed.len() < PAGE {
            break;
        }
    }
    Ok(found)
}
