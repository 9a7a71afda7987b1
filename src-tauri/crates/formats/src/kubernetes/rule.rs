//! Alerting rules from Prometheus rule files and `PrometheusRule` resources.

use super::json_path::{list_at, map_at, str_at, string_at, value_at};
use crate::reason;
use crate::record::{Account, AlertRule};
use serde_json::Value;

/// The reason for leaving out a rule that computes a series.
const RECORDS: &str = "a recording rule: it raises no alert";

/// The rules of a `PrometheusRule` resource.
pub fn of_object(account: &Account, object: &Value) -> Vec<AlertRule> {
    let resource = string_at(object, &["metadata", "name"]).unwrap_or_default();
    let namespace = string_at(object, &["metadata", "namespace"]);
    let origin = Origin { account: Some(account.clone()), namespace, resource: Some(resource) };
    let all = list_at(object, &["spec", "groups"]);
    all.iter()
        .flat_map(|group| list_at(group, &["rules"]).iter().map(move |rule| (group, rule)))
        .filter_map(|(group, rule)| origin.rule(group, rule).ok())
        .collect()
}

/// The origin of rules.
#[derive(Default)]
pub struct Origin {
    account: Option<Account>,
    namespace: Option<String>,
    /// The name of the resource that contains the rules.
    resource: Option<String>,
}

impl Origin {
    /// Reads one rule of a group; `Err` is the reason it is not an alerting rule.
    pub fn rule(&self, group: &Value, rule: &Value) -> Result<AlertRule, &'static str> {
        if str_at(rule, &["record"]).is_some() || str_at(rule, &["type"]) == Some("recording") {
            return Err(RECORDS);
        }
        let alert = str_at(rule, &["alert"]).or_else(|| str_at(rule, &["name"])).ok_or(reason::NO_ID)?;
        let group = str_at(group, &["name"]).unwrap_or("default");
        let group = match (&self.namespace, &self.resource) {
            (Some(namespace), Some(resource)) => format!("{namespace}/{resource}/{group}"),
            _ => group.to_owned(),
        };
        // `expr` may be a number in YAML: `expr: 1`.
        let expr = match value_at(rule, &["expr"]) {
            Value::Null => string_at(rule, &["query"]),
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            other => Some(other.to_string()),
        };
        // Files write `5m`; the API writes seconds.
        let duration = string_at(rule, &["for"]).or_else(|| {
            let seconds = value_at(rule, &["duration"]).as_f64().filter(|seconds| *seconds > 0.0)?;
            Some(format!("{seconds}s"))
        });
        Ok(AlertRule {
            account: self.account.clone(),
            alert: alert.to_owned(),
            group,
            expr: expr.ok_or("a rule without a condition (expr)")?,
            duration,
            labels: map_at(rule, &["labels"]),
            annotations: map_at(rule, &["annotations"]),
            namespace: self.namespace.clone(),
        })
    }
}
