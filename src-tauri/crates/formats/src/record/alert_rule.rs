//! A rule that raises alerts.

use crate::record::Account;
use serde_json::{Map, Value};

/// A rule as Prometheus has it. Its identity is account, group and alert, and the number where a group has the alert several times.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertRule {
    /// The cluster it was taken from; `None` where the file names none.
    pub account: Option<Account>,
    /// The name of the alerts it raises.
    pub alert: String,
    /// The group it belongs to; of a cluster's resource with that resource's namespace and name before it.
    pub group: String,
    /// The condition, in PromQL.
    pub expr: String,
    /// How long the condition must hold, such as `5m`.
    pub duration: Option<String>,
    pub labels: Map<String, Value>,
    pub annotations: Map<String, Value>,
    pub namespace: Option<String>,
}
