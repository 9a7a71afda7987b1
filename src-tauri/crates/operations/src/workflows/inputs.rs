//! Validates the inputs of a run against the inputs that the workflow declares.

use super::definition::{Definition, each};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The types of inputs.
pub(super) const TYPES: &[&str] = &["string", "number", "integer", "boolean", "object", "array"];
/// Other names for the types in the reference.
const ALIASES: [(&str, &str); 7] = [
    ("str", "string"),
    ("text", "string"),
    ("bool", "boolean"),
    ("int", "integer"),
    ("float", "number"),
    ("list", "array"),
    ("map", "object"),
];

/// The type with that name or alias.
pub(super) fn type_of(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    TYPES.iter().find(|known| **known == alias).copied()
}

/// Refuses a value that is not of the type. Without a type, every value is accepted.
pub(super) fn fits(kind: Option<&str>, value: &Value) -> Result<(), String> {
    let fits = match kind.map(|kind| type_of(kind).unwrap_or(kind)) {
        None => true,
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_i64().is_some(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some(_) => false,
    };
    let expected = kind.unwrap_or("a value");
    if fits || value.is_null() { Ok(()) } else { Err(format!("expected {expected}, found {value}")) }
}

/// The default value, converted to its type. GraphQL responses contain defaults as texts, therefore a text that parses as the type is accepted.
pub(super) fn default_of<'v>(kind: Option<&str>, default: &'v Value) -> Result<Cow<'v, Value>, String> {
    let fitting = fits(kind, default);
    if fitting.is_ok() {
        return Ok(Cow::Borrowed(default));
    }
    let read = default.as_str().and_then(|text| serde_json::from_str::<Value>(text.trim()).ok());
    let read = read.filter(|value| fits(kind, value).is_ok()).map(Cow::Owned);
    read.map_or_else(|| fitting.map(|()| Cow::Borrowed(default)), Ok)
}

/// The inputs of a run: the given values, and defaults for the rest. Undeclared inputs are kept because tasks may use them.
pub(super) fn complete(definition: &Definition, given: Option<&Value>) -> Result<Value, String> {
    let mut inputs = match given {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(given)) => given.clone(),
        Some(other) => {
            return Err(format!("inputs: expected an object with a member for each input, found {other}"));
        }
    };
    let mut mistakes = Vec::new();
    for input in each(definition.inputs.as_ref()) {
        match inputs.get(&input.id).filter(|value| !value.is_null()) {
            Some(Value::String(text)) if text.is_empty() && input.required == Some(true) => {
                mistakes.push(format!("inputs.{}: the workflow cannot run without it", input.id));
            }
            Some(value) => {
                if let Err(reason) = fits(input.kind.as_deref(), value) {
                    mistakes.push(format!("inputs.{}: {reason}", input.id));
                }
            }
            None => match &input.default {
                Some(default) if !default.is_null() => match default_of(input.kind.as_deref(), default) {
                    Ok(default) => {
                        inputs.insert(input.id.clone(), default.into_owned());
                    }
                    Err(reason) => mistakes.push(format!("inputs.{}: its default: {reason}", input.id)),
                },
                _ if input.required == Some(true) => {
                    mistakes.push(format!("inputs.{}: the workflow cannot run without it", input.id));
                }
                _ => {}
            },
        }
    }
    if mistakes.is_empty() { Ok(Value::Object(inputs)) } else { Err(mistakes.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::complete;
    use crate::workflows::definition::Definition;
    use serde_json::{Value, json};

    fn run(given: Value) -> Result<Value, String> {
        let definition = json!({ "inputs": [
            { "id": "namespace", "type": "string", "required": true },
            { "id": "copies", "type": "integer", "default": 2 },
            { "id": "force", "type": "boolean" },
        ] });
        complete(&Definition::read(&definition).unwrap(), Some(&given))
    }

    #[test]
    fn defaults_fill_what_is_not_given() {
        assert_eq!(run(json!({ "namespace": "shop" })), Ok(json!({ "namespace": "shop", "copies": 2 })));
    }

    #[test]
    fn a_default_that_is_told_as_a_text_keeps_its_type() {
        let definition = json!({ "inputs": [
            { "id": "copies", "type": "int", "default": "2" },
            { "id": "zones", "type": "list", "default": "[\"a\"]" },
            { "id": "version", "type": "string", "default": "2" },
        ] });
        let inputs = complete(&Definition::read(&definition).unwrap(), None);
        assert_eq!(inputs, Ok(json!({ "copies": 2, "zones": ["a"], "version": "2" })));
    }

    #[test]
    fn what_is_not_asked_for_is_kept() {
        let given = json!({ "namespace": "shop", "copies": 1, "event": { "id": 7 } });
        assert_eq!(run(given.clone()), Ok(given));
    }

    #[test]
    fn what_is_missing_or_does_not_fit_is_refused() {
        let missing = Err("inputs.namespace: the workflow cannot run without it".to_owned());
        assert_eq!(run(json!({ "namespace": "" })), missing, "an empty text says nothing");
        assert_eq!(
            run(json!({ "copies": "two", "force": 1 })),
            Err("inputs.namespace: the workflow cannot run without it; \
                 inputs.copies: expected integer, found \"two\"; \
                 inputs.force: expected boolean, found 1"
                .to_owned())
        );
        assert_eq!(
            run(json!([1])),
            Err("inputs: expected an object with a member for each input, found [1]".to_owned())
        );
    }
}
