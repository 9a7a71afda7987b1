//! Rule: workloads that could run on spot machines.
//!
//! <https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms>: stateless work that tolerates the loss of a machine. Here: a Deployment
//! with at least two ready pods that stores no data on volumes or nodes and is not bound to certain nodes.

use super::Judge;
use super::subject::{OWN_NAMESPACE, Subject, Words, cpu, memory};
use crate::savings::cluster::{Cluster, Node, Pod, Workload};
use crate::savings::finding::{Figure, Finding, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use std::collections::BTreeMap;

/// The minimum number of pods, one of which may be lost at any time.
const PODS: i64 = 2;
const KINDS: [&str; 3] = ["Deployment", "ReplicaSet", "Rollout"];

const RULE: Rule = Rule {
    name: "k8s_spot_candidates",
    version: 1,
    about: "A workload without state runs in several pods on machines that are bought on demand.",
    source: "https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms",
    aliases: &["spot_candidate"],
    category: Category::SpotNodes,
    action: Action::Modify,
    confidence: Confidence::Low,
    thresholds: &[Threshold { name: "Ready pods, at least", value: "2", unit: "pods" }],
    limits: "No saving is told: no file says what spot machines would cost. A node without a label of its provider is taken for one bought on demand. Whether the work bears an end within two minutes only its owner knows.",
    effort: "Let it run on spot nodes with a toleration and a node affinity",
};

pub const JUDGE: Judge = Judge { rule: &RULE, find: judge };

fn judge(cluster: &Cluster) -> Vec<Finding> {
    let nodes: BTreeMap<&str, &Node> = cluster.nodes.iter().map(|node| (node.name.as_str(), node)).collect();
    let is_candidate = |workload: &&Workload| {
        KINDS.contains(&workload.owner.kind.as_str())
            && workload.owner.namespace != OWN_NAMESPACE
            && !workload.is_owned
            && !workload.claims_volume
            && workload.ready_pods >= PODS
            && workload.ready_pods >= workload.desired_pods
    };
    let mut findings = Vec::new();
    for workload in cluster.workloads.iter().filter(is_candidate) {
        let is_one = |pod: &&Pod| pod.owner.as_ref() == Some(&workload.owner) && !pod.is_over;
        let pods: Vec<&Pod> = cluster.pods.iter().filter(is_one).collect();
        let is_on_demand = |pod: &&Pod| {
            let node = pod.node.as_deref().and_then(|name| nodes.get(name));
            node.is_some_and(|node| node.cloud.is_some() && !node.is_spot)
        };
        let is_free = |pod: &&Pod| !pod.claims_volume && !pod.has_local_storage && !pod.is_bound_to_nodes;
        if pods.len() < 2 || !pods.iter().all(|pod| is_on_demand(pod) && is_free(pod)) {
            continue;
        }
        findings.push(of_workload(cluster, workload, &pods));
    }
    findings
}

fn of_workload(cluster: &Cluster, workload: &Workload, pods: &[&Pod]) -> Finding {
    let requests = pods.iter().map(|pod| pod.requests());
    let (milli, bytes) =
        requests.fold((0, 0), |(milli, bytes), (more, bytes_more)| (milli + more, bytes + bytes_more));
    let words = Words {
        title: format!("Run {} on spot machines", workload.owner.name),
        why: format!(
            "{} pods without volumes run on machines that are bought on demand. What it saves is not known: no bill says what spot machines of this kind cost.",
            pods.len()
        ),
        severity: Severity::Info,
        figures: vec![
            Figure::whole("Ready pods", workload.ready_pods, "pods"),
            cpu("CPU requested by all of them", milli),
            memory("Memory requested by all of them", bytes),
        ],
        members: Vec::new(),
    };
    Subject::of(workload.resource, &workload.owner).finding(cluster, &RULE, words)
}
