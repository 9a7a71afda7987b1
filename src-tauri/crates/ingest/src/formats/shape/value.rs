//! JSON values as the cells of a row.

use super::FLATTENED;
use serde_json::{Map, Value};

/// Hands the cells of an object out, each with its column.
pub fn cells(object: Map<String, Value>, put: &mut dyn FnMut(&str, String)) {
    for (name, value) in object {
        match value {
            Value::Object(members) if FLATTENED.contains(&name.as_str()) => {
                for (member, value) in members {
                    put(&format!("{name}.{member}"), text(value));
                }
            }
            value => put(&name, text(value)),
        }
    }
}

/// A value as CSV has it: texts without quotes, nothing for null, lists and objects as JSON.
fn text(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}
