//! Recommended requests: the findings of both rules that compare requests with usage, and the workloads that could not be judged.

use super::requests_above_use::{self, is_measured_enough};
use super::requests_below_use;
use super::uses::of_workloads;
use crate::savings::cluster::{Cluster, Workload};
use crate::savings::finding::Finding;
use std::collections::BTreeSet;

/// The findings about requests, and the workloads without a result. Workloads are named as in `shop/Deployment/web`.
#[derive(Debug, Default)]
pub struct Rightsizing {
    pub findings: Vec<Finding>,
    /// Workloads with measurements.
    pub measured: Vec<String>,
    /// Workloads with too few measurements for a lower request: 100 over three hours are required.
    pub too_few: Vec<String>,
    pub unmeasured: Vec<String>,
    /// Workloads that a HorizontalPodAutoscaler scales by their requests.
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
