//! Lines of logs.

use crate::record::Account;
use serde_json::{Map, Value};

/// One line that a program wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    pub account: Account,
    pub at: i64,
    /// Where it stands among the lines that have the same time because they have none of their own: in front of the line with the time below 0, behind
    /// it above; none where the time is its own.
    pub place_at_time: Option<i32>,
    /// `debug`, `info`, `warn`, `error`, `fatal`; `None` where the line says nothing.
    pub severity: Option<String>,
    pub message: String,
    pub labels: Map<String, Value>,
}
