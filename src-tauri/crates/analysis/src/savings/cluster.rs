//! The input of the rules for clusters: a cluster as imported from its dumps and measurements.

use super::bill::Period;
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The latest known state of a cluster.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    pub account: Uuid,
    pub name: String,
    /// For example `v1.31.2`.
    pub version: Option<String>,
    /// The time of the newest data about it, µs since 1970 UTC.
    pub seen_at: i64,
    /// The day of judgement, days since 1970.
    pub today: i32,
    pub nodes: Vec<Node>,
    pub workloads: Vec<Workload>,
    pub pods: Vec<Pod>,
    /// The workloads that a HorizontalPodAutoscaler scales.
    pub scaled: BTreeSet<Owner>,
    /// Usage of pods, by namespace and name, then by container; the empty container name is the whole pod.
    pub measured: BTreeMap<(String, String), BTreeMap<String, Measurements>>,
    /// Billed cost of machines, by node name.
    pub prices: BTreeMap<String, MachineCost>,
    /// Kubernetes releases with their release days, oldest first.
    pub releases: Vec<Release>,
}

/// Here and below, CPU is in thousandths of a core and memory in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    pub resource: Uuid,
    pub name: String,
    /// Allocatable CPU; `memory` likewise.
    pub cpu: i64,
    pub memory: i64,
    /// The cloud, from the prefix of the provider id: `aws`, `gce`, `azure`.
    pub cloud: Option<String>,
    /// The cloud's name of the machine.
    pub machine: Option<String>,
    pub is_spot: bool,
    /// Whether it takes no ordinary pods: it is cordoned, or is a control-plane node.
    pub is_closed: bool,
    pub taints: Option<String>,
    /// Whether a dump listed all pods that run on it.
    pub has_all_pods: bool,
}

/// The controller of pods.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    pub namespace: String,
    pub kind: String,
    pub name: String,
}

/// A workload with its pod template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workload {
    pub resource: Uuid,
    pub owner: Owner,
    pub desired_pods: i64,
    pub ready_pods: i64,
    pub containers: Vec<Container>,
    /// Whether another workload created it, such as a job of a cron job.
    pub is_owned: bool,
    pub claims_volume: bool,
}

/// A pod.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and any of them may be so")]
pub struct Pod {
    pub resource: Uuid,
    pub namespace: String,
    pub name: String,
    /// The status as shown by kubectl.
    pub status: String,
    pub node: Option<String>,
    pub owner: Option<Owner>,
    pub containers: Vec<Container>,
    /// Restarts by container.
    pub restarts: BTreeMap<String, i64>,
    /// The reason why a restarted container ended before.
    pub last_end: Option<String>,
    /// The scheduler's message about its state.
    pub message: Option<String>,
    pub created_at: Option<i64>,
    /// Whether it has ended, successfully or not.
    pub is_over: bool,
    pub claims_volume: bool,
    /// Whether it stores data on its node.
    pub has_local_storage: bool,
    /// Whether it restricts the nodes on which it may run.
    pub is_bound_to_nodes: bool,
}

/// A container of a pod or pod template. `None` means that the request or limit is not set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Container {
    pub name: String,
    pub is_init: bool,
    pub cpu_request: Option<i64>,
    pub memory_request: Option<i64>,
    pub memory_limit: Option<i64>,
}

/// Measurements of one pod or container, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measurements {
    pub cpu: Vec<i64>,
    pub memory: Vec<i64>,
    /// The times of the first and the last measurement.
    pub first: i64,
    pub last: i64,
}

/// The billed cost of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineCost {
    /// The account and resource of the bill.
    pub account: Uuid,
    pub resource: Uuid,
    pub currency: String,
    pub period: Period,
    pub cost: Decimal,
    pub last_day: i32,
    pub usage: Vec<String>,
    /// Cost of usage of its account in the period.
    pub account_cost: Decimal,
}

/// A minor release of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// For example `1.31`.
    pub version: String,
    /// Days since 1970.
    pub day: i32,
}

impl Cluster {
    /// Whether it has no known objects.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.workloads.is_empty() && self.pods.is_empty()
    }
}

impl Measurements {
    /// Adds other measurements, extending the time range.
    pub fn join(&mut self, other: &Self) {
        let is_empty = self.cpu.is_empty() && self.memory.is_empty();
        self.cpu.extend(&other.cpu);
        self.memory.extend(&other.memory);
        self.first = if is_empty { other.first } else { self.first.min(other.first) };
        self.last = self.last.max(other.last);
    }
}

impl Owner {
    /// For display: `shop/Deployment/web`.
    pub fn text(&self) -> String {
        format!("{}/{}/{}", self.namespace, self.kind, self.name)
    }
}

impl Pod {
    /// The resources that a node reserves for it: the sum of its containers, or the largest init container if that requests more.
    pub fn requests(&self) -> (i64, i64) {
        let of = |request: fn(&Container) -> Option<i64>| {
            let amounts = |is_init: bool| {
                let of_kind = self.containers.iter().filter(move |container| container.is_init == is_init);
                of_kind.map(move |container| request(container).unwrap_or(0))
            };
            amounts(false).sum::<i64>().max(amounts(true).max().unwrap_or(0))
        };
        (of(|container| container.cpu_request), of(|container| container.memory_request))
    }
}
