//! A task's call to something outside the planner, and its result.

use serde_json::Value;
use std::collections::BTreeSet;

/// A call to make outside the planner.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub path: String,
    pub task_id: String,
    pub kind: String,
    pub attempt: u32,
    /// Rendered, including secrets: only for the call itself.
    pub params: Value,
    /// Names of the secrets used in the parameters, as in the definition.
    pub secrets: BTreeSet<String>,
    /// Timeout in µs.
    pub timeout: i64,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFailure {
    /// The error type, matched with `non_retryable_error_types`.
    pub kind: String,
    pub message: String,
    pub is_timeout: bool,
}

impl TaskFailure {
    /// A failure of that type.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), is_timeout: false }
    }
}

/// The result of something outside the planner: a call, a person's answer or another run.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOutcome {
    pub path: String,
    pub result: Result<Value, TaskFailure>,
}
