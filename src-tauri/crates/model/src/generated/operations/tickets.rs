//! Types of `schema/operations/tickets.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// A connection to a tracker.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct TicketIntegrationCreateConfigInput {
    /// basic or token; by whether there is a username unless given.
    pub auth_type: Option<String>,
    /// `project`: where tickets go that name none. `is_active`: true or false.
    pub config_values: Option<Vec<Option<TicketIntegrationConfigValueInput>>>,
    /// One that is there already.
    pub id: Option<Uuid>,
    pub name: String,
    /// The password, or the token.
    pub password: Option<String>,
    /// github, gitlab, jira, pagerduty or servicenow.
    pub tool: String,
    /// Its address; github, gitlab and pagerduty have a usual one.
    pub url: Option<String>,
    /// Needed with a password, and for PagerDuty: the e-mail address in whose name incidents are opened.
    pub username: Option<String>,
}

/// A further value of a connection.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct TicketIntegrationConfigValueInput {
    pub name: String,
    pub value: String,
}

/// The connection.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TicketIntegrationCreateConfigOutput {
    pub id: Uuid,
}

/// What trying a connection out has shown.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TicketTestConnectionOutput {
    pub success: bool,
    /// Whom the tracker takes us for.
    pub message: Option<String>,
    pub tool: Option<String>,
    pub projects_count: Option<i64>,
    /// Why not, in the tracker's words.
    pub error: Option<String>,
}

/// A ticket.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct TicketsInsertOneInput {
    /// Needed.
    pub title: Option<String>,
    pub description: Option<String>,
    /// How urgent it is.
    pub severity: Option<String>,
    /// The connection to the tracker; the only active one unless given. All zeros: none, it stays here.
    pub integration_id: Option<Uuid>,
    /// The project of the tracker; the connection's own unless given.
    pub project_key: Option<String>,
    /// What it is opened from: ui unless given.
    pub source: Option<String>,
    pub account_id: Option<Uuid>,
}

/// The ticket that was kept.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TicketsInsertOneOutput {
    pub data: TicketInsertDataResp,
}

/// The ticket that was kept.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TicketInsertDataResp {
    pub insert_tickets_one: InsertTicketOneResp,
}

/// The ticket that was kept.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct InsertTicketOneResp {
    pub action: Option<String>,
    pub error: Option<String>,
    pub id: Option<Uuid>,
    /// What became of it.
    pub message: Option<String>,
    /// Its number in the tracker; `QD-1` and so on until a tracker has given it one.
    pub ticket_id: Option<String>,
    /// Where the tracker has it.
    pub url: Option<String>,
}
