//! Rule: requests far below usage.
//!
//! KRR, strategy `simple` (<https://github.com/robusta-dev/krr>). A pod that uses more memory than it requests is among the first to be evicted:
//! <https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/>.

use super::Judge;
use super::subject::MIB;
use super::uses::{Change, Use, changes, finding, told};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

/// The minimum difference between usage and a request, in thousandths of a core and in MiB.
const LEAST: i64 = 100;

const RULE: Rule = Rule {
    name: "k8s_requests_below_use",
    version: 1,
    about: "Containers use far more than they request.",
    source: "https://github.com/robusta-dev/krr",
    aliases: &["pod_underprovisioned", "krr"],
    category: Category::RightSizing,
    action: Action::Modify,
    confidence: Confidence::Medium,
    thresholds: &[
        Threshold { name: "95th percentile of CPU above the request by at least", value: "100", unit: "m" },
        Threshold { name: "Most memory used above the request by at least", value: "100", unit: "MiB" },
    ],
    limits: "One measurement shows it; of few of them the proposed request is a first step. What a HorizontalPodAutoscaler scales is left out.",
    effort: "Raise the requests; the pods are replaced",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        changes(cluster, change)
            .into_iter()
            .map(|(workload, changes)| {
                let title = format!("Raise the requests of {}", workload.owner.name);
                let why = format!(
                    "{} used far more than requested: the scheduler puts too much on their nodes, and pods are evicted when memory runs short.",
                    told(changes.len(), workload)
                );
                finding(cluster, &RULE, (workload, &changes), (title, why))
            })
            .collect()
    },
};

fn change(of: &Use<'_>) -> Change {
    let is_above = |used: i64, request: Option<i64>, unit: i64| {
        request.is_some_and(|request| used.saturating_sub(request) >= LEAST * unit)
    };
    Change {
        cpu: Some(of.wanted_cpu()).filter(|_| is_above(of.cpu, of.cpu_request, 1)),
        memory: Some(of.wanted_memory()).filter(|_| is_above(of.memory, of.memory_request, MIB)),
    }
}
