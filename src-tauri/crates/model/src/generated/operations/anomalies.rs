//! Types of `schema/operations/anomalies.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AnomalyGroupingsResponse {
    pub rows: Vec<AnomalyGroupingResponse>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AnomalyGroupingResponse {
    pub count: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct ListAnomalyWhereRequest {
    pub account_id: Option<QueryWhereStringRequest>,
    pub anomaly_type: Option<QueryWhereStringRequest>,
    pub config_id: Option<QueryWhereStringRequest>,
    pub is_anomaly: Option<QueryWhereBooleanRequest>,
    pub name: Option<QueryWhereStringRequest>,
    pub namespace: Option<QueryWhereStringRequest>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ListAnomalyResponse {
    pub rows: AnomalyResponse,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AnomalyResponse {
    pub account_id: String,
    pub anomaly_type: String,
    /// The rule that asked for the comparison.
    pub config_id: Option<String>,
    /// What was measured: an exact number.
    pub current_value: String,
    pub evaluated_at: Option<String>,
    pub id: String,
    pub is_anomaly: bool,
    /// The workload or service that was measured.
    pub name: String,
    /// Empty where there is none.
    pub namespace: String,
    /// What it was compared with: JSON, values of earlier periods by name.
    pub reference_value: String,
    pub updated_at: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct ListAnomalyV3WhereRequest {
    pub account_id: Option<QueryWhereStringRequest>,
    pub anomaly_type: Option<QueryWhereStringRequest>,
    pub name: Option<QueryWhereStringRequest>,
    pub namespace: Option<QueryWhereStringRequest>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct ListAnomalyV3Response {
    pub rows: AnomalyV3Response,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AnomalyV3Response {
    pub anomaly_count: Option<i64>,
    pub anomaly_type: String,
    pub count: Option<i64>,
    /// The newest comparison.
    pub evaluated_at: Option<String>,
    pub name: String,
    /// Empty where there is none.
    pub namespace: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct AnomalyTemplateListRequest {
    pub account_id: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct AnomalyTemplateListResponse {
    pub data: Option<Vec<AnomalyTemplateResponse>>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AnomalyTemplateResponse {
    pub anomaly_type: String,
    /// How far from the reference is still ordinary: 0.1 is a tenth.
    pub buffer_percentage: Number,
    pub change_operator: String,
    pub description: String,
    pub title: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AnomalyConfigCreateRequest {
    pub account_id: String,
    pub anomaly_type: AnomalyType,
    /// How far from the reference is still ordinary, in percent; 20 unless given.
    pub buffer_percentage: Option<Number>,
    /// Which way a change counts; GT unless given.
    pub change_operator: Option<AnomalyChangeOperator>,
    /// How far back the reference reaches: 12h, 7d, 1w.
    pub reference_period: Option<String>,
    /// How the reference is taken from its values: a percentile such as P99 (which it is unless given), MEDIAN, AVG, MIN or MAX.
    pub reference_unit: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AnomalyConfigUpdateRequest {
    pub id: String,
    pub buffer_percentage: Option<Number>,
    pub change_operator: Option<AnomalyChangeOperator>,
    pub reference_period: Option<String>,
    pub reference_unit: Option<String>,
    pub enabled: Option<bool>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AnomalyConfigResponse {
    pub id: String,
    pub account_id: String,
    pub anomaly_type: String,
    pub buffer_percentage: Number,
    pub change_operator: String,
    pub reference_period: String,
    pub reference_unit: String,
    pub enabled: bool,
    pub updated_at: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct SpendAnomaliesAnalyseRequest {
    /// The last day that is looked at, such as 2026-06-18; today unless given.
    pub as_of: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendAnomaliesAnalyseResponse {
    /// The last day that was looked at.
    pub as_of: String,
    /// The newest day with a charge of usage; none without any.
    pub newest: Option<String>,
    pub rule_version: String,
    /// Series that were judged, and their days (or hours).
    pub series: i64,
    pub days: i64,
    /// Anomalies that are new, changed, gone.
    pub added: i64,
    pub updated: i64,
    pub removed: i64,
    /// Of costs.
    pub findings: Vec<SpendAnomaly>,
    /// Of measurements and numbers of events, as rules (`anomaly_config`) ask for.
    pub measured: Vec<MeasuredAnomaly>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct MeasuredAnomaly {
    pub id: String,
    /// `metric`, or `events` for a number of events.
    pub scope: String,
    pub account_id: String,
    /// The workload, resource or kind of events.
    pub name: String,
    pub namespace: Option<String>,
    /// As the rule has it.
    pub anomaly_type: String,
    /// The rule that asked for it.
    pub config_id: String,
    /// Of the values; empty where files say none.
    pub unit: String,
    /// In its first hour, or on its first day.
    pub current_value: Number,
    /// First and last day out of the ordinary.
    pub started_on: String,
    pub ended_on: String,
    /// NEW, GROWING or OVER.
    pub state: String,
    pub rule_version: String,
    /// All that the verdict rests on, so that it can be worked out again by hand.
    pub reference_value: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendAnomaly {
    pub id: String,
    /// `service`, `tag` for a value of a declared tag, or `total` for all accounts together.
    pub scope: String,
    /// The account; of a value of a tag and of a total, the tenant.
    pub account_id: String,
    /// The service; of a value of a tag `key: value`, of a total the service with the largest part in it.
    pub name: String,
    /// CloudSpendService, CloudSpendTag, CloudSpendTotal, or new_service for a service that was not there before.
    pub anomaly_type: String,
    pub currency: String,
    /// What the first day cost.
    pub current_value: Number,
    /// First and last day out of the ordinary.
    pub started_on: String,
    pub ended_on: String,
    /// NEW, GROWING or OVER.
    pub state: String,
    /// What the days cost beside what was expected, added up.
    pub impact: Number,
    pub rule_version: String,
    /// All that the verdict rests on, so that it can be worked out again by hand.
    pub reference_value: serde_json::Value,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SpendAnomalyDriversRequest {
    pub anomaly_id: String,
    /// Rows of a dimension; the others are told together. 10 unless given, at most 100.
    pub limit: Option<i64>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendAnomalyDriversResponse {
    pub anomaly_id: String,
    pub currency: String,
    /// Σ(actual − expected) of the anomaly.
    pub impact: Number,
    /// By dimension, the largest amount first.
    pub rows: Vec<SpendAnomalyDriver>,
    /// What the series cost day by day, from six weeks before the anomaly until two weeks after it; of one by the hour, hour by hour from three days before.
    pub days: Vec<SpendAnomalyDay>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendAnomalyDay {
    /// Such as 2026-06-18, or 2026-06-18T13:00:00 for an hour.
    pub date: String,
    pub amount: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct SpendAnomalyDriver {
    /// account, service, resource, usage_type, meter or price_or_quantity. Of the last, where charges say how much was used: `quantity` goes from what was
    /// expected to what the used quantity would have cost at the price of the days that were compared with, `price` from there to what it cost;
    /// `quantity not known` is of charges that do not say.
    pub dimension: String,
    /// Id of an account or resource.
    pub id: Option<String>,
    /// How it is called; empty where charges do not say.
    pub name: String,
    /// What it cost on the days of the anomaly.
    pub actual: Number,
    /// What was to be expected of it: what it cost on the days that were compared with, brought to what the anomaly expects.
    pub expected: Number,
    /// actual − expected.
    pub amount: Number,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct AnomalyFeedbackRequest {
    pub anomaly_id: String,
    /// useful, expected or wrong; none takes back what the caller said before.
    pub verdict: Option<String>,
    /// With `expected`: the last day on which something of the kind is expected. What goes on after it is judged again.
    pub expected_until: Option<String>,
    pub note: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AnomalyFeedbackResponse {
    pub anomaly_id: String,
    /// What stands of it now; none when nobody has said anything.
    pub verdict: Option<String>,
    pub expected_until: Option<String>,
}
