//! A rule that raises alerts.

use crate::record::Account;
use serde_json::{Map, Value};

/// An alerting rule as Prometheus defines it. Identified by account, group and alert, and by a number when a group has the alert
/// several times.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertRule {
    /// The cluster the rule was exported from; `None` when the file does not name one.
    pub account: Option<Account>,
    /// The name of the alerts it raises.
    pub alert: String,
    /// The rule group. For a `PrometheusRule` resource, the resource's namespace and name precede it.
    pub group: String,
    /// The condition, in PromQL.
    pub expr: String,
    /// How long the condition must hold, such as `5m`.
    pub duration: Option<String>,
    pub labels: Map<String, Value>,
    pub annotations: Map<String, Value>,
    pub namespace: Option<String>,
}
