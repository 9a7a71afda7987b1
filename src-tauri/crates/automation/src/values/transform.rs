//! Tasks that transform values: `data.filter`, `data.transform` and `crypto.*`.
//!
//! They have no side effects, so dry runs execute them too.

use crate::call::{Call, TaskFailure};
use crate::kinds::{self, Work};
use crate::params::{either, given, wrong};
use crate::template::to_text;
use crate::values::crypto::{self, Nonce};
use crate::values::jsonata::Expression;
use crate::yaml;
use serde::Serialize;
use serde_json::{Map, Value};

/// A transformation with its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Transformation {
    kind: String,
    params: Value,
}

/// The output of `data.filter`.
#[derive(Debug, Serialize)]
struct Selection {
    result: Vec<Value>,
}

/// The output of `data.transform`.
#[derive(Debug, Serialize)]
struct TransformAnswer {
    data: Value,
}

impl Transformation {
    /// The transformation of a call, if it is one.
    pub fn of(call: &Call) -> Option<Self> {
        let is_one = kinds::work(&call.kind) == Some(Work::Values);
        is_one.then(|| Self { kind: call.kind.clone(), params: call.params.clone() })
    }

    /// Refuses a transformation whose result would put a secret into the run's history in a form that is not masked.
    pub fn check_secrets(&self, secrets: &Map<String, Value>) -> Result<(), TaskFailure> {
        crypto::check_secrets(&self.kind, &self.params, secrets)
    }

    /// Computes the result. `nonce` returns fresh random bytes; without them, encryption fails.
    pub fn carry_out(&self, nonce: &Nonce<'_>) -> Result<Value, TaskFailure> {
        match self.kind.as_str() {
            "data.filter" => given(&Selection { result: filter(&self.params)? }),
            "data.transform" => given(&TransformAnswer { data: transform(&self.params)? }),
            kind => crypto::carry_out(kind, &self.params, nonce),
        }
    }
}

fn filter(params: &Value) -> Result<Vec<Value>, TaskFailure> {
    let list = match &params["list"] {
        Value::Array(list) => list.clone(),
        Value::String(text) => serde_json::from_str(text)
            .map_err(|error| wrong(format!("list: expected a list, or one in JSON: {error}")))?,
        Value::Null => return Err(wrong("list: expected a list, found nothing")),
        one => vec![one.clone()],
    };
    let condition = to_text(&params["condition"]);
    let failed = |reason: String| wrong(format!("condition: {reason}"));
    let expression = Expression::parse(&condition).map_err(failed)?;
    let mut kept = Vec::new();
    for item in list {
        if expression.holds(&item).map_err(failed)? {
            kept.push(item);
        }
    }
    Ok(kept)
}

fn transform(params: &Value) -> Result<Value, TaskFailure> {
    let script = either(params, "script_type", "scriptType");
    if !matches!(script.as_str(), "" | "jsonata") {
        return Err(wrong(format!(
            "script_type is \"{script}\": expected jsonata, which is all that runs here"
        )));
    }
    let expression = to_text(&params["expression"]);
    let failed = |reason: String| wrong(format!("expression: {reason}"));
    let expression = Expression::parse(&expression).map_err(failed)?;
    let made = expression.evaluate(&input(params)?).map_err(failed)?;
    match either(params, "output_type", "outputType").as_str() {
        "" | "raw" => Ok(made.unwrap_or(Value::Null)),
        "json" => Ok(made.unwrap_or(Value::Null).to_string().into()),
        "yaml" => Ok(yaml::write(&made.unwrap_or(Value::Null)).into()),
        "string" => Ok(made.as_ref().map(to_text).unwrap_or_default().into()),
        other => Err(wrong(format!("output_type: expected raw, json, yaml or string, found \"{other}\""))),
    }
}

/// The input: a value unchanged, a text parsed as JSON or YAML.
fn input(params: &Value) -> Result<Value, TaskFailure> {
    let Value::String(text) = &params["input"] else { return Ok(params["input"].clone()) };
    match either(params, "input_type", "inputType").as_str() {
        "" | "json" => {
            serde_json::from_str(text).map_err(|error| wrong(format!("input: this is no JSON: {error}")))
        }
        "yaml" => yaml::read(text).map_err(|error| wrong(format!("input: this is no YAML: {error}"))),
        other => Err(wrong(format!("input_type: expected json or yaml, found \"{other}\""))),
    }
}

#[cfg(test)]
mod tests {
    use super::Transformation;
    use crate::call::TaskFailure;
    use serde_json::{Value, json};

    fn made(kind: &str, params: Value) -> Result<Value, TaskFailure> {
        Transformation { kind: kind.to_owned(), params }.carry_out(&|| None)
    }

    #[test]
    fn items_that_meet_the_condition_are_kept() {
        let pods = json!([{ "name": "checkout", "cpu": 91 }, { "name": "payments", "cpu": 40 }, {}]);
        for (list, condition, expected) in [
            (pods.clone(), "cpu > 80", json!([{ "name": "checkout", "cpu": 91 }])),
            (json!(pods.to_string()), "$contains(name, \"pay\")", json!([{ "name": "payments", "cpu": 40 }])),
            (pods.clone(), "cpu > 100", json!([])),
            (pods, "cpu * 2 > 180", json!([{ "name": "checkout", "cpu": 91 }])),
            (json!(["alpha", "beta"]), "$ = \"beta\"", json!(["beta"])),
            (json!({ "cpu": 81 }), "cpu > 80", json!([{ "cpu": 81 }])),
            (json!([]), "cpu > 80", json!([])),
        ] {
            let given = json!({ "list": list, "condition": condition });
            assert_eq!(made("data.filter", given), Ok(json!({ "result": expected })), "{condition}");
        }
        for (params, expected) in [
            (json!({ "condition": "cpu > 80" }), "list: expected a list"),
            (json!({ "list": "x", "condition": "cpu > 80" }), "list: expected a list, or one in JSON"),
            (json!({ "list": [], "condition": " " }), "condition: at character"),
            (json!({ "list": [1], "condition": "0" }), "condition: the condition gives the number 0"),
        ] {
            let failure = made("data.filter", params).unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }

    #[test]
    fn a_value_is_reshaped_and_given_as_it_is_wanted() {
        let users = r#"{"users": [{"name": "Alice"}, {"name": "Bob"}]}"#;
        for (params, expected) in [
            (
                json!({ "input": r#"{"name": "Alice", "role": "admin"}"#, "expression": "name" }),
                json!("Alice"),
            ),
            (
                json!({ "inputType": "yaml", "input": "name: Bob\nrole: user", "expression": "name" }),
                json!("Bob"),
            ),
            (
                json!({ "input": users, "expression": "users.name", "outputType": "json" }),
                json!("[\"Alice\",\"Bob\"]"),
            ),
            (
                json!({ "input": users, "expression": "users", "output_type": "yaml" }),
                json!("- name: Alice\n- name: Bob\n"),
            ),
            (
                json!({ "input": { "count": 42 }, "expression": "count", "output_type": "string" }),
                json!("42"),
            ),
            (json!({ "input": { "a": 1 }, "expression": "b" }), Value::Null),
            (json!({ "input": { "a": 1 }, "expression": "b", "output_type": "string" }), json!("")),
        ] {
            assert_eq!(made("data.transform", params.clone()), Ok(json!({ "data": expected })), "{params}");
        }
        for (params, expected) in [
            (json!({ "input": "{\"a\": 1", "expression": "a" }), "input: this is no JSON"),
            (json!({ "input": "a: - b", "input_type": "yaml", "expression": "a" }), "input: this is no YAML"),
            (json!({ "input": "{}", "expression": "name[" }), "expression: at character 6"),
            (json!({ "input": "{}", "input_type": "xml", "expression": "a" }), "input_type: expected"),
            (json!({ "input": "{}", "output_type": "xml", "expression": "a" }), "output_type: expected"),
            (json!({ "input": "{}", "scriptType": "javascript", "expression": "data.a" }), "script_type is"),
        ] {
            let failure = made("data.transform", params).unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }
}
