//! What the rules for clusters are given: a cluster as its dumps and measurements have told it.

use super::bill::Period;
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A cluster at its latest look.
#[derive(Debug, Clone, Default)]
pub struct Cluster {
    pub account: Uuid,
    pub name: String,
    /// Such as `v1.31.2`.
    pub version: Option<String>,
    /// The newest moment that is known of it, µs since 1970 UTC.
    pub seen_at: i64,
    /// The day that is judged on, days since 1970.
    pub today: i32,
    pub nodes: Vec<Node>,
    pub workloads: Vec<Workload>,
    pub pods: Vec<Pod>,
    /// What a HorizontalPodAutoscaler scales.
    pub scaled: BTreeSet<Owner>,
    /// What pods used, by namespace and name, then by container; under an empty name what the whole pod used.
    pub measured: BTreeMap<(String, String), BTreeMap<String, Measurements>>,
    /// What machines cost, by the name of the node.
    pub prices: BTreeMap<String, MachineCost>,
    /// Versions of Kubernetes and the day each was released, the oldest first.
    pub releases: Vec<Release>,
}

/// Processors in thousandths of a core, memory in bytes, here and below.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    pub resource: Uuid,
    pub name: String,
    /// What pods may use.
    pub cpu: i64,
    pub memory: i64,
    /// The cloud it is a machine of, as its provider id begins: `aws`, `gce`, `azure`.
    pub cloud: Option<String>,
    /// The cloud's name of the machine.
    pub machine: Option<String>,
    pub is_spot: bool,
    /// Whether work is kept away from it: it is cordoned, or the cluster itself runs on it.
    pub is_closed: bool,
    pub taints: Option<String>,
    /// Whether a dump has listed all pods that run on it.
    pub has_all_pods: bool,
}

/// What keeps pods running.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    pub namespace: String,
    pub kind: String,
    pub name: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workload {
    pub resource: Uuid,
    pub owner: Owner,
    pub desired_pods: i64,
    pub ready_pods: i64,
    pub containers: Vec<Container>,
    /// Whether another workload started it: a job of a cron job.
    pub is_owned: bool,
    pub claims_volume: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and any of them may be so")]
pub struct Pod {
    pub resource: Uuid,
    pub namespace: String,
    pub name: String,
    /// In the words of kubectl.
    pub status: String,
    pub node: Option<String>,
    pub owner: Option<Owner>,
    pub containers: Vec<Container>,
    /// Restarts of each container.
    pub restarts: BTreeMap<String, i64>,
    /// Why a container that runs again ended before.
    pub last_end: Option<String>,
    /// Why it is as it is: what the scheduler says.
    pub message: Option<String>,
    pub created_at: Option<i64>,
    /// Whether it has ended, well or not.
    pub is_over: bool,
    pub claims_volume: bool,
    /// Whether it keeps data on its node.
    pub has_local_storage: bool,
    /// Whether it states on which nodes it may run.
    pub is_bound_to_nodes: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Container {
    pub name: String,
    pub is_init: bool,
    pub cpu_request: Option<i64>,
    pub memory_request: Option<i64>,
    pub memory_limit: Option<i64>,
}

/// Measurements of one thing, in any order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measurements {
    pub cpu: Vec<i64>,
    pub memory: Vec<i64>,
    /// The first and the last moment of them.
    pub first: i64,
    pub last: i64,
}

/// What a bill says of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineCost {
    /// As the bill has it: its account and resource.
    pub account: Uuid,
    pub resource: Uuid,
    pub currency: String,
    pub period: Period,
    pub cost: Decimal,
    pub last_day: i32,
    pub usage: Vec<String>,
    /// What usage of its account cost in the period.
    pub account_cost: Decimal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Such as `1.31`.
    pub version: String,
    /// Days since 1970.
    pub day: i32,
}

impl Cluster {
    /// Whether nothing is known to be in it.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.workloads.is_empty() && self.pods.is_empty()
    }
}

impl Measurements {
    /// Adds measurements that begin and end at those moments.
    pub fn join(&mut self, other: &Self) {
        let is_empty = self.cpu.is_empty() && self.memory.is_empty();
        self.cpu.extend(&other.cpu);
        self.memory.extend(&other.memory);
        self.first = if is_empty { other.first } else { self.first.min(other.first) };
        self.last = self.last.max(other.last);
    }
}

impl Owner {
    /// As a person writes it: `shop/Deployment/web`.
    pub fn text(&self) -> String {
        format!("{}/{}/{}", self.namespace, self.kind, self.name)
    }
}

impl Pod {
    /// What a node keeps free for it: all its containers, or the one that prepares it where that asks for more.
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
