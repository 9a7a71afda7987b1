//! Lines of logs.

use crate::record::Account;
use serde_json::{Map, Value};

/// One line that a program wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    pub account: Account,
    pub at: i64,
    /// `debug`, `info`, `warn`, `error`, `fatal`; `None` where the line says nothing.
    pub severity: Option<String>,
    pub message: String,
    pub labels: Map<String, Value>,
}
