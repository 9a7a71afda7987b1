//! A call of a task to something outside the planner, and what came of it.

use serde_json::Value;
use std::collections::BTreeSet;

/// A call to make outside the planner.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub path: String,
    pub task_id: String,
    pub kind: String,
    pub attempt: u32,
    /// Rendered, secrets included: for the call alone.
    pub params: Value,
    /// Names of the secrets in its parameters, as the definition writes them.
    pub secrets: BTreeSet<String>,
    /// How long it may take, µs.
    pub timeout: i64,
}

/// How a call ended that does not give an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFailure {
    /// For `non_retryable_error_types`.
    pub kind: String,
    pub message: String,
    pub is_timeout: bool,
}

impl TaskFailure {
    /// A failure of that kind.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), is_timeout: false }
    }
}

/// What came of something that is not the planner's: a call, a person's answer, another run.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOutcome {
    pub path: String,
    pub result: Result<Value, TaskFailure>,
}
