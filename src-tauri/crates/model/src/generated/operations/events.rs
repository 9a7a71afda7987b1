//! Types of `schema/operations/events.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UpdateNBStatusResponse {
    pub new_status: String,
    pub prev_status: String,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventGetTriageOutput {
    pub correlated_events: Option<Vec<TriageCorrelatedEvent>>,
    pub correlation_count: i64,
    /// None of an event that has no place in a series.
    pub duplicate_info: Option<TriageDuplicateInfo>,
    pub event_id: String,
    /// What became of the events with its fingerprint; none without one.
    pub historical_stats: Option<TriageHistoricalStats>,
    /// The latest 168 hours in which one of the series began.
    pub hourly_trend: Option<Vec<TriageHourlyBucket>>,
    pub is_duplicate: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageDuplicateInfo {
    pub duplicate_chain: Option<Vec<TriageDuplicateEvent>>,
    pub first_event_id: String,
    pub occurrence_number: i64,
    pub total_occurrences: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageHistoricalStats {
    /// Of those that have ended; 0 when none has.
    pub avg_duration_hours: Number,
    pub closed_count: i64,
    /// Share of events that are CLOSED, 0 to 1.
    pub closure_rate: Number,
    pub firing_count: i64,
    pub first_seen_at: Option<String>,
    pub last_seen_at: Option<String>,
    /// Share of events that triage suppressed, dropped or called a duplicate, 0 to 1.
    pub noise_level: Number,
    /// Share of events that are RESOLVED, 0 to 1.
    pub resolution_rate: Number,
    pub resolved_count: i64,
    pub total_events: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageHourlyBucket {
    pub closed_count: i64,
    pub firing_count: i64,
    /// Its begin, UTC.
    pub hour: String,
    pub resolved_count: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventBackfillTriageOutput {
    /// Rows that relate two events, both ways counted.
    pub correlations_created: i64,
    pub duplicates_detected: i64,
    pub duration_seconds: Number,
    pub errors: i64,
    /// completed, or partial while more events are left.
    pub status: String,
    pub total_events: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventDeduplicateCorrelationsOutput {
    pub cloud_account_id: String,
    pub status: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventFilterValuesResponse {
    pub account_id: Option<String>,
    pub filters: Vec<EventFilterResult>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct EventFilterValuesRequest {
    pub account_id: Option<String>,
    pub end_time: Option<String>,
    pub filter_types: Vec<String>,
    pub label_key: Option<String>,
    pub limit: Option<i64>,
    pub start_time: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventFilterResult {
    pub filter_type: String,
    pub total: i64,
    pub values: Vec<EventFilterValueItem>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventFilterValueItem {
    pub count: Option<i64>,
    pub value: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ClassifyEventResponse {
    pub bulk_operation: Option<BulkOperationResponse>,
    pub classification_id: String,
    pub rule_created: bool,
    pub rule_expires_at: Option<String>,
    pub rule_id: Option<String>,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct BulkOperationResponse {
    pub events_to_update: i64,
    pub job_id: String,
    pub status: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ClassifyPreviewResponse {
    pub current_event: CurrentEventPreview,
    pub existing_events: ExistingEventsPreview,
    pub future_events: FutureEventsPreview,
    pub rule_to_create: Option<TriageRulePreview>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CurrentEventPreview {
    pub id: String,
    pub new_status: String,
    pub title: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ExistingEventsPreview {
    pub count: i64,
    pub sample_titles: Option<Vec<String>>,
    pub will_be_updated: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct FutureEventsPreview {
    pub rule_applies: bool,
    pub scope_description: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageRulePreview {
    pub action: String,
    pub expires_at: Option<String>,
    pub match_criteria: String,
    pub rule_type: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventClassification {
    pub apply_scope: String,
    pub apply_until: Option<String>,
    pub classification: String,
    pub classified_at: String,
    pub classified_by: String,
    pub cloud_account_id: String,
    pub corrected_priority: Option<String>,
    pub event_id: String,
    pub feature_snapshot: Option<String>,
    pub id: String,
    pub linked_event_id: Option<String>,
    pub original_priority: Option<String>,
    pub original_score: Option<i64>,
    pub priority_direction: Option<String>,
    pub reason_code: String,
    pub reason_text: Option<String>,
    pub tenant_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct GetBulkOperationStatusResponse {
    pub completed_at: Option<String>,
    pub error_message: Option<String>,
    pub job_id: String,
    pub processed_events: i64,
    pub status: String,
    pub total_events: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct CreateTriageRuleResponse {
    pub bulk_operation: Option<BulkOperationResponse>,
    pub error: Option<String>,
    pub rule: Option<TriageRule>,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageRule {
    pub account_id: Option<String>,
    pub action: String,
    pub action_value: Option<String>,
    pub can_override: bool,
    pub created_at: String,
    pub created_by: Option<String>,
    pub description: Option<String>,
    pub effective_from: Option<String>,
    pub effective_until: Option<String>,
    pub enabled: bool,
    pub id: String,
    pub is_editable: bool,
    pub is_overridden: Option<bool>,
    pub is_system_rule: Option<bool>,
    pub last_matched_at: Option<String>,
    pub match_alertname: Option<String>,
    pub match_count: i64,
    pub match_finding_type: Option<String>,
    pub match_fingerprint: Option<String>,
    pub match_labels: Option<String>,
    pub match_namespace: Option<String>,
    pub match_occurrence_greater_than: Option<i64>,
    pub match_priority: Option<String>,
    pub match_service: Option<String>,
    pub match_source: Option<String>,
    pub name: Option<String>,
    pub override_rule_id: Option<String>,
    pub priority: i64,
    pub reason: Option<String>,
    pub rule_type: String,
    pub tenant_id: Option<String>,
    pub updated_at: String,
    pub updated_by: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct UpdateTriageRuleResponse {
    pub bulk_operation: Option<BulkOperationResponse>,
    pub error: Option<String>,
    pub rule: Option<TriageRule>,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct DeleteTriageRuleResponse {
    pub error: Option<String>,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventGetTriageRulesOutput {
    pub rules: Vec<TriageRule>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct EventGetTriageRuleEventsOutput {
    pub events: Option<Vec<TriageRuleEventOutput>>,
    pub limit: Option<i64>,
    pub offset: Option<i64>,
    pub total: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct TriageRuleEventOutput {
    pub account_id: Option<String>,
    pub classification: Option<String>,
    pub classified_at: Option<String>,
    pub id: Option<String>,
    pub nb_status: Option<String>,
    pub priority: Option<String>,
    pub starts_at: Option<String>,
    pub status: Option<String>,
    pub subject_name: Option<String>,
    pub subject_namespace: Option<String>,
    pub subject_type: Option<String>,
    pub title: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventPreviewTriageRuleOutput {
    /// Stored events that `apply_to_existing` would change.
    pub matching_events_count: i64,
    pub new_status: String,
    /// As many days before now are gone through as if the rule had been there.
    pub recent_days: i64,
    /// Events of the account that began in these days.
    pub recent_events_count: i64,
    /// Those of them that the rule meets.
    pub recent_matching_events_count: i64,
    pub sample_events: Vec<RulePreviewSampleEvent>,
}

/// What became of events whose change was taken back.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventUndoBulkOperationOutput {
    /// Events that somebody has changed since: they stay as they are.
    pub events_kept: i64,
    pub events_put_back: i64,
    /// undone, or undoing while the service carries it on.
    pub status: String,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct RulePreviewSampleEvent {
    pub id: String,
    pub namespace: Option<String>,
    pub service: Option<String>,
    pub title: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ToggleSystemRuleOverrideResponse {
    pub error: Option<String>,
    pub is_overridden: Option<bool>,
    pub success: bool,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventResolveOutput {
    pub data: Vec<serde_json::Value>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct EventResolveInput {
    pub account_id: String,
    pub data: Option<serde_json::Value>,
    pub event_id: String,
    pub provider: Option<String>,
    pub provider_config: Option<ProviderConfig>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct EventUpdateRequest {
    pub event_id: String,
    pub urgency: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventTimelineOutput {
    pub event_id: String,
    pub timeline: Option<Vec<EventTimeline>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct EventTimeline {
    pub action: Option<String>,
    pub metadata: Option<serde_json::Value>,
    pub ref_id: Option<String>,
    pub ref_type: Option<String>,
    pub summary: Option<String>,
    pub timestamp: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventGetDuplicatesOutput {
    pub duplicate_chain: Option<Vec<TriageDuplicateEvent>>,
    pub event_id: String,
    pub first_event_id: Option<String>,
    pub is_duplicate: bool,
    pub occurrence_number: Option<i64>,
    pub total_occurrences: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageDuplicateEvent {
    pub created_at: String,
    pub event_id: String,
    pub event_starts_at: String,
    pub event_state: String,
    pub first_event_id: String,
    pub occurrence_number: i64,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventGetDuplicateSuggestionsOutput {
    pub suggestions: Vec<DuplicateSuggestion>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct DuplicateSuggestion {
    pub event_id: String,
    pub is_first: bool,
    pub occurrence_number: i64,
    pub starts_at: String,
    pub title: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct EventGetCorrelationsOutput {
    pub correlated_events: Option<Vec<TriageCorrelatedEvent>>,
    pub correlation_count: i64,
    pub event_id: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct TriageCorrelatedEvent {
    pub correlated_event_id: String,
    pub correlated_finding_type: Option<String>,
    pub correlated_fingerprint: String,
    pub correlated_starts_at: String,
    pub correlated_state: String,
    pub correlated_title: String,
    pub correlation_reason: String,
    pub correlation_score: Number,
    pub correlation_type: String,
    pub dependency_distance: i64,
    pub subject_name: Option<String>,
    pub subject_namespace: Option<String>,
    pub subject_owner: Option<String>,
    pub subject_owner_kind: Option<String>,
    pub time_offset_minutes: i64,
}
