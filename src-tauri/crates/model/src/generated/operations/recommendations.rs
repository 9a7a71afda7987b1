//! Types of `schema/operations/recommendations.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct RecommendationsAnalyseRequest {
    /// The last day that is looked at, such as 2026-06-18; today unless given.
    pub as_of: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RecommendationsAnalyseResponse {
    pub as_of: String,
    /// The newest day of the bill up to there.
    pub newest: Option<String>,
    pub added: i64,
    pub updated: i64,
    pub removed: i64,
    pub reopened: i64,
    pub closed: i64,
    /// Closed recommendations whose proof has changed.
    pub proved: i64,
    pub findings: Vec<RecommendationFinding>,
}

/// What a rule finds.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RecommendationFinding {
    /// Of the recommendation that tells it.
    pub id: Uuid,
    pub rule_name: String,
    pub rule_version: String,
    pub account_id: Uuid,
    pub resource_id: Option<Uuid>,
    pub account_object_id: String,
    pub status: String,
    pub severity: String,
    pub currency: Option<String>,
    /// Per month.
    pub estimated_savings: Number,
    /// As `recommendation.recommendation` holds it.
    pub recommendation: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct SavingsLedgerRequest {
    /// Accounts; all unless given.
    pub account_ids: Option<Vec<String>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SavingsLedgerResponse {
    pub currencies: Vec<SavingsLedgerCurrency>,
}

/// Savings in one currency.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SavingsLedgerCurrency {
    pub currency: String,
    /// Recommendations that are open, and what they are estimated to save a month.
    pub identified: SavingsLedgerSum,
    /// Those that are closed without a proof: their estimates.
    pub closed: SavingsLedgerSum,
    /// Those whose saving later bills prove in full or in part: what the newest month saved.
    pub verified: SavingsLedgerSum,
    /// Those where later bills show no saving: their estimates.
    pub none: SavingsLedgerSum,
    /// What was saved, by calendar month.
    pub months: Vec<SavingsLedgerMonth>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SavingsLedgerSum {
    pub count: i64,
    pub amount: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SavingsLedgerMonth {
    /// Such as 2026-06.
    pub month: String,
    pub count: i64,
    pub before: Number,
    pub after: Number,
    pub saved: Number,
}

/// A change that is being taken back.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RecommendationUndo {
    /// As a person would type them.
    pub commands: Vec<String>,
    /// The run.
    pub execution_id: Uuid,
    pub message: String,
    pub resolution_id: Uuid,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RecommendationStatusResponse {
    pub new_status: String,
    pub prev_status: String,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ApplyRecommendationInput {
    pub account_id: String,
    /// What the provider needs to know.
    pub data: Option<serde_json::Value>,
    /// Who carries it out: github, jira, aws, …
    pub provider: Option<String>,
    pub provider_config: Option<ProviderConfig>,
    pub recommendation_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct ProviderConfig {
    /// Of pull requests (`github` and `gitlab`): what it is merged into; the usual branch unless given.
    pub base_branch: Option<String>,
    /// Of pull requests: address of one's own service.
    pub base_url: Option<String>,
    /// Of tickets: the tracker, where several are connected; `recommendation_get_plan` names them.
    pub integration_id: Option<Uuid>,
    /// Of pull requests: the repository, where `repository` is not given.
    pub name: Option<String>,
    /// Of pull requests: the file with the manifest; {namespace}, {name}, {kind} and {container} stand for those of the workload.
    pub path: Option<String>,
    /// Of tickets: the project of the tracker; its own unless given.
    pub project_key: Option<String>,
    /// Of pull requests: the repository, such as acme/shop.
    pub repository: Option<String>,
    /// Of tickets: how urgent it is.
    pub severity: Option<String>,
    /// Of the provider `workflow`: the workflow that is run.
    pub workflow_id: Option<Uuid>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ApplyRecommendationOutput {
    /// recommendation_id, resolution_id, status, recommendation_status, message.
    pub data: Vec<serde_json::Value>,
}

/// Which recommendations, and how.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct ExportRecommendationRequest {
    pub account_id: String,
    pub category: Option<String>,
    /// csv or json.
    pub format: String,
    pub namespace: Option<String>,
    pub rule_name: Option<String>,
    pub status: Option<String>,
    /// Name of the resource.
    pub workload_name: Option<String>,
    /// Type of the resource.
    pub workload_type: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ExportRecommendationResponse {
    pub content_type: String,
    /// The file, in base64.
    pub file_data: String,
    pub filename: String,
    pub record_count: Option<i64>,
}

/// How a recommendation can be carried out.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RecommendationPlan {
    pub ways: Vec<RecommendationWay>,
}

/// One way to carry a recommendation out.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RecommendationWay {
    /// The commands, as a person would type them.
    pub commands: Vec<String>,
    /// The tracker that gets the ticket: `apply_recommendations` takes it as `provider_config.integration_id`.
    pub integration_id: Option<Uuid>,
    /// As people call that tracker.
    pub integration_name: Option<String>,
    /// Whether it is possible here.
    pub is_possible: bool,
    /// What is written into a repository.
    pub patch: Option<String>,
    /// What would happen, for a person.
    pub plan: String,
    /// What `apply_recommendations` takes as provider; empty: a person carries it out.
    pub provider: String,
    /// Why it is not possible.
    pub reason: Option<String>,
    /// DeploymentChange, Ticket, CloudResource, WorkflowExecution or PullRequest, which needs a repository and a path (`provider_config`).
    pub r#type: String,
}
