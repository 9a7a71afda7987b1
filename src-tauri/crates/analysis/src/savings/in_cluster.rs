//! The additional JSON fields of a finding about a cluster.

use serde::Serialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The place in the cluster, and the time of the cluster's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InCluster {
    /// The time of the newest data about the cluster, µs since 1970 UTC.
    #[serde(skip)]
    pub at: i64,
    /// The same time as text.
    pub seen_at: String,
    pub cluster: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Distinguishes the findings of several rules about the same workload.
    pub dedupe_group: String,
    /// The billed machine, if a bill contains it; it proves the saving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed: Option<BilledResource>,
    /// The recommended settings, for a finding about one container.
    #[serde(flatten)]
    pub resources: Option<SetResources>,
}

/// A resource of a bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BilledResource {
    pub account_id: Uuid,
    pub resource_id: Uuid,
}

/// Current and recommended requests of a container, as Kubernetes quantities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetResources {
    pub kind: String,
    pub workload: String,
    pub container: String,
    pub current: Requests,
    pub recommended: Requests,
}

/// Requests by resource: `cpu`, `memory`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    pub requests: BTreeMap<&'static str, String>,
}
