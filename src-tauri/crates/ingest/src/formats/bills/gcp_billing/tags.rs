//! Merges labels of resources and projects, and tags, into one JSON object.

use super::super::python;
use serde_json::{Map, Value};

/// Merges the lists; for a key in several lists the last one counts. `None` when there is no label.
pub fn of<const N: usize>(lists: [Option<&[u8]>; N]) -> Option<String> {
    let mut tags = Map::new();
    for list in lists.into_iter().flatten() {
        match std::str::from_utf8(list).ok().and_then(python::parse) {
            Some(Value::Array(pairs)) => tags.extend(pairs.into_iter().filter_map(pair)),
            Some(Value::Object(object)) => tags.extend(object),
            _ => {}
        }
    }
    (!tags.is_empty()).then(|| Value::Object(tags).to_string())
}

fn pair(entry: Value) -> Option<(String, Value)> {
    let Value::Object(mut entry) = entry else { return None };
    let value = entry.remove("value").unwrap_or(Value::Null);
    Some((entry.get("key")?.as_str()?.to_owned(), value))
}
