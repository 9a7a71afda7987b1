//! The objects of a Kubernetes cluster.
//!
//! CPU is in millicores and memory in bytes, which makes sums exact; the code that stores rows converts to cores and MiB.

use serde_json::{Map, Value};

/// The cluster that a dump was taken from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cluster {
    /// Stable across dumps of one cluster: the uid of `kube-system` or the id stated in the file, otherwise the uid of the oldest object.
    pub number: String,
    pub name: Option<String>,
    /// The Kubernetes version, such as `v1.31.2`.
    pub version: Option<String>,
    /// When the dump was taken, µs since 1970 UTC.
    pub taken_at: Option<i64>,
    /// The kinds that the dump lists completely. Stored objects of these kinds that are missing from the dump have been deleted.
    pub complete_listings: Vec<CompleteListing>,
    /// Whether the file itself identifies the cluster. If not, `number` is only a substitute.
    pub has_own_id: bool,
    /// Uids of objects in the file. A stored cluster with one of these uids is the same cluster, whatever its number.
    pub uids: Vec<String>,
    /// Names of nodes in the file. They identify the cluster when neither its number nor a uid does.
    pub nodes: Vec<String>,
    /// Pods in the file, as namespace and name. They identify the cluster when nothing else does.
    pub pods: Vec<(String, String)>,
}

/// A kind that a dump lists completely.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompleteListing {
    pub kind: String,
    /// The only namespace listed; `None` for all namespaces, or for a kind without namespaces.
    pub namespace: Option<String>,
}

/// One object of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterObject {
    Namespace(Namespace),
    Node(Node),
    Workload(Workload),
    Pod(Pod),
    /// An object of any other kind, stored as a resource.
    Other {
        kind: String,
        namespace: Option<String>,
        name: String,
        uid: Option<String>,
        created_at: Option<i64>,
        /// The manifest without secrets.
        manifest: Map<String, Value>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    pub name: String,
    pub created_at: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub name: String,
    pub uid: Option<String>,
    pub created_at: Option<i64>,
    /// The cloud provider's id of the machine: `aws:///eu-west-1a/i-0abc`.
    pub provider_id: Option<String>,
    pub cpu_capacity: u64,
    pub cpu_allocatable: u64,
    pub memory_capacity: u64,
    pub memory_allocatable: u64,
    /// Conditions that indicate a problem, in Kubernetes' words; `Ready` when there are none.
    pub conditions: String,
    pub taints: Option<String>,
    pub internal_ip: Option<String>,
    pub external_ip: Option<String>,
    pub instance_type: Option<String>,
    pub region: Option<String>,
    pub zone: Option<String>,
    /// The purchase type, such as `spot`, from the providers' labels.
    pub purchase: Option<String>,
    pub labels: Map<String, Value>,
    pub meta: Map<String, Value>,
    /// The object as in the file, without secrets, as JSON.
    pub manifest: String,
}

/// A Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob …
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    pub kind: String,
    pub namespace: String,
    pub name: String,
    pub uid: Option<String>,
    pub created_at: Option<i64>,
    pub desired_pods: u32,
    pub ready_pods: u32,
    pub status: Option<String>,
    pub owner: Option<Owner>,
    pub containers: Vec<Container>,
    pub labels: Map<String, Value>,
    pub meta: Map<String, Value>,
    /// The object as in the file, without secrets, as JSON.
    pub manifest: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pod {
    pub namespace: String,
    pub name: String,
    pub uid: Option<String>,
    pub created_at: Option<i64>,
    pub node: Option<String>,
    /// `Running`, `Pending`, `CrashLoopBackOff` …: the reason of the first waiting container, otherwise the phase.
    pub status: String,
    pub owner: Option<Owner>,
    pub containers: Vec<Container>,
    pub labels: Map<String, Value>,
    pub meta: Map<String, Value>,
    /// The object as in the file, without secrets, as JSON.
    pub manifest: String,
}

/// The controller that owns an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub kind: String,
    pub name: String,
}

/// One container with its resource requests and limits. `None` means that the manifest does not state the value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Container {
    pub name: String,
    pub image: Option<String>,
    pub is_init: bool,
    pub cpu_request: Option<u64>,
    pub cpu_limit: Option<u64>,
    pub memory_request: Option<u64>,
    pub memory_limit: Option<u64>,
    pub restarts: Option<u32>,
    /// `running`, or the reason why it waits or ended.
    pub state: Option<String>,
}
