//! Types of `schema/operations/events_listings.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct EventsRowResponse {
    pub id: Option<String>,
    pub created_at: Option<String>,
    pub updated_at: Option<String>,
    pub finding_id: Option<String>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub source: Option<String>,
    pub aggregation_key: Option<String>,
    pub failure: Option<String>,
    pub finding_type: Option<String>,
    pub category: Option<String>,
    pub priority: Option<String>,
    pub subject_type: Option<String>,
    pub subject_name: Option<String>,
    pub subject_namespace: Option<String>,
    pub subject_node: Option<String>,
    pub subject_owner: Option<String>,
    pub service_key: Option<String>,
    pub cluster: Option<String>,
    pub ends_at: Option<String>,
    pub starts_at: Option<String>,
    pub fingerprint: Option<String>,
    pub evidences: Option<String>,
    pub tenant_id: Option<String>,
    pub account_id: Option<String>,
    /// What it happened to.
    pub resource_id: Option<String>,
    pub status: Option<String>,
    pub principal: Option<String>,
    pub labels: Option<String>,
    pub urgency: Option<String>,
    pub computed_score: Option<i64>,
    pub computed_priority: Option<String>,
    pub score_factors: Option<serde_json::Value>,
    pub score_confidence: Option<Number>,
    pub nb_status: Option<String>,
    pub snoozed_until: Option<String>,
    pub nb_status_changed_at: Option<String>,
    pub nb_status_changed_by: Option<String>,
    /// The latest pull request that is to resolve it.
    pub pr_url: Option<String>,
    pub pr_title: Option<String>,
    /// Start of the first event with its fingerprint.
    pub fingerprint_first_seen_at: Option<String>,
    /// Whether that was within the last 7 days.
    pub is_new_issue: Option<bool>,
}
