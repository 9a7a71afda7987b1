//! The subject of a metric in a cluster.

use crate::record::{Account, Metric};
use serde_json::{Map, Value};

/// Cores in use. These names are the ones that the listings of metrics use.
pub const CPU_USED: &str = "cpuCoreUsageAverage";
/// Bytes of memory in use.
pub const MEMORY_USED: &str = "ramByteUsageAverage";
/// Requested cores.
pub const CPU_REQUESTED: &str = "cpuCoreRequestAverage";
/// Requested bytes of memory.
pub const MEMORY_REQUESTED: &str = "ramByteRequestAverage";

/// A pod, node, workload or other part of a cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    pub namespace: Option<String>,
    /// `Pod`, `Node`, `Deployment` …
    pub kind: String,
    pub name: String,
    pub node: Option<String>,
    pub controller: Option<(String, String)>,
    pub container: Option<String>,
}

impl Subject {
    pub fn pod(namespace: &str, name: &str) -> Self {
        Self {
            namespace: Some(namespace.to_owned()),
            kind: "Pod".to_owned(),
            name: name.to_owned(),
            ..Self::default()
        }
    }

    pub fn node(name: &str) -> Self {
        Self {
            kind: "Node".to_owned(),
            name: name.to_owned(),
            node: Some(name.to_owned()),
            ..Self::default()
        }
    }

    /// `namespace/kind/name`, or `kind/name` without a namespace; a container's name is appended.
    pub fn id(&self) -> String {
        let namespace = self.namespace.iter().map(String::as_str);
        let parts =
            namespace.chain([self.kind.as_str(), self.name.as_str()]).chain(self.container.as_deref());
        parts.collect::<Vec<_>>().join("/")
    }

    /// The subject's names, under the keys that listings of metrics read.
    pub fn tags(&self) -> Map<String, Value> {
        let mut tags = Map::new();
        let mut put = |key: &str, value: Option<&str>| {
            if let Some(value) = value {
                tags.insert(key.to_owned(), value.into());
            }
        };
        let of_pod = (self.kind == "Pod").then_some(self.name.as_str());
        put("namespace", self.namespace.as_deref());
        put("name", of_pod);
        put("node", self.node.as_deref());
        put("container", self.container.as_deref());
        if let Some((kind, name)) = &self.controller {
            put("controllerKind", Some(kind));
            put("controller", Some(name));
        }
        if let Some(namespace) = &self.namespace {
            if let Some(pod) = of_pod {
                put("pod_fqdn", Some(&format!("{namespace}/{pod}")));
            }
            if let Some((_, name)) = &self.controller {
                put("workload_fqdn", Some(&format!("{namespace}/{name}")));
            }
        }
        tags
    }

    /// One metric of this subject.
    pub fn measured(&self, account: &Account, name: &str, unit: &str, at: Option<i64>, value: f64) -> Metric {
        Metric {
            account: account.clone(),
            subject: self.id(),
            name: name.to_owned(),
            at,
            value,
            unit: Some(unit.to_owned()),
            tags: self.tags(),
        }
    }
}
