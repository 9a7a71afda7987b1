//! Questions about JSON texts that SQL needs answered: containment, keys, the text under a key.

use serde_json::Value;

/// Whether `json` contains `part` as PostgreSQL's `@>` has it: objects by key, arrays by element, scalars by value.
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
        // PostgreSQL's one exception: at the top, an array may contain a bare scalar.
        (Value::Array(json), scalar) if top && !scalar.is_object() => json.contains(scalar),
        (Value::Number(json), Value::Number(part)) => json == part || json.as_f64() == part.as_f64(),
        (json, part) => json == part,
    }
}

/// Whether `key` is a key of the object, or a text of the array, that `json` is.
pub(crate) fn has_key(json: &str, key: &str) -> bool {
    match serde_json::from_str::<Value>(json) {
        Ok(Value::Object(object)) => object.contains_key(key),
        Ok(Value::Array(array)) => array.iter().any(|value| value.as_str() == Some(key)),
        Ok(Value::String(text)) => text == key,
        _ => false,
    }
}

/// The text under `key` of an object; other scalars as their JSON, `null` and absent keys as nothing.
pub(crate) fn text_under(json: &str, key: &str) -> Option<String> {
    let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(json) else { return None };
    match object.remove(key)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{has_key, holds, text_under};

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
