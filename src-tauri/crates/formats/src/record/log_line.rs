//! Log lines.

use crate::record::Account;
use serde_json::{Map, Value};

/// One log line of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    pub account: Account,
    pub at: i64,
    /// The order among lines that share a time because they have none of their own. Negative: before the line with the time; positive: after
    /// it. `None` when the line has its own time.
    pub untimed_order: Option<i32>,
    /// `debug`, `info`, `warn`, `error`, `fatal`; `None` when the line states no severity.
    pub severity: Option<String>,
    pub message: String,
    pub labels: Map<String, Value>,
}
