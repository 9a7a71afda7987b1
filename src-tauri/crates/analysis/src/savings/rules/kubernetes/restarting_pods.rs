//! Rule: running pods that were restarted repeatedly.
//!
//! <https://github.com/derailed/popeye>: reports pods with five restarts or more (`popeye.resources.pod.restarts`).

use super::Judge;
use super::failing_pods::is_failing;
use super::subject::{Subject, Words, by_owner, counted};
use crate::savings::cluster::{Cluster, Owner, Pod};
use crate::savings::finding::{Figure, Finding, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use uuid::Uuid;

/// The number of restarts from which a pod is reported.
const RESTARTS: i64 = 5;
/// The reason that Kubernetes reports for a container killed for exceeding its memory limit.
const OUT_OF_MEMORY: &str = "OOMKilled";

const RULE: Rule = Rule {
    name: "k8s_restarting_pods",
    version: 1,
    about: "Containers of a running pod were restarted five times or more.",
    source: "https://github.com/derailed/popeye",
    aliases: &["POP-205"],
    category: Category::Configuration,
    action: Action::Modify,
    confidence: Confidence::Medium,
    thresholds: &[Threshold { name: "Restarts of a pod, at least", value: "5", unit: "restarts" }],
    limits: "Restarts are counted since the pod was made; when each of them was the file does not say.",
    effort: "Read the log of the container that ended, then correct the workload",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        by_owner(cluster, |pod| !pod.is_over && !is_failing(pod) && restarts(pod) >= RESTARTS)
            .into_iter()
            .map(|(owner, (resource, pods))| of_workload(cluster, &owner, resource, &pods))
            .collect()
    },
};

fn restarts(pod: &Pod) -> i64 {
    pod.restarts.values().sum()
}

fn of_workload(cluster: &Cluster, owner: &Owner, resource: Uuid, pods: &[&Pod]) -> Finding {
    let is_out_of_memory = pods.iter().any(|pod| pod.last_end.as_deref() == Some(OUT_OF_MEMORY));
    let total: i64 = pods.iter().map(|pod| restarts(pod)).sum();
    let mut why = format!("{} restarted {total} times since made.", were(pods.len()));
    if is_out_of_memory {
        why.push_str(" A container used more memory than its limit and was ended (OOMKilled).");
    }
    let words = Words {
        title: if is_out_of_memory {
            format!("Give {} more memory: its containers are ended", owner.name)
        } else {
            format!("Find out why {} restarts", owner.name)
        },
        why,
        severity: if is_out_of_memory { Severity::High } else { Severity::Medium },
        figures: pods
            .iter()
            .map(|pod| Figure::whole(format!("Restarts of {}", pod.name), restarts(pod), ""))
            .collect(),
        members: pods.iter().map(|pod| member(pod)).collect(),
    };
    Subject::of(resource, owner).finding(cluster, &RULE, words)
}

fn were(count: usize) -> String {
    format!("{} {}", counted(count, "pod"), if count == 1 { "was" } else { "were" })
}

fn member(pod: &Pod) -> String {
    let containers: Vec<String> = pod
        .restarts
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{name} {count} times"))
        .collect();
    let end = pod.last_end.as_ref().map(|end| format!(", ended last with {end}")).unwrap_or_default();
    format!("Pod {}: {}{end}", pod.name, containers.join(", "))
}
