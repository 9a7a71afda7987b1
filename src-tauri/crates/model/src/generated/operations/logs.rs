//! Types of `schema/operations/logs.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// Which log lines.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct FetchLogRequest {
    pub account_id: String,
    /// Seconds or milliseconds since 1970 UTC; not itself among the answers.
    pub end_time: Number,
    /// 1 to 10000.
    pub limit: Option<i64>,
    /// Lines are stored here: whatever is named is answered from these.
    pub log_provider: Option<String>,
    pub log_provider_source: Option<String>,
    pub offset: Option<i64>,
    /// A selector: {app="web", ns=~"shop.*"} |= "timeout", or app=web,tier in (front,back). Empty for every line.
    pub query: String,
    pub query_request: Option<serde_json::Value>,
    pub request: Option<serde_json::Value>,
    /// By timestamp; newest first unless it says asc.
    pub sort_fields: Option<Vec<Option<SortField>>>,
    /// Seconds or milliseconds since 1970 UTC.
    pub start_time: Number,
    pub step_interval: Option<i64>,
}

/// An order.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct SortField {
    pub column_name: String,
    pub order: String,
}

/// A log line.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct FetchLogResponse {
    pub labels: serde_json::Value,
    pub message: String,
    pub severity: String,
    /// UTC, such as 2026-11-20T05:00:00Z.
    pub timestamp: String,
}

/// Which log lines.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct LogsQueryInput {
    /// All accounts the caller may read unless given.
    pub account_id: Option<Uuid>,
    /// A selector: {app="web", ns=~"shop.*"} |= "timeout", or app=web,tier in (front,back). Empty for every line.
    pub query: Option<String>,
    /// ISO 8601; an hour before the end unless given.
    pub start: Option<String>,
    /// ISO 8601; now unless given. Not itself among the answers.
    pub end: Option<String>,
    /// 1 to 10000; 1000 unless given.
    pub limit: Option<i64>,
}

/// Which lines to look at for labels.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct FetchLogLabelRequest {
    pub account_id: String,
    /// Seconds or milliseconds since 1970 UTC; now unless given. Not itself among them.
    pub end_time: Option<Number>,
    /// Where lines come from. Lines stored here are looked at, wherever they came from.
    pub log_provider: Option<String>,
    /// More for that source; not looked at.
    pub request: Option<serde_json::Value>,
    /// An hour before the end unless given.
    pub start_time: Option<Number>,
}

/// Which lines to look at for values of a label.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct FetchLogLabelValuesRequest {
    pub account_id: String,
    pub end_time: Option<Number>,
    pub label_name: String,
    pub log_provider: Option<String>,
    pub request: Option<serde_json::Value>,
    pub start_time: Option<Number>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct OutputLogLabel {
    pub attributes: Option<serde_json::Value>,
    pub label: String,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct OutputLogLabelValue {
    pub attributes: Option<serde_json::Value>,
    pub value: String,
}
