//! Helpers for the parameters and the output of a task.

use crate::call::TaskFailure;
use crate::template::to_text;
use serde::Serialize;
use serde_json::Value;

pub(crate) fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

/// The output of a task as stored.
pub(crate) fn given(output: &impl Serialize) -> Result<Value, TaskFailure> {
    serde_json::to_value(output).map_err(|error| wrong(error.to_string()))
}

/// A parameter by its name here or by its name in the reference.
pub(crate) fn either(params: &Value, name: &str, other: &str) -> String {
    let text = to_text(&params[name]);
    (if text.is_empty() { to_text(&params[other]) } else { text }).trim().to_owned()
}
