//! A cluster from the inside.
//!
//! Processors are in millicores, memory in bytes, so that sums are exact; writers turn them into cores and MiB.

use serde_json::{Map, Value};

/// The cluster that a dump is of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cluster {
    /// Stable over dumps of the same cluster: the uid of `kube-system`, or what the file says; else the uid of its oldest object.
    pub number: String,
    pub name: Option<String>,
    /// Such as `v1.31.2`.
    pub version: Option<String>,
    /// When the dump was taken.
    pub taken_at: Option<i64>,
    /// What the dump lists whole: what is stored of it and lacks here has gone.
    pub whole: Vec<Whole>,
    /// Whether the file itself says which cluster it is. Else the number only stands in for it.
    pub names_itself: bool,
    /// Uids of objects in the file: a cluster that has one of them is the same cluster, whatever its number.
    pub uids: Vec<String>,
    /// Names of nodes in the file: they tell the cluster when neither its number nor a uid does.
    pub nodes: Vec<String>,
    /// Pods in the file, as namespace and name; they tell the cluster when nothing else does.
    pub pods: Vec<(String, String)>,
}

/// A kind of which a dump lists all there are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole {
    pub kind: String,
    /// The only namespace that is listed; `None`: all of them, or the kind has no namespaces.
    pub namespace: Option<String>,
}

/// One object.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterObject {
    Namespace(Namespace),
    Node(Node),
    Workload(Workload),
    Pod(Pod),
    /// Any other kind, kept as a resource.
    Other {
        kind: String,
        namespace: Option<String>,
        name: String,
        uid: Option<String>,
        created_at: Option<i64>,
        /// Without secrets.
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
    /// The cloud's id of the machine: `aws:///eu-west-1a/i-0abc`.
    pub provider_id: Option<String>,
    pub cpu_capacity: u64,
    pub cpu_allocatable: u64,
    pub memory_capacity: u64,
    pub memory_allocatable: u64,
    /// Conditions that are not as they should be, in the cluster's words; `Ready` when all are.
    pub conditions: String,
    pub taints: Option<String>,
    pub internal_ip: Option<String>,
    pub external_ip: Option<String>,
    pub instance_type: Option<String>,
    pub region: Option<String>,
    pub zone: Option<String>,
    /// Such as `spot`, from the labels of the providers.
    pub purchase: Option<String>,
    pub labels: Map<String, Value>,
    pub meta: Map<String, Value>,
    /// The object as the file has it, without secrets, as JSON.
    pub manifest: String,
}

/// A deployment, stateful set, daemon set, replica set, job, cron job …
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
    /// The object as the file has it, without secrets, as JSON.
    pub manifest: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pod {
    pub namespace: String,
    pub name: String,
    pub uid: Option<String>,
    pub created_at: Option<i64>,
    pub node: Option<String>,
    /// `Running`, `Pending`, `CrashLoopBackOff` …: the reason of the first container that waits, else the phase.
    pub status: String,
    pub owner: Option<Owner>,
    pub containers: Vec<Container>,
    pub labels: Map<String, Value>,
    pub meta: Map<String, Value>,
    /// The object as the file has it, without secrets, as JSON.
    pub manifest: String,
}

/// What started an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub kind: String,
    pub name: String,
}

/// One container, with what it asks for. `None`: the manifest does not state it.
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
    /// `running`, or why it waits or ended.
    pub state: Option<String>,
}
