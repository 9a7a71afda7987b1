//! What tasks about tickets give, wherever the ticket is.

use catalogue::format_timestamp;
use serde::Serialize;
use trackers::issues::{Comment, Issue};
use uuid::Uuid;

/// What `tickets.get` gives.
#[derive(Debug, Default, Serialize)]
pub struct TicketRead {
    /// The ticket here, where it was opened from here.
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
    /// Why the tracker has not taken it.
    pub message: Option<String>,
}

impl TicketRead {
    /// Of a ticket as its tracker has it; `id` is its id here.
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

/// RFC 3339.
fn zoned(micros: i64) -> String {
    format!("{}Z", format_timestamp(micros))
}

/// What a task gives that changed a ticket.
#[derive(Debug, Serialize)]
pub struct TicketChanged {
    pub ticket_id: String,
    pub status: Option<String>,
    /// open, done, refused or unknown.
    pub state: &'static str,
    pub assignee: Vec<String>,
    pub message: String,
}

impl TicketChanged {
    /// Of a ticket as its tracker has it now.
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

/// What `tickets.add_comment` gives.
#[derive(Debug, Serialize)]
pub struct CommentSaid {
    pub ticket_id: String,
    pub comment: String,
    /// Whether an earlier try had said it.
    pub was_there: bool,
}

/// What `tickets.get_comments` gives.
#[derive(Debug, Serialize)]
pub struct CommentsRead {
    ticket_id: String,
    comments: Vec<CommentRead>,
}

#[derive(Debug, Serialize)]
struct CommentRead {
    id: String,
    author: String,
    comment: String,
    created_at: Option<String>,
}

impl CommentsRead {
    /// Of what was said on a ticket.
    pub fn of(ticket_id: String, said: Vec<Comment>) -> Self {
        let comment = |one: Comment| CommentRead {
            id: one.id,
            author: one.author,
            comment: one.text,
            created_at: one.created_at.map(zoned),
        };
        Self { ticket_id, comments: said.into_iter().map(comment).collect() }
    }
}
