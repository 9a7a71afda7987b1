//! Changes to JSON texts, equivalent to PostgreSQL's jsonb operators `||`, `-` and `#-`.

use serde_json::Value;

/// `left || right`: merges objects (right wins) and concatenates arrays; other values become elements of an array.
pub(crate) fn concat(left: &str, right: &str) -> String {
    let joined = match (read(left), read(right)) {
        (Value::Object(mut left), Value::Object(right)) => {
            left.extend(right);
            Value::Object(left)
        }
        (left, right) => Value::Array(members(left).into_iter().chain(members(right)).collect()),
    };
    joined.to_string()
}

fn members(value: Value) -> Vec<Value> {
    match value {
        Value::Array(members) => members,
        other => vec![other],
    }
}

/// `json - key`: removes the key of an object, or the equal texts of an array.
pub(crate) fn without_key(json: &str, key: &str) -> String {
    let mut value = read(json);
    match &mut value {
        Value::Object(object) => drop(object.remove(key)),
        Value::Array(members) => members.retain(|member| member.as_str() != Some(key)),
        _ => {}
    }
    value.to_string()
}

/// `json - place`: removes an element of an array; negative indices count from the end.
///
/// # Errors
///
/// The value has no elements; the message is PostgreSQL's.
pub(crate) fn without_element(json: &str, place: i64) -> Result<String, &'static str> {
    let mut value = read(json);
    match &mut value {
        Value::Array(members) => {
            if let Some(place) = index(members.len(), place) {
                members.remove(place);
            }
            Ok(value.to_string())
        }
        Value::Object(_) => {
            Err("cannot delete from object using integer index; `_delete_key` takes a key away")
        }
        _ => Err("cannot delete from scalar"),
    }
}

/// `json #- path`: removes the value at the end of a path; `path` is a JSON list of texts.
pub(crate) fn without_path(json: &str, path: &str) -> String {
    let mut value = read(json);
    let path: Vec<String> = serde_json::from_str(path).unwrap_or_default();
    remove(&mut value, &path);
    value.to_string()
}

/// Sets a text under a key of an object, or removes the key if there is no text. A value that is neither an object nor null is unchanged.
pub(crate) fn with_text(json: Option<&str>, key: &str, text: Option<&str>) -> Option<String> {
    let mut members = match json.map_or(Value::Null, read) {
        Value::Object(members) => members,
        Value::Null if text.is_some() => serde_json::Map::new(),
        _ => return json.map(str::to_owned),
    };
    match text {
        Some(text) => drop(members.insert(key.to_owned(), Value::from(text))),
        None => drop(members.remove(key)),
    }
    Some(Value::Object(members).to_string())
}

fn remove(value: &mut Value, path: &[String]) {
    let Some((step, rest)) = path.split_first() else { return };
    match value {
        Value::Object(object) if rest.is_empty() => drop(object.remove(step)),
        Value::Object(object) => {
            if let Some(inner) = object.get_mut(step) {
                remove(inner, rest);
            }
        }
        Value::Array(members) => {
            let Some(place) = step.parse().ok().and_then(|place| index(members.len(), place)) else { return };
            if rest.is_empty() {
                members.remove(place);
            } else {
                remove(&mut members[place], rest);
            }
        }
        _ => {}
    }
}

fn index(length: usize, place: i64) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    let place = if place < 0 { length + place } else { place };
    (0..length).contains(&place).then(|| usize::try_from(place).expect("it is within the array"))
}

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::{concat, with_text, without_element, without_key, without_path};

    #[test]
    fn a_text_is_put_under_a_key_and_taken_away() {
        let with = |json, text| with_text(json, "b", text);
        assert_eq!(
            with(Some(r#"{"c":1,"a":"x"}"#), Some("y")).as_deref(),
            Some(r#"{"a":"x","b":"y","c":1}"#)
        );
        assert_eq!(with(Some(r#"{"a":"x","b":"y"}"#), None).as_deref(), Some(r#"{"a":"x"}"#));
        assert_eq!(with(None, Some("y")).as_deref(), Some(r#"{"b":"y"}"#));
        assert_eq!(with(Some("null"), Some("y")).as_deref(), Some(r#"{"b":"y"}"#));
        assert_eq!(with(None, None), None);
        assert_eq!(with(Some("[1]"), Some("y")).as_deref(), Some("[1]"));
    }

    #[test]
    fn json_changes_as_in_postgresql() {
        assert_eq!(concat(r#"{"a":1,"b":1}"#, r#"{"b":2}"#), r#"{"a":1,"b":2}"#);
        assert_eq!(concat("[1]", "[2,3]"), "[1,2,3]");
        assert_eq!(concat("[1]", r#"{"a":1}"#), r#"[1,{"a":1}]"#);
        assert_eq!(without_key(r#"{"a":1,"b":2}"#, "a"), r#"{"b":2}"#);
        assert_eq!(without_key(r#"["a","b"]"#, "a"), r#"["b"]"#);
        assert_eq!(without_element("[1,2,3]", -1).as_deref(), Ok("[1,2]"));
        assert_eq!(without_element("[1]", 5).as_deref(), Ok("[1]"));
        for (json, words) in [(r#"{"0":1}"#, "from object using integer index"), ("7", "from scalar")] {
            assert!(without_element(json, 0).unwrap_err().contains(words), "{json}");
        }
        assert_eq!(without_path(r#"{"a":{"b":[1,2]}}"#, r#"["a","b","0"]"#), r#"{"a":{"b":[2]}}"#);
    }
}
