//! Accessors for JSON objects: a missing value or one of another type is `None`, or empty.

use super::quantity::Quantity;
use catalogue::parse_timestamp;
use serde_json::{Map, Value};

static NOTHING: Value = Value::Null;

/// The value at a path; null if there is none.
pub fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, key| value.get(*key).unwrap_or(&NOTHING))
}

/// A non-empty string at a path, trimmed.
pub fn text<'v>(value: &'v Value, path: &[&str]) -> Option<&'v str> {
    at(value, path).as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// A non-empty string at a path, trimmed and owned.
pub fn owned(value: &Value, path: &[&str]) -> Option<String> {
    text(value, path).map(str::to_owned)
}

/// A non-negative number at a path.
pub fn count(value: &Value, path: &[&str]) -> Option<u32> {
    at(value, path).as_u64().and_then(|number| u32::try_from(number).ok())
}

/// An RFC 3339 time at a path, as µs since 1970 UTC.
pub fn time(value: &Value, path: &[&str]) -> Option<i64> {
    text(value, path).and_then(parse_timestamp)
}

/// The elements of a list at a path; empty if there is none.
pub fn list<'v>(value: &'v Value, path: &[&str]) -> &'v [Value] {
    at(value, path).as_array().map_or(&[], Vec::as_slice)
}

/// The map at a path; empty if there is none.
pub fn map(value: &Value, path: &[&str]) -> Map<String, Value> {
    at(value, path).as_object().cloned().unwrap_or_default()
}

/// A Kubernetes quantity at a path, written as a string or a number.
pub fn quantity(value: &Value, path: &[&str]) -> Option<Quantity> {
    match at(value, path) {
        Value::String(text) => Quantity::parse(text),
        Value::Number(number) => Quantity::parse(&number.to_string()),
        _ => None,
    }
}
