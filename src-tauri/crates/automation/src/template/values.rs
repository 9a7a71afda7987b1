//! Converts between JSON and template values.
//!
//! Numbers are converted one by one: this workspace's JSON stores their digits as text (`arbitrary_precision`).

use minijinja::value::{Value as Jinja, ValueKind};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

pub(super) fn context(fields: &Map<String, Value>) -> Jinja {
    fields.iter().map(|(key, value)| (key.clone(), to_jinja(value))).collect::<BTreeMap<_, _>>().into()
}

pub(super) fn to_jinja(value: &Value) -> Jinja {
    match value {
        Value::Null => Jinja::from(()),
        Value::Bool(flag) => Jinja::from(*flag),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Jinja::from(whole),
            (_, Some(whole)) => Jinja::from(whole),
            _ => Jinja::from(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Jinja::from(text.as_str()),
        Value::Array(list) => Jinja::from(list.iter().map(to_jinja).collect::<Vec<_>>()),
        Value::Object(fields) => context(fields),
    }
}

pub(super) fn from_jinja(value: &Jinja) -> Value {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => Value::Null,
        ValueKind::Bool => Value::Bool(value.is_true()),
        ValueKind::Number => number(value),
        ValueKind::String => Value::String(value.as_str().unwrap_or_default().to_owned()),
        ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            let field = |key: Jinja| {
                let found = value.get_item(&key).unwrap_or_default();
                (printed(&key), from_jinja(&found))
            };
            Value::Object(keys.map(field).collect())
        }
        ValueKind::Seq | ValueKind::Iterable => {
            Value::Array(value.try_iter().into_iter().flatten().map(|item| from_jinja(&item)).collect())
        }
        _ => Value::String(value.to_string()),
    }
}

fn number(value: &Jinja) -> Value {
    if value.is_integer()
        && let Ok(whole) = i64::try_from(value.clone())
    {
        return Value::from(whole);
    }
    let float = f64::try_from(value.clone()).ok().and_then(Number::from_f64);
    float.map_or(Value::Null, Value::Number)
}

/// A value inside a text: lists, objects and booleans as JSON, null as an empty text.
pub(super) fn printed(value: &Jinja) -> String {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => String::new(),
        ValueKind::Bool => value.is_true().to_string(),
        ValueKind::Map | ValueKind::Seq | ValueKind::Iterable => from_jinja(value).to_string(),
        _ => value.to_string(),
    }
}

/// A value as text: texts unchanged, null as an empty text, everything else as JSON.
pub fn to_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
