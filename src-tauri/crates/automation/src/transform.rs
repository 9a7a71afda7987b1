//! Lists made of lists: `data.filter`. Nothing is read or written, so a dry run does it as well.

use crate::kinds::{self, Work};
use crate::plan::{Call, TaskFailure};
use crate::predicate::Predicate;
use crate::template::to_text;
use serde::Serialize;
use serde_json::Value;

/// What to make of what.
#[derive(Debug, Clone, PartialEq)]
pub struct Transformation {
    params: Value,
}

/// What `data.filter` gives.
#[derive(Debug, Serialize)]
struct Selection {
    result: Vec<Value>,
}

fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

impl Transformation {
    /// The call's, if it is one.
    pub fn of(call: &Call) -> Option<Self> {
        (kinds::work(&call.kind) == Some(Work::Values)).then(|| Self { params: call.params.clone() })
    }

    /// Works it out.
    pub fn carry_out(&self) -> Result<Value, TaskFailure> {
        let result = filter(&self.params)?;
        serde_json::to_value(Selection { result }).map_err(|error| wrong(error.to_string()))
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
    let predicate = Predicate::parse(&condition).map_err(failed)?;
    let mut kept = Vec::new();
    for item in list {
        if predicate.holds(&item).map_err(failed)? {
            kept.push(item);
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::Transformation;
    use serde_json::json;

    #[test]
    fn items_that_meet_the_condition_are_kept() {
        let pods = json!([{ "name": "checkout", "cpu": 91 }, { "name": "payments", "cpu": 40 }, {}]);
        for (list, condition, expected) in [
            (pods.clone(), "cpu > 80", json!([{ "name": "checkout", "cpu": 91 }])),
            (json!(pods.to_string()), "$contains(name, \"pay\")", json!([{ "name": "payments", "cpu": 40 }])),
            (pods, "cpu > 100", json!([])),
            (json!(["alpha", "beta"]), "$ = \"beta\"", json!(["beta"])),
            (json!({ "cpu": 81 }), "cpu > 80", json!([{ "cpu": 81 }])),
            (json!([]), "cpu > 80", json!([])),
        ] {
            let one = Transformation { params: json!({ "list": list, "condition": condition }) };
            assert_eq!(one.carry_out(), Ok(json!({ "result": expected })), "{condition}");
        }
        for (params, expected) in [
            (json!({ "condition": "cpu > 80" }), "list: expected a list"),
            (json!({ "list": "x", "condition": "cpu > 80" }), "list: expected a list, or one in JSON"),
            (json!({ "list": [], "condition": " " }), "condition: at character"),
        ] {
            let failure = Transformation { params }.carry_out().unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }
}
