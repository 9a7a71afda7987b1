//! Types of `schema/operations/automation.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// Recommendations.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AutoOptimizeRecommendationOutput {
    pub recommendation: Option<Vec<Uuid>>,
}

/// Resources of an account.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoOptimizeWorkloadInput {
    pub account_id: Uuid,
    pub resource_filter: Vec<Option<AutopilotResourceFilter>>,
    /// Auto-pilots of this status only.
    pub status: Option<String>,
}

/// A resource. What is left out or empty fits everything.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutopilotResourceFilter {
    pub name: Option<String>,
    pub namespace: String,
    /// Such as Deployment; upper and lower case are the same.
    pub r#type: Option<String>,
}

/// An auto-pilot.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoOptimizeInsertOneOutput {
    pub id: Uuid,
}

/// A new auto-pilot.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoOptimizeInsertOne {
    pub account_id: Uuid,
    pub auto_optimize_config: Option<serde_json::Value>,
    /// vertical_rightsize, horizontal_rightsize, pvc_rightsize or continuous_rightsize.
    pub category: String,
    /// It says what it would do, and does nothing.
    pub dryrun: bool,
    pub gitops: Option<AutoOptimizeGitopsConfig>,
    pub notification: AutopilotNotification,
    /// Which resources it looks after; at least one.
    pub resource_filter: Vec<Option<AutopilotResourceFilter>>,
    pub schedule: AutopilotSchedule,
    pub ticket_config: Option<AutoOptimizeTicketConfig>,
}

/// Whether changes are made through a repository.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AutoOptimizeGitopsConfig {
    /// What pull requests are merged into; the usual branch unless given.
    pub base_branch: Option<String>,
    /// Address of one's own GitHub or GitLab.
    pub base_url: Option<String>,
    pub enabled: Option<bool>,
    /// The file with the manifest; {namespace}, {name}, {kind} and {container} stand for those of the workload.
    pub path: Option<String>,
    /// github or gitlab; github unless given.
    pub provider: Option<String>,
    pub repository_name: Option<String>,
}

/// Who hears of runs, by channel.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AutopilotNotification {
    pub email: Option<AutopilotNotificationEnable>,
    pub google_chat: Option<AutopilotGoogleChatNotificationConfig>,
    pub ms_teams: Option<AutopilotMsTeamsNotificationConfig>,
    pub slack: Option<AutopilotSlackNotificationConfig>,
}

/// Whether this channel is told.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutopilotNotificationEnable {
    pub enabled: bool,
}

/// Google Chat.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutopilotGoogleChatNotificationConfig {
    pub channel_id: Option<String>,
    pub enabled: bool,
}

/// Microsoft Teams.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutopilotMsTeamsNotificationConfig {
    pub channel_id: Option<String>,
    pub enabled: bool,
    pub team_id: Option<String>,
}

/// Slack.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutopilotSlackNotificationConfig {
    pub channel_id: Option<String>,
    pub enabled: bool,
}

/// When an auto-pilot runs.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AutopilotSchedule {
    pub end_date: Option<String>,
    /// A cron line, in UTC unless it begins with a time zone: `CRON_TZ=Europe/Berlin 0 5 * * *`. Unless given: hourly at :50 for horizontal, at :00 for pvc, every quarter of an hour for continuous; vertical needs one.
    pub frequency: Option<String>,
    pub start_date: Option<String>,
}

/// Whether tickets are opened for what it finds, and how.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AutoOptimizeTicketConfig {
    pub additional_fields: Option<serde_json::Value>,
    pub assignee: Option<String>,
    pub configuration_id: Option<String>,
    pub description: Option<String>,
    pub enabled: Option<bool>,
    pub platform: Option<String>,
    pub project_key: Option<String>,
    pub severity: Option<String>,
    pub source: Option<String>,
    /// Task unless given.
    pub ticket_type: Option<String>,
}

/// An auto-pilot, and what is written over it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoOptimizeUpdateOne {
    pub account_id: Uuid,
    pub auto_optimize_config: Option<serde_json::Value>,
    /// Must be the one it has.
    pub category: String,
    pub dryrun: bool,
    pub gitops: Option<AutoOptimizeGitopsConfig>,
    pub id: Uuid,
    pub notification: AutopilotNotification,
    pub resource_filter: Vec<Option<AutopilotResourceFilter>>,
    pub schedule: AutopilotSchedule,
    pub ticket_config: Option<AutoOptimizeTicketConfig>,
}

/// Which auto-pilot, and what it becomes.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoOptimizeUpdateStatusRequest {
    pub account_id: Uuid,
    pub id: Uuid,
    pub status: String,
}

/// What it is now.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoOptimizeUpdateStatusResponse {
    pub status: String,
}

/// Which auto-pilot, and by how long.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoOptimizeSkipRequest {
    pub by_minutes: Option<i64>,
    pub id: Uuid,
}

/// When it runs next.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoOptimizeSkipResponse {
    pub message: String,
}

/// A new policy.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct CreateApprovalInput {
    pub account_id: Uuid,
    /// How many reviewers must agree; 1 unless given.
    pub minimum_approval: Option<i64>,
    /// People whose auto-pilots need consent; none means all.
    pub reviewees: Option<Vec<Option<Uuid>>>,
    /// People who give consent; at least as many as must agree.
    pub reviewers: Option<Vec<Option<Uuid>>>,
}

/// The new policy.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct CreateApprovalOutput {
    pub id: Option<Uuid>,
}

/// A policy, and what is written over it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct UpdateApprovalInput {
    pub account_id: Uuid,
    pub id: Uuid,
    pub minimum_approval: Option<i64>,
    pub reviewees: Option<Vec<Option<Uuid>>>,
    pub reviewers: Option<Vec<Option<Uuid>>>,
}

/// The policy.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct UpdateApprovalOutput {
    pub id: Option<Uuid>,
}

/// Which policy.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoPilotPolicyDeleteInput {
    pub account_id: Uuid,
    pub id: Uuid,
}

/// The policy that was removed.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoPilotPolicyDeleteOutput {
    pub id: Uuid,
}

/// What a reviewer says.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutopilotApprovalUpdateInput {
    pub account_id: Uuid,
    pub approval_id: Uuid,
    pub reviewer_comments: Option<String>,
    /// APPROVED or REJECTED.
    pub status: String,
}

/// The consent.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutopilotApprovalUpdateOutput {
    pub id: Uuid,
}

/// A new playbook.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookInsertOne {
    pub account_id: Uuid,
    /// It says what it would do, and does nothing.
    pub dryrun: bool,
    pub name: String,
    pub notification: AutoPlaybookNotification,
    pub resource_filter: Vec<ResourceFilterRequest>,
    pub tasks: Vec<AutoPlaybookTaskInput>,
    /// What starts it, such as {"type": "event"}.
    pub trigger: serde_json::Value,
}

/// Who hears of runs, by channel.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AutoPlaybookNotification {
    pub email: Option<AutoPlaybookNotificationEnable>,
    pub google_chat: Option<AutoPlaybookNotificationEnable>,
    pub ms_teams: Option<AutoPlaybookNotificationEnable>,
    pub slack: Option<AutoPlaybookNotificationEnable>,
}

/// Whether this channel is told.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoPlaybookNotificationEnable {
    pub enabled: bool,
}

/// A resource. What is empty fits everything.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ResourceFilterRequest {
    pub name: String,
    pub namespace: String,
    pub r#type: String,
}

/// One step.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoPlaybookTaskInput {
    pub config: serde_json::Value,
    /// Name of an action; auto_playbook_actions lists those that come with the service.
    pub r#type: String,
}

/// The playbook.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AutoRunbookInsertOneOutput {
    /// Always null: mistakes come as errors of the request.
    pub error: Option<String>,
    pub id: Option<Uuid>,
}

/// A playbook, and what is written over it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookEditOne {
    pub account_id: Uuid,
    pub dryrun: bool,
    pub id: Uuid,
    pub name: String,
    pub notification: AutoPlaybookNotification,
    pub resource_filter: Vec<ResourceFilterRequest>,
    pub tasks: Vec<AutoPlaybookTaskInput>,
    pub trigger: serde_json::Value,
}

/// Which playbook, and what it becomes.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookUpdateStatusRequest {
    pub id: Uuid,
    pub status: String,
}

/// What it is now.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoRunbookUpdateStatusResponse {
    pub status: String,
}

/// Which playbook.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookManualRunRequest {
    /// An event of the playbook's account that it runs for: its steps have it as `event`, as in a run that the event starts, and its history names the run.
    pub event_id: Option<Uuid>,
    pub id: Uuid,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoRunbookManualRunResponse {
    pub status: String,
}

/// Which task.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookTaskManualRunRequest {
    pub id: Uuid,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoRunbookTaskManualRunResponse {
    pub status: String,
}

/// Which run, and by how long.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookSkipRequest {
    /// It is put off by so long; without it, it will not be done.
    pub by_minutes: Option<i64>,
    /// A run, or a playbook for all its runs that have not begun.
    pub id: Uuid,
}

/// What came of it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoRunbookSkipResponse {
    pub message: String,
}

/// What a person says of a task.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoRunbookTaskApprovalRequestBody {
    pub account_id: Uuid,
    /// APPROVED or REJECTED.
    pub status: String,
    pub task_id: Uuid,
}

/// The task.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoRunbookTaskApprovalResponse {
    pub id: String,
}

/// Which auto-pilot.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AutoOptimizeRunRequest {
    pub account_id: Uuid,
    pub id: Uuid,
}

/// What it did, or would do.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutoOptimizeRunResponse {
    pub id: Uuid,
    pub message: String,
    /// How many recommendations it took up.
    pub tasks: i64,
}
