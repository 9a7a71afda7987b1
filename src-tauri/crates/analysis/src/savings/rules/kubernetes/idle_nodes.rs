//! Rule: nodes that could be removed, because little is requested on them and their pods fit on other nodes.
//!
//! Cluster Autoscaler (<https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md>): a node is unneeded if less than half of
//! its allocatable resources is requested (`scale-down-utilization-threshold`) and all its pods can move. Pods without a controller, pods with
//! data on the node, and pods of kube-system outside DaemonSets cannot move.

use super::Judge;
use super::subject::{OWN_NAMESPACE, Subject, Words, counted, cpu, memory};
use crate::numbers::ratio;
use crate::savings::bill::Period;
use crate::savings::cluster::{Cluster, MachineCost, Node, Pod};
use crate::savings::finding::{Figure, Finding, Saving, Severity, for_a_month};
use crate::savings::in_cluster::BilledResource;
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use crate::savings::subject::severity;
use catalogue::Decimal;
use std::collections::BTreeMap;

const RULE: Rule = Rule {
    name: "k8s_idle_nodes",
    version: 1,
    about: "Less than half of a node is requested, and its pods fit on the other nodes.",
    source: "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md",
    aliases: &["ws_k8s_node_util_low", "node_underused"],
    category: Category::Cost,
    action: Action::Delete,
    confidence: Confidence::Medium,
    thresholds: &[Threshold { name: "Requested, less than", value: "0.5", unit: "of what pods may use" }],
    limits: "The price is that of the machine in a bill; where none names it, no saving is told. Affinities between pods, spread over zones and disruption budgets are not looked at.",
    effort: "Drain the node, then remove its machine",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        let empty = emptied(cluster);
        empty.iter().filter_map(|one| finding(cluster, one)).collect()
    },
};

/// A node that could be removed.
struct Idle<'c> {
    node: &'c Node,
    /// The requests of its pods, including those of DaemonSets.
    cpu: i64,
    memory: i64,
    /// Pods that move, and the nodes to which they move.
    moved: Vec<(&'c Pod, &'c str)>,
}

/// Nodes that could all be removed together.
pub fn idle(cluster: &Cluster) -> Vec<&Node> {
    emptied(cluster).into_iter().map(|idle| idle.node).collect()
}

/// Removes nodes one by one, lowest requests first; each node's pods move to remaining nodes, so that all can be removed together.
fn emptied(cluster: &Cluster) -> Vec<Idle<'_>> {
    let mut pods: BTreeMap<&str, Vec<&Pod>> = BTreeMap::new();
    for pod in cluster.pods.iter().filter(|pod| !pod.is_over) {
        if let Some(node) = &pod.node {
            pods.entry(node).or_default().push(pod);
        }
    }
    let on = |node: &Node| pods.get(node.name.as_str()).cloned().unwrap_or_default();
    let used = |node: &Node| {
        on(node).iter().fold((0, 0), |(cpu, memory), pod| {
            let (more_cpu, more_memory) = pod.requests();
            (cpu + more_cpu, memory + more_memory)
        })
    };
    let mut free: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for node in cluster.nodes.iter().filter(|node| takes_pods(node)) {
        let (cpu, memory) = used(node);
        free.insert(&node.name, (node.cpu - cpu, node.memory - memory));
    }
    let mut nodes: Vec<(&Node, (i64, i64))> = cluster
        .nodes
        .iter()
        .filter(|node| takes_pods(node))
        .map(|node| (node, used(node)))
        .filter(|(node, (cpu, memory))| cpu * 2 < node.cpu && memory * 2 < node.memory)
        .filter(|(node, _)| on(node).iter().all(|pod| may_move(pod)))
        .collect();
    // By the larger of the CPU and memory utilisation, in millionths.
    let part = |used: i64, of: i64| i128::from(used) * 1_000_000 / i128::from(of.max(1));
    nodes.sort_by_key(|(node, (cpu, memory))| {
        (part(*cpu, node.cpu).max(part(*memory, node.memory)), node.name.as_str())
    });
    let mut found: Vec<Idle<'_>> = Vec::new();
    let mut receivers: Vec<&str> = Vec::new();
    for (node, (cpu, memory)) in nodes {
        // A node that receives pods of another one is no longer idle.
        if receivers.contains(&node.name.as_str()) {
            continue;
        }
        let mut left = free.clone();
        left.remove(node.name.as_str());
        let moving = on(node).into_iter().filter(|pod| !is_of_daemon_set(pod)).collect();
        let same = |name: &str| cluster.nodes.iter().any(|other| other.name == name && is_like(other, node));
        let Some(moved) = place(moving, &mut left, same) else { continue };
        receivers.extend(moved.iter().map(|(_, to)| *to));
        free = left;
        found.push(Idle { node, cpu, memory, moved });
    }
    found
}

/// Places each pod, largest first, on the first node with enough free resources; `None` if a pod fits nowhere.
fn place<'c>(
    mut pods: Vec<&'c Pod>,
    free: &mut BTreeMap<&'c str, (i64, i64)>,
    is_possible: impl Fn(&str) -> bool,
) -> Option<Vec<(&'c Pod, &'c str)>> {
    pods.sort_by_key(|pod| (std::cmp::Reverse(pod.requests()), &pod.name));
    let mut moved = Vec::new();
    for pod in pods {
        let (cpu, memory) = pod.requests();
        let has_room = |(name, (free_cpu, free_memory)): &(&&'c str, &mut (i64, i64))| {
            is_possible(name) && *free_cpu >= cpu && *free_memory >= memory
        };
        let (name, room) = free.iter_mut().find(has_room)?;
        *room = (room.0 - cpu, room.1 - memory);
        moved.push((pod, *name));
    }
    Some(moved)
}

/// Whether all pods on the node are known, and new pods may be scheduled there.
fn takes_pods(node: &Node) -> bool {
    node.has_all_pods && !node.is_closed && node.cpu > 0 && node.memory > 0
}

/// Whether two nodes have the same taints and the same purchase option.
fn is_like(one: &Node, other: &Node) -> bool {
    one.taints == other.taints && one.is_spot == other.is_spot
}

fn may_move(pod: &Pod) -> bool {
    let is_own = pod.namespace == OWN_NAMESPACE;
    is_of_daemon_set(pod)
        || (pod.owner.is_some() && !is_own && !pod.has_local_storage && !pod.is_bound_to_nodes)
}

/// Pods that end with the node: those of DaemonSets, and the node's own static pods.
fn is_of_daemon_set(pod: &Pod) -> bool {
    pod.owner.as_ref().is_some_and(|owner| owner.kind == "DaemonSet" || owner.kind == "Node")
}

fn finding(cluster: &Cluster, idle: &Idle<'_>) -> Option<Finding> {
    let node = idle.node;
    let price = cluster.prices.get(&node.name);
    let part = |used: i64, of: i64| ratio(Decimal::from(used), Decimal::from(of)).unwrap_or_default();
    let mut why = format!(
        "{} of CPU and {} of memory are requested; {}.",
        part(idle.cpu, node.cpu),
        part(idle.memory, node.memory),
        match idle.moved.len() {
            0 => "nothing but pods of DaemonSets runs there".to_owned(),
            count => format!("the other nodes have room for its {}", counted(count, "pod")),
        }
    );
    if price.is_none() {
        why.push_str(" No bill names its machine, so what it costs is not known.");
    }
    let words = Words {
        title: format!("Give up the idle node {}", node.name),
        why,
        severity: Severity::Low,
        figures: vec![
            cpu("CPU requested", idle.cpu),
            cpu("CPU that pods may use", node.cpu),
            Figure::new("Part of CPU requested", part(idle.cpu, node.cpu), ""),
            memory("Memory requested", idle.memory),
            memory("Memory that pods may use", node.memory),
            Figure::new("Part of memory requested", part(idle.memory, node.memory), ""),
        ],
        members: idle.moved.iter().map(|(pod, to)| member(pod, to)).collect(),
    };
    let subject =
        Subject { resource: Some(node.resource), object: format!("Node/{}", node.name), namespace: None };
    let finding = subject.finding(cluster, &RULE, words);
    match price {
        Some(price) => priced(finding, price),
        None => Some(finding),
    }
}

fn member(pod: &Pod, to: &str) -> String {
    let (milli, bytes) = pod.requests();
    let memory = super::subject::mebibytes(bytes);
    format!("Pod {}/{}: {milli}m and {memory} MiB move to {to}", pod.namespace, pod.name)
}

/// Adds the billed cost of the machine; all of it is saved.
fn priced(mut finding: Finding, price: &MachineCost) -> Option<Finding> {
    let period: Period = price.period;
    finding.currency = Some(price.currency.clone());
    finding.period_cost = price.cost;
    finding.monthly_cost = for_a_month(price.cost, period)?;
    finding.saving = Saving::Share(Decimal::from(1));
    finding.period = Some(period);
    finding.usage.clone_from(&price.usage);
    finding.last_day = price.last_day;
    finding.severity = severity(&finding, price.account_cost, period).max(Severity::Low);
    if let Some(place) = finding.cluster.as_mut() {
        place.billed = Some(BilledResource { account_id: price.account, resource_id: price.resource });
    }
    Some(finding)
}
