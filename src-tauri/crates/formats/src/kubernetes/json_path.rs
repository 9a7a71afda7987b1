//! Accessors for JSON objects: a missing value or one of another type is `None`, or empty.

use super::quantity::Quantity;
use catalogue::parse_timestamp;
use serde_json::{Map, Value};

static NOTHING: Value = Value::Null;

/// The value at a path; null if there is none.
pub fn value_at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, key| value.get(*key).unwrap_or(&NOTHING))
}

/// A non-empty string at a path, trimmed.
pub fn str_at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v str> {
    value_at(value, path).as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// A non-empty string at a path, trimmed and owned.
pub fn string_at(value: &Value, path: &[&str]) -> Option<String> {
    str_at(value, path).map(str::to_owned)
}

/// A non-negative number at a path.
pub fn count_at(value: &Value, path: &[&str]) -> Option<u32> {
    value_at(value, path).as_u64().and_then(|number| u32::try_from(number).ok())
}

/// An RFC 3339 time at a path, as µs since 1970 UTC.
pub fn time_at(value: &Value, path: &[&str]) -> Option<i64> {
    str_at(value, path).and_then(parse_timestamp)
}

/// The elements of a list at a path; empty if there is none.
pub fn list_at<'v>(value: &'v Value, path: &[&str]) -> &'v [Value] {
    value_at(value, path).as_array().map_or(&[], Vec::as_slice)
}

/// The map at a path; empty if there is none.
pub fn map_at(value: &Value, path: &[&str]) -> Map<String, Value> {
    value_at(value, path).as_object().cloned().unwrap_or_default()
}

/// A Kubernetes quantity at a path, written as a string or a number.
pub fn quantity_at(value: &Value, path: &[&str]) -> Option<Quantity> {
    match value_at(value, path) {
        Value::String(text) => Quantity::parse(text),
        Value::Number(number) => Quantity::parse(&number.to_string()),
        _ => None,
    }
}
