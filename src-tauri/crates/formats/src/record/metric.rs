//! Measurements.

use crate::record::Account;
use serde_json::{Map, Value};

/// One measured value of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    pub account: Account,
    /// External id of the resource, or `namespace/kind/name` in a cluster.
    pub subject: String,
    /// The metric's name as the listings use it: `cpuCoreUsageAverage`, `ramByteRequestAverage` …; otherwise as in the file.
    pub name: String,
    /// µs since 1970 UTC. `None` when the file has no time: the import time is used.
    pub at: Option<i64>,
    /// In the metric's unit: cores, bytes, bytes per second.
    pub value: f64,
    pub unit: Option<String>,
    /// Names of the subject, under the keys that listings of metrics read: `namespace`, `controller`, `controllerKind`, `name`, `node`.
    pub tags: Map<String, Value>,
}
