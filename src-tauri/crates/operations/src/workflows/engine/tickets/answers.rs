//! The outputs of ticket tasks, both for tickets in a tracker and for those stored here.

use catalogue::format_timestamp;
use serde::Serialize;
use trackers::issues::{Comment, Issue};
use uuid::Uuid;

/// The output of `tickets.get`.
#[derive(Debug, Default, Serialize)]
pub struct TicketDetails {
    /// The ticket's id here, if it was opened here.
    pub id: Option<Uuid>,
    pub ticket_id: String,
    pub title: String,
    pub description: Option<String>,
    pub status: Option<String>,
    /// open, done, refused or unknown.
    pub state: &'static str,
    pub resolution: Option<String>,
    pub severity: Option<String>,
    pub assignee: Option<String>,
    pub assignees: Vec<String>,
    pub reporter: Option<String>,
    pub labels: Vec<String>,
    pub milestone: Option<String>,
    pub project_key: Option<String>,
    pub platform: &'static str,
    pub url: Option<String>,
    pub created_at: Option<String>,
    pub updated_at: Option<String>,
    /// The reason why the tracker has not accepted it.
    pub message: Option<String>,
}

impl TicketDetails {
    /// The output for a ticket in a tracker; `id` is its id here.
    pub fn of(id: Option<Uuid>, platform: &'static str, issue: Issue) -> Self {
        Self {
            id,
            ticket_id: issue.ticket_id,
            title: issue.title,
            description: Some(issue.description),
            status: Some(issue.status),
            state: issue.state.name(),
            resolution: issue.resolution,
            severity: issue.severity,
            assignee: issue.assignees.first().cloned(),
            assignees: issue.assignees,
            reporter: issue.reporter,
            labels: issue.labels,
            milestone: issue.milestone,
            project_key: Some(issue.project).filter(|project| !project.is_empty()),
            platform,
            url: Some(issue.url),
            created_at: issue.created_at.map(zoned),
            updated_at: issue.updated_at.map(zoned),
            message: None,
        }
    }
}

/// Formats a time in µs since 1970 UTC as RFC 3339.
fn zoned(micros: i64) -> String {
    format!("{}Z", format_timestamp(micros))
}

/// The output of a task that changed a ticket.
#[derive(Debug, Serialize)]
pub struct TicketUpdate {
    pub ticket_id: String,
    pub status: Option<String>,
    /// open, done, refused or unknown.
    pub state: &'static str,
    pub assignee: Vec<String>,
    pub message: String,
}

impl TicketUpdate {
    /// The output for a ticket in a tracker, in its current state.
    pub fn of(issue: Issue) -> Self {
        let message = format!("{} is {}", issue.ticket_id, issue.status);
        Self {
            ticket_id: issue.ticket_id,
            status: Some(issue.status),
            state: issue.state.name(),
            assignee: issue.assignees,
            message,
        }
    }
}

/// The output of `tickets.add_comment`.
#[derive(Debug, Serialize)]
pub struct AddedComment {
    pub ticket_id: String,
    pub comment: String,
    /// Whether an earlier attempt had already added it.
    pub was_there: bool,
}

/// The output of `tickets.get_comments`.
#[derive(Debug, Serialize)]
pub struct CommentList {
    ticket_id: String,
    comments: Vec<CommentDetails>,
}

#[derive(Debug, Serialize)]
struct CommentDetails {
    id: String,
    author: String,
    comment: String,
    created_at: Option<String>,
}

impl CommentList {
    /// The output for the comments of a ticket.
    pub fn of(ticket_id: String, said: Vec<Comment>) -> Self {
        let comment = |one: Comment| CommentDetails {
            id: one.id,
            author: one.author,
            comment: one.text,
            created_at: one.created_at.map(zoned),
        };
        Self { ticket_id, comments: said.into_iter().map(comment).collect() }
    }
}
