//! The sources of triggers: their rows, the input name under which a run gets a row, and the trigger parameters that a row must match.

use serde_json::{Map, Value};

/// A kind of change that starts workflows.
pub(super) struct Source {
    /// The trigger type; `input` is the name of the row among the inputs.
    pub trigger: &'static str,
    pub input: &'static str,
    /// Whether the parameters other than the filter match the row.
    pub fits: fn(&Map<String, Value>, &Value) -> bool,
}

pub(super) const EVENTS: Source = Source {
    trigger: "event",
    input: "event",
    fits: |params, row| {
        is_among(params, "event_type", &[&row["aggregation_key"], &row["finding_type"], &row["category"]])
    },
};

/// An event as filters and runs see it. Its type and account are also included under the names that definitions of the reference use.
pub(super) fn seen_event(mut row: Value) -> Value {
    let is_said = |kind: &&Value| kind.as_str().is_some_and(|kind| !kind.is_empty());
    let kind = [&row["aggregation_key"], &row["finding_type"]].into_iter().find(is_said);
    row["event_type"] = kind.cloned().unwrap_or_default();
    row["account_id"] = row["cloud_account_id"].clone();
    row
}

pub(super) const EVENT_COLUMNS: &[&str] = &[
    "id",
    "tenant",
    "cloud_account_id",
    "aggregation_key",
    "category",
    "cluster",
    "description",
    "finding_id",
    "finding_type",
    "fingerprint",
    "labels",
    "nb_status",
    "priority",
    "source",
    "starts_at",
    "status",
    "subject_name",
    "subject_namespace",
    "subject_node",
    "subject_owner",
    "subject_type",
    "title",
    "created_at",
];

pub(super) const RECOMMENDATIONS: Source = Source {
    trigger: "optimization",
    input: "recommendation",
    fits: |params, row| {
        is_among(params, "categories", &[&row["category"]])
            && is_among(params, "rule_names", &[&row["rule_name"]])
            && is_among(params, "clusters", &[&row["cloud_account_id"], &row["account_name"]])
    },
};

pub(super) const RECOMMENDATION_COLUMNS: &[&str] = &[
    "id",
    "tenant_id",
    "cloud_account_id",
    "account_object_id",
    "category",
    "estimated_savings",
    "recommendation",
    "recommendation_action",
    "resource_id",
    "rule_name",
    "severity",
    "status",
    "created_at",
];

/// An import that has ended, by default successfully; the parameter `states` selects other states.
pub(super) const IMPORTS: Source = Source {
    trigger: "import",
    input: "import",
    fits: |params, row| {
        let is_well = || matches!(row["state"].as_str(), Some("done" | "done_with_skips"));
        let is_state =
            if is_given(params, "states") { is_among(params, "states", &[&row["state"]]) } else { is_well() };
        is_state && is_among(params, "formats", &[&row["format"]])
    },
};

pub(super) const IMPORT_COLUMNS: &[&str] = &[
    "id",
    "tenant_id",
    "file_name",
    "format",
    "state",
    "rows_read",
    "rows_written",
    "rows_skipped",
    "period_start",
    "period_end",
    "report",
    "created_at",
    "finished_at",
];

/// A budget threshold that was reached by billed costs or by the forecast.
pub(super) const BUDGETS: Source = Source {
    trigger: "budget",
    input: "budget",
    fits: |params, row| {
        let number = |value: &Value| automation::template::to_text(value).trim().parse::<f64>().ok();
        let least = params.get("percent").and_then(number);
        is_among(params, "budgets", &[&row["id"], &row["name"]])
            && is_among(params, "on", &[&row["on"]])
            && least.is_none_or(|least| number(&row["percent"]).is_some_and(|percent| percent >= least))
    },
};

/// A cost or metric anomaly.
pub(super) const ANOMALIES: Source = Source {
    trigger: "anomaly",
    input: "anomaly",
    fits: |params, row| {
        is_among(params, "types", &[&row["anomaly_type"]])
            && is_among(params, "names", &[&row["name"]])
            && is_among(params, "scopes", &[&row["scope"]])
    },
};

pub(super) const ANOMALY_COLUMNS: &[&str] = &[
    "id",
    "tenant",
    "account_id",
    "anomaly_type",
    "current_value",
    "evaluated_at",
    "is_anomaly",
    "name",
    "namespace",
    "pod_name",
    "reference_value",
    "scope",
    "currency",
    "started_on",
    "ended_on",
    "state",
    "impact",
    "import_id",
    "created_at",
];

fn is_given(params: &Map<String, Value>, name: &str) -> bool {
    match params.get(name) {
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        _ => false,
    }
}

/// Whether one of the values is in a parameter that is a text or a list of texts. True if the parameter is missing.
fn is_among(params: &Map<String, Value>, name: &str, values: &[&Value]) -> bool {
    let asked: Vec<&str> = match params.get(name) {
        Some(Value::String(text)) if !text.is_empty() => vec![text],
        Some(Value::Array(list)) if !list.is_empty() => list.iter().filter_map(Value::as_str).collect(),
        _ => return true,
    };
    values.iter().filter_map(|value| value.as_str()).any(|value| asked.contains(&value))
}
