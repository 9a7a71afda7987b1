//! Types of `schema/operations/logs.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// Which lines to sum up.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct LogsSummaryRequest {
    /// All accounts the caller may read unless given.
    pub account_id: Option<Uuid>,
    /// A selector, as of logs_query. Empty for every line.
    pub query: Option<String>,
    /// Seconds or milliseconds since 1970 UTC.
    pub start_time: Number,
    /// Seconds or milliseconds since 1970 UTC; not itself among them.
    pub end_time: Number,
    /// Equal parts of the window that are counted apart: 1 to 500; 60 unless given.
    pub parts: Option<i64>,
    /// Patterns in the answer, those with the most lines: 200 at most; none unless given.
    pub patterns: Option<i64>,
}

/// What lines of a window are like.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct LogsSummary {
    pub total: i64,
    pub levels: Vec<LogsLevelCount>,
    /// The window in order of time.
    pub parts: Vec<LogsPart>,
    /// How many patterns there are; 0 unless some were asked for.
    pub pattern_total: i64,
    /// Lines that are in no pattern: after 2,000 patterns no new one is kept.
    pub unmatched: i64,
    pub patterns: Vec<LogsPattern>,
}

/// Lines of a level.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct LogsLevelCount {
    /// error, warn, info or debug, whatever the program calls it.
    pub level: String,
    pub count: i64,
}

/// A part of the window, by level.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct LogsPart {
    pub error: i64,
    pub warn: i64,
    pub info: i64,
    pub debug: i64,
}

/// Messages that differ in numbers and names only.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct LogsPattern {
    /// The words, with <*> for what differs.
    pub template: String,
    pub count: i64,
    /// The worst level of its lines.
    pub level: String,
    /// UTC, of its first and last line in the window.
    pub first_at: String,
    pub last_at: String,
    /// One of its messages.
    pub example: String,
}

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
