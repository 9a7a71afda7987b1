//! Converts between types and JSON responses and rows.

use graphql::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A response as JSON.
pub(crate) fn reply<T: Serialize>(answer: &T) -> Result<Value, Refusal> {
    serde_json::to_value(answer).map_err(|error| Refusal::new("unexpected", error.to_string()))
}

/// A row, or a part of a document, as a type.
pub(crate) fn read<T: DeserializeOwned>(row: Value) -> Result<T, Refusal> {
    serde_json::from_value(row).map_err(|error| Refusal::new("unexpected", format!("a stored row: {error}")))
}

/// Wraps an operation that returns a type in the form that the registry takes.
macro_rules! typed {
    ($function:path) => {
        |call| crate::kit::reply(&$function(call)?)
    };
}
pub(crate) use typed;
