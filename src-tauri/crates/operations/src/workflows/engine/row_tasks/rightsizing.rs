//! The task `system.vertical_rightsize_generate`: compares the resource requests of a namespace's workloads with their usage.
//!
//! It returns recommendations, and stores them if `persist_recommendation` is set.

use super::super::run_row::RunRow;
use crate::savings::{RightsizingOutcome, RightsizingRequest, generate};
use automation::plan::Call;
use automation::template::to_text;
use graphql::Refusal;
use serde_json::Value;
use store::Transaction;

pub(super) fn read(rows: &Transaction<'_>, run: &RunRow, call: &Call) -> Result<RightsizingOutcome, Refusal> {
    let namespace = to_text(&call.params["namespace"]).trim().to_owned();
    if namespace.is_empty() {
        return Err(Refusal::invalid("namespace: expected the namespace whose workloads are looked at"));
    }
    let asked = RightsizingRequest {
        tenant: run.tenant,
        account: run.account,
        namespace,
        workloads: names(&call.params["workload_names"]),
        keeps: to_text(&call.params["persist_recommendation"]).trim() == "true",
    };
    generate(rows, &asked)
}

/// Reads a list of names, or a text with names separated by commas.
fn names(given: &Value) -> Vec<String> {
    let names: Vec<String> = match given {
        Value::Array(names) => names.iter().map(to_text).collect(),
        other => to_text(other).split(',').map(str::to_owned).collect(),
    };
    names.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::names;
    use serde_json::json;

    #[test]
    fn names_are_a_list_or_a_text() {
        assert_eq!(names(&json!(["web", " api ", ""])), ["web", "api"]);
        assert_eq!(names(&json!("web, api")), ["web", "api"]);
        assert!(names(&json!(null)).is_empty());
    }
}
