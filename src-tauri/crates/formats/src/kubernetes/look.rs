//! Looking into JSON objects without a fuss: what is not there or of another type is `None`.

use super::quantity::Quantity;
use catalogue::parse_timestamp;
use serde_json::{Map, Value};

static NOTHING: Value = Value::Null;

/// What stands at a path; null where nothing does.
pub fn at<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    path.iter().fold(value, |value, key| value.get(*key).unwrap_or(&NOTHING))
}

/// A text that is not empty, trimmed.
pub fn text<'v>(value: &'v Value, path: &[&str]) -> Option<&'v str> {
    at(value, path).as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// The same, owned.
pub fn owned(value: &Value, path: &[&str]) -> Option<String> {
    text(value, path).map(str::to_owned)
}

/// A number that is not negative.
pub fn count(value: &Value, path: &[&str]) -> Option<u32> {
    at(value, path).as_u64().and_then(|number| u32::try_from(number).ok())
}

/// A time in RFC 3339; µs since 1970 UTC.
pub fn time(value: &Value, path: &[&str]) -> Option<i64> {
    text(value, path).and_then(parse_timestamp)
}

/// The members of a list.
pub fn list<'v>(value: &'v Value, path: &[&str]) -> &'v [Value] {
    at(value, path).as_array().map_or(&[], Vec::as_slice)
}

/// A map, empty where there is none.
pub fn map(value: &Value, path: &[&str]) -> Map<String, Value> {
    at(value, path).as_object().cloned().unwrap_or_default()
}

/// An amount, which manifests write as a text or as a number.
pub fn quantity(value: &Value, path: &[&str]) -> Option<Quantity> {
    match at(value, path) {
        Value::String(text) => Quantity::parse(text),
        Value::Number(number) => Quantity::parse(&number.to_string()),
        _ => None,
    }
}
