//! Rule: containers without a memory limit.
//!
//! <https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/>: without a memory limit, a container may use all memory of
//! its node. A CPU limit is not required: it would slow down work although CPU is free.

use super::Judge;
use super::subject::{OWN_NAMESPACE, Subject, Words, counted};
use crate::savings::cluster::{Cluster, Container};
use crate::savings::finding::{Figure, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};

const RULE: Rule = Rule {
    name: "k8s_no_limits",
    version: 1,
    about: "A container has no memory limit.",
    source: "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
    aliases: &["memoryLimitsMissing", "POP-107", "KSV018"],
    category: Category::Configuration,
    action: Action::Modify,
    confidence: Confidence::High,
    thresholds: &[Threshold {
        name: "Containers without a memory limit, at least",
        value: "1",
        unit: "containers",
    }],
    limits: "Init containers and kube-system are not looked at; a LimitRange that sets limits shows in pods, not in workloads.",
    effort: "Set resources.limits.memory",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        lacking(cluster, |container| container.memory_limit.is_none())
            .map(|lack| {
                let name = lack.name;
                let words = Words {
                    title: format!("Set memory limits for {name}"),
                    why: format!(
                        "{} of {} no memory limit: a leak takes the memory of other pods on the node, until the kernel ends one of them.",
                        lack.containers.len(),
                        if lack.of == 1 { "1 container has".to_owned() } else { format!("{} containers have", lack.of) },
                    ),
                    severity: Severity::Medium,
                    figures: vec![
                        Figure::whole("Containers", i64::try_from(lack.of).unwrap_or(i64::MAX), ""),
                        Figure::whole(
                            "Containers without a memory limit",
                            i64::try_from(lack.containers.len()).unwrap_or(i64::MAX),
                            "",
                        ),
                    ],
                    members: lack.containers.iter().map(|one| format!("Container {}: no memory limit", one.name)).collect(),
                };
                lack.subject.finding(cluster, &RULE, words)
            })
            .collect()
    },
};

/// A workload with containers that lack a setting.
pub struct Lack<'c> {
    pub subject: Subject,
    pub name: &'c str,
    pub containers: Vec<&'c Container>,
    /// The total number of its containers.
    pub of: usize,
}

/// Workloads, and pods without a controller, with containers that lack a setting.
pub fn lacking<'c>(
    cluster: &'c Cluster,
    lacks: impl Fn(&Container) -> bool + Copy + 'c,
) -> impl Iterator<Item = Lack<'c>> {
    let of_workloads = cluster.workloads.iter().filter(|workload| !workload.is_owned).map(|workload| {
        (Subject::of(workload.resource, &workload.owner), workload.owner.name.as_str(), &workload.containers)
    });
    let alone = cluster.pods.iter().filter(|pod| pod.owner.is_none() && !pod.is_over).map(|pod| {
        let subject = Subject {
            resource: Some(pod.resource),
            object: format!("{}/Pod/{}", pod.namespace, pod.name),
            namespace: Some(pod.namespace.clone()),
        };
        (subject, pod.name.as_str(), &pod.containers)
    });
    of_workloads.chain(alone).filter_map(move |(subject, name, containers)| {
        let all = || containers.iter().filter(|container| !container.is_init);
        let lacking: Vec<&Container> = all().filter(|container| lacks(container)).collect();
        let is_told = !lacking.is_empty() && subject.namespace.as_deref() != Some(OWN_NAMESPACE);
        is_told.then(|| Lack { subject, name, containers: lacking, of: all().count() })
    })
}

/// "1 container", "2 containers".
pub fn containers(count: usize) -> String {
    counted(count, "container")
}
