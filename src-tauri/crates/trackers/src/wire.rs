//! Opening and finding tickets, and testing connections, with one file for each tool.

mod github;
mod gitlab;
mod jira;
mod pagerduty;
mod servicenow;

use crate::client::TrackerClient;
use crate::failure::Failure;
use crate::tool::Tool;
use crate::{OpenedTicket, Ticket};

pub(crate) async fn check(line: &TrackerClient<'_>) -> Result<String, Failure> {
    match line.tracker.tool {
        Tool::GitHub => github::check(line).await,
        Tool::GitLab => gitlab::check(line).await,
        Tool::Jira => jira::check(line).await,
        Tool::PagerDuty => pagerduty::check(line).await,
        Tool::ServiceNow => servicenow::check(line).await,
    }
}

/// The ticket with that marker; `None` if the tracker does not have it.
pub(crate) async fn find(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<Option<OpenedTicket>, Failure> {
    match line.tracker.tool {
        Tool::GitHub => github::find(line, ticket).await,
        Tool::GitLab => gitlab::find(line, ticket).await,
        Tool::Jira => jira::find(line, ticket).await,
        Tool::PagerDuty => pagerduty::find(line, ticket).await,
        Tool::ServiceNow => servicenow::find(line, ticket).await,
    }
}

pub(crate) async fn create(line: &TrackerClient<'_>, ticket: &Ticket) -> Result<OpenedTicket, Failure> {
    match line.tracker.tool {
        Tool::GitHub => github::create(line, ticket).await,
        Tool::GitLab => gitlab::create(line, ticket).await,
        Tool::Jira => jira::create(line, ticket).await,
        Tool::PagerDuty => pagerduty::create(line, ticket).await,
        Tool::ServiceNow => servicenow::create(line, ticket).await,
    }
}
