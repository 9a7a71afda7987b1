//! Measurements.

use crate::record::Account;
use serde_json::{Map, Value};

/// One measured value of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    pub account: Account,
    /// External id of the resource, or `namespace/kind/name` in a cluster.
    pub subject: String,
    /// As the listings of metrics know them: `cpuCoreUsageAverage`, `ramByteRequestAverage` …; else as the file has it.
    pub name: String,
    /// `None` where the file has no time: the time of the import is taken.
    pub at: Option<i64>,
    /// In the unit of the metric: cores, bytes, bytes a second.
    pub value: f64,
    pub unit: Option<String>,
    /// Names the subject goes by, as listings of metrics read them: `namespace`, `controller`, `controllerKind`, `name`, `node`.
    pub tags: Map<String, Value>,
}
