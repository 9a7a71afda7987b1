//! Tests on JSON texts for SQL functions: containment, keys, the text under a key.

use catalogue::Decimal;
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// Whether `json` contains `part`, as PostgreSQL's `@>`: objects by key, arrays by element, scalars by value.
pub(crate) fn holds(json: &str, part: &str) -> bool {
    match (serde_json::from_str::<Value>(json), serde_json::from_str::<Value>(part)) {
        (Ok(json), Ok(part)) => contains(&json, &part, true),
        _ => false,
    }
}

fn contains(json: &Value, part: &Value, top: bool) -> bool {
    match (json, part) {
        (Value::Object(json), Value::Object(part)) => {
            part.iter().all(|(key, wanted)| json.get(key).is_some_and(|found| contains(found, wanted, false)))
        }
        (Value::Array(json), Value::Array(part)) => {
            part.iter().all(|wanted| json.iter().any(|found| contains(found, wanted, false)))
        }
        // PostgreSQL's one exception: at the top level, an array may contain a bare scalar.
        (Value::Array(json), scalar) if top && !scalar.is_object() => {
            json.iter().any(|found| contains(found, scalar, false))
        }
        (json @ Value::Number(_), part @ Value::Number(_)) => compare(json, part).is_eq(),
        (json, part) => json == part,
    }
}

/// Whether `key` is a key of the object, or a text in the array.
pub(crate) fn has_key(json: &str, key: &str) -> bool {
    match serde_json::from_str::<Value>(json) {
        Ok(Value::Object(object)) => object.contains_key(key),
        Ok(Value::Array(array)) => array.iter().any(|value| value.as_str() == Some(key)),
        Ok(Value::String(text)) => text == key,
        _ => false,
    }
}

/// The text under `key` of an object; other scalars as JSON; `None` for null and absent keys.
pub(crate) fn text_under(json: &str, key: &str) -> Option<String> {
    let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(json) else { return None };
    object.remove(key).and_then(text)
}

/// The texts under several keys, see [`text_under`].
pub(crate) fn texts_under(json: &str, keys: &[String]) -> Vec<Option<String>> {
    let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(json) else {
        return vec![None; keys.len()];
    };
    keys.iter().map(|key| object.remove(key).and_then(text)).collect()
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

/// Compares two JSON texts: object > array > boolean > number > string > null. Larger containers sort after smaller ones, then element by
/// element. An empty array at the top level is the smallest value (PostgreSQL, "jsonb Indexing").
pub(crate) fn order(left: &str, right: &str) -> Ordering {
    match (serde_json::from_str::<Value>(left), serde_json::from_str::<Value>(right)) {
        (Ok(left), Ok(right)) => match (is_empty_array(&left), is_empty_array(&right)) {
            (false, false) => compare(&left, &right),
            (left, right) => right.cmp(&left),
        },
        _ => left.cmp(right),
    }
}

/// Whether it is `[]`.
pub(crate) fn is_empty_array(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}

fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => {
            let decimal = |number: &serde_json::Number| Decimal::parse(&number.to_string());
            match (decimal(left), decimal(right)) {
                (Ok(left), Ok(right)) => left.cmp(&right),
                _ => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal),
            }
        }
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => left.len().cmp(&right.len()).then_with(|| {
            let pairs = left.iter().zip(right).map(|(left, right)| compare(left, right));
            pairs.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }),
        (Value::Object(left), Value::Object(right)) => left.len().cmp(&right.len()).then_with(|| {
            let pairs = sorted(left).into_iter().zip(sorted(right));
            pairs
                .map(|(left, right)| by_key(left.0, right.0).then_with(|| compare(left.1, right.1)))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        }),
        (left, right) => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::String(_) => 1,
        Value::Number(_) => 2,
        Value::Bool(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// jsonb sorts keys by length, then by bytes.
pub(crate) fn by_key(left: &str, right: &str) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

fn sorted(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = object.iter().collect();
    entries.sort_by(|left, right| by_key(left.0, right.0));
    entries
}

/// The text that PostgreSQL writes for a jsonb value: `{"a": 1, "bb": [1, 2]}`.
pub(crate) fn print(json: &str) -> String {
    fn write(value: &Value, out: &mut String) {
        match value {
            Value::Array(members) => {
                out.push('[');
                for (place, member) in members.iter().enumerate() {
                    out.push_str(if place > 0 { ", " } else { "" });
                    write(member, out);
                }
                out.push(']');
            }
            Value::Object(object) => {
                out.push('{');
                for (place, (key, member)) in sorted(object).into_iter().enumerate() {
                    out.push_str(if place > 0 { ", " } else { "" });
                    out.push_str(&Value::from(key.as_str()).to_string());
                    out.push_str(": ");
                    write(member, out);
                }
                out.push('}');
            }
            scalar => out.push_str(&scalar.to_string()),
        }
    }
    let Ok(value) = serde_json::from_str::<Value>(json) else { return json.to_owned() };
    let mut out = String::with_capacity(json.len() + 16);
    write(&value, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::{has_key, holds, order, print, text_under};
    use std::cmp::Ordering;

    #[test]
    fn json_is_ordered_and_written_as_jsonb() {
        assert_eq!(order(r#"{"a":1,"b":[1.0]}"#, r#"{ "b": [1], "a": 1 }"#), Ordering::Equal);
        assert_eq!(order("[1]", "true"), Ordering::Greater);
        assert_eq!(order("[1,2]", "[3]"), Ordering::Greater);
        assert_eq!(order("null", "\"a\""), Ordering::Less);
        assert_eq!(print(r#"{"bb":[1,2],"a":"x"}"#), r#"{"a": "x", "bb": [1, 2]}"#);
    }

    #[test]
    fn containment_is_postgresqls() {
        assert!(holds(r#"{"team":"core","n":1}"#, r#"{"team":"core"}"#));
        assert!(!holds(r#"{"team":"core"}"#, r#"{"team":"web"}"#));
        assert!(holds(r#"{"a":{"b":[1,2,3]}}"#, r#"{"a":{"b":[3]}}"#));
        assert!(holds("[1,2]", "2"));
        assert!(!holds("[[1,2]]", "2"));
        assert!(holds("1.0", "1"));
    }

    #[test]
    fn keys_and_their_texts_are_found_at_the_top_only() {
        let json = r#"{"org":"a"," org":"b","n":3,"none":null}"#;
        assert!(has_key(json, " org"));
        assert!(!has_key(json, "a"));
        assert_eq!(text_under(json, "org").as_deref(), Some("a"));
        assert_eq!(text_under(json, "n").as_deref(), Some("3"));
        assert_eq!(text_under(json, "none"), None);
    }
}
