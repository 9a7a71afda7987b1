//! Rule: containers without resource requests.
//!
//! <https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/>: pods without requests are the first to be evicted when a node runs short, and
//! the scheduler assumes that they need nothing.

use super::Judge;
use super::no_limits::{containers, lacking};
use super::subject::Words;
use crate::savings::cluster::Container;
use crate::savings::finding::{Figure, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

const RULE: Rule = Rule {
    name: "k8s_no_requests",
    version: 1,
    about: "A container requests no processors or no memory.",
    source: "https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/",
    aliases: &["cpuRequestsMissing", "memoryRequestsMissing", "POP-106", "KSV015", "KSV016"],
    category: Category::Configuration,
    action: Action::Modify,
    confidence: Confidence::High,
    thresholds: &[Threshold {
        name: "Containers without a request, at least",
        value: "1",
        unit: "containers",
    }],
    limits: "Init containers and kube-system are not looked at; a LimitRange that sets requests shows in pods, not in workloads.",
    effort: "Set resources.requests",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        lacking(cluster, |container| !missing(container).is_empty())
            .map(|lack| {
                let count = |of: fn(&Container) -> bool| {
                    i64::try_from(lack.containers.iter().filter(|one| of(one)).count()).unwrap_or(i64::MAX)
                };
                let words = Words {
                    title: format!("Set requests for {}", lack.name),
                    why: format!(
                        "{} of {} without a request: the scheduler cannot keep room free for what is not requested, and evicts such pods first.",
                        lack.containers.len(),
                        containers(lack.of),
                    ),
                    severity: Severity::Medium,
                    figures: vec![
                        Figure::whole("Containers", i64::try_from(lack.of).unwrap_or(i64::MAX), ""),
                        Figure::whole("Containers without a CPU request", count(|one| one.cpu_request.is_none()), ""),
                        Figure::whole("Containers without a memory request", count(|one| one.memory_request.is_none()), ""),
                    ],
                    members: lack
                        .containers
                        .iter()
                        .map(|one| format!("Container {}: no request of {}", one.name, missing(one).join(" and ")))
                        .collect(),
                };
                lack.subject.finding(cluster, &RULE, words)
            })
            .collect()
    },
};

fn missing(container: &Container) -> Vec<&'static str> {
    let all = [("CPU", container.cpu_request), ("memory", container.memory_request)];
    all.into_iter().filter(|(_, request)| request.is_none()).map(|(name, _)| name).collect()
}
