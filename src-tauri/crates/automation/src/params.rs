//! Parameters of a task as texts, what is wrong with them, and what a task gives.

use crate::call::TaskFailure;
use crate::template::to_text;
use serde::Serialize;
use serde_json::Value;

pub(crate) fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

/// What a task gives, as it is kept.
pub(crate) fn given(output: &impl Serialize) -> Result<Value, TaskFailure> {
    serde_json::to_value(output).map_err(|error| wrong(error.to_string()))
}

/// A parameter by its name here, or as the reference writes it.
pub(crate) fn either(params: &Value, name: &str, other: &str) -> String {
    let text = to_text(&params[name]);
    (if text.is_empty() { to_text(&params[other]) } else { text }).trim().to_owned()
}
