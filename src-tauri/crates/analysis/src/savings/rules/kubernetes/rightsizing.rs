//! What requests should be: both rules that set them beside what was used, and what kept them from saying more.

use super::requests_above_use::{self, is_measured_enough};
use super::requests_below_use;
use super::uses::of_workloads;
use crate::savings::cluster::{Cluster, Workload};
use crate::savings::finding::Finding;
use std::collections::BTreeSet;

/// What was found of requests, and of which workloads nothing could be found. Workloads are named as `shop/Deployment/web`.
#[derive(Debug, Default)]
pub struct Rightsizing {
    pub findings: Vec<Finding>,
    /// Those with measurements.
    pub measured: Vec<String>,
    /// Those with too few of them to request less: 100 over three hours are needed.
    pub too_few: Vec<String>,
    pub unmeasured: Vec<String>,
    /// Those that a HorizontalPodAutoscaler scales: their requests steer it.
    pub scaled: Vec<String>,
}

/// Judges the requests of all workloads of a cluster.
pub fn rightsizing(cluster: &Cluster) -> Rightsizing {
    let judges = [requests_below_use::JUDGE, requests_above_use::JUDGE];
    let mut found = Rightsizing {
        findings: judges.iter().flat_map(|judge| (judge.find)(cluster)).collect(),
        ..Rightsizing::default()
    };
    let mut measured = BTreeSet::new();
    for (workload, uses) in of_workloads(cluster) {
        measured.insert(&workload.owner);
        found.measured.push(workload.owner.text());
        if !uses.iter().any(is_measured_enough) {
            found.too_few.push(workload.owner.text());
        }
    }
    let is_scaled = |workload: &&Workload| cluster.scaled.contains(&workload.owner);
    let (scaled, others): (Vec<&Workload>, Vec<&Workload>) = cluster.workloads.iter().partition(is_scaled);
    found.scaled = scaled.iter().map(|workload| workload.owner.text()).collect();
    let unmeasured = others.iter().filter(|workload| !measured.contains(&workload.owner));
    found.unmeasured = unmeasured.map(|workload| workload.owner.text()).collect();
    found
}
