//! Rule: requests far above usage.
//!
//! KRR, strategy `simple` (<https://github.com/robusta-dev/krr>): request the 95th percentile of CPU, and the maximum of memory plus 15%, given
//! at least 100 measurements over three hours; never less than 10m and 100 MiB.

use super::Judge;
use super::uses::{Change, Use, changes, finding, told};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

/// The minimum number of measurements, and the hours they must span.
pub const POINTS: usize = 100;
pub const HOURS: i64 = 3;
/// The minimum difference between a request and the recommended one, in thousandths of a core and in MiB.
const LEAST: i64 = 100;

const RULE: Rule = Rule {
    name: "k8s_requests_above_use",
    version: 1,
    about: "Containers request far more than they use.",
    source: "https://github.com/robusta-dev/krr",
    aliases: &["pod_overprovisioned", "krr"],
    category: Category::RightSizing,
    action: Action::Modify,
    confidence: Confidence::Medium,
    thresholds: &[
        Threshold { name: "Measurements, at least", value: "100", unit: "measurements" },
        Threshold { name: "Measured over, at least", value: "3", unit: "hours" },
        Threshold { name: "CPU request above the 95th percentile by at least", value: "100", unit: "m" },
        Threshold {
            name: "Memory request above 1.15 × the most used by at least",
            value: "100",
            unit: "MiB",
        },
    ],
    limits: "No saving is told: what is freed is paid for until a node is given up, which the rule for idle nodes finds. The newest 14 days of measurements are looked at; what a HorizontalPodAutoscaler scales is left out.",
    effort: "Lower the requests; the pods are replaced",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        changes(cluster, change)
            .into_iter()
            .map(|(workload, changes)| {
                let title = format!("Lower the requests of {}", workload.owner.name);
                let why = format!("{} request far more than was used.", told(changes.len(), workload));
                finding(cluster, &RULE, (workload, &changes), (title, why))
            })
            .collect()
    },
};

/// Whether there are enough measurements to recommend a lower request.
pub fn is_measured_enough(of: &Use<'_>) -> bool {
    of.points >= POINTS && of.hours >= HOURS
}

fn change(of: &Use<'_>) -> Change {
    if !is_measured_enough(of) {
        return Change::default();
    }
    let (cpu, memory) = (of.wanted_cpu(), of.wanted_memory());
    let requested = of.memory_request.map(|bytes| bytes / super::subject::MIB);
    Change {
        cpu: Some(cpu).filter(|cpu| of.cpu_request.is_some_and(|request| request - cpu >= LEAST)),
        memory: Some(memory).filter(|memory| requested.is_some_and(|request| request - memory >= LEAST)),
    }
}
