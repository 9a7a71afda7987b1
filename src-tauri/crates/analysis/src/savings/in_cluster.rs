//! What the card of a finding about a cluster says beside the rest.

use serde::Serialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Where in a cluster it is, and when it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InCluster {
    /// The newest moment that is known of the cluster, µs since 1970 UTC.
    #[serde(skip)]
    pub at: i64,
    /// The same in words.
    pub seen_at: String,
    pub cluster: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Several rules may judge one workload, and each says something else.
    pub dedupe_group: String,
    /// Where a bill names the machine: what proves the saving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed: Option<BilledResource>,
    /// What is to be set, where it is of one container.
    #[serde(flatten)]
    pub resources: Option<SetResources>,
}

/// A resource of a bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BilledResource {
    pub account_id: Uuid,
    pub resource_id: Uuid,
}

/// Requests of a container as they are and as they should be, in the words of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetResources {
    pub kind: String,
    pub workload: String,
    pub container: String,
    pub current: Requests,
    pub recommended: Requests,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Requests {
    pub requests: BTreeMap<&'static str, String>,
}
