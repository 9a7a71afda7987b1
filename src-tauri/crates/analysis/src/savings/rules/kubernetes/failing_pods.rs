//! Rule: pods that do not run.
//!
//! <https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/>; corresponds to the alerts KubePodCrashLooping and KubePodNotReady of
//! kubernetes-mixin.

use super::Judge;
use super::subject::{Subject, Words, by_owner, counted};
use crate::savings::cluster::{Cluster, Owner, Pod};
use crate::savings::finding::{Figure, Finding, Severity};
use crate::savings::rule::{Action, Category, Confidence, Rule, Threshold};
use std::collections::BTreeMap;
use uuid::Uuid;

const RULE: Rule = Rule {
    name: "k8s_failing_pods",
    version: 1,
    about: "Pods of a workload crash, cannot start, or find no node.",
    source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
    aliases: &["KubePodCrashLooping", "KubePodNotReady", "POP-203", "POP-207"],
    category: Category::Configuration,
    action: Action::Modify,
    confidence: Confidence::High,
    thresholds: &[Threshold { name: "Failing pods, at least", value: "1", unit: "pods" }],
    limits: "As the pods were when the file was made.",
    effort: "Read the log and the events of the pods, then correct the workload",
};

pub const JUDGE: Judge = Judge {
    rule: &RULE,
    find: |cluster| {
        by_owner(cluster, |pod| failure(pod).is_some())
            .into_iter()
            .map(|(owner, (resource, pods))| of_workload(cluster, &owner, resource, &pods))
            .collect()
    },
};

/// The reason why a pod does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Failure {
    /// It ended and was not deleted.
    LeftBehind,
    NoNode,
    NoConfiguration,
    NoImage,
    Crashing,
}

impl Failure {
    fn words(self) -> &'static str {
        match self {
            Self::LeftBehind => "ended with a failure and are still listed",
            Self::NoNode => "find no node that can take them",
            Self::NoConfiguration => "lack something that their containers need to start",
            Self::NoImage => "cannot get their image",
            Self::Crashing => "end again and again",
        }
    }

    fn severity(self) -> Severity {
        if self == Self::LeftBehind { Severity::Low } else { Severity::High }
    }
}

/// Whether a pod is failing.
pub fn is_failing(pod: &Pod) -> bool {
    failure(pod).is_some()
}

fn failure(pod: &Pod) -> Option<Failure> {
    let status = pod.status.strip_prefix("Init:").unwrap_or(&pod.status);
    if matches!(status, "Evicted" | "Failed" | "NodeLost" | "NodeAffinity" | "OutOfcpu" | "OutOfmemory") {
        return Some(Failure::LeftBehind);
    }
    Some(match status {
        "ImagePullBackOff" | "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull" => Failure::NoImage,
        "CreateContainerConfigError" | "CreateContainerError" => Failure::NoConfiguration,
        "CrashLoopBackOff" | "OOMKilled" | "RunContainerError" | "StartError" | "ContainerCannotRun" => {
            Failure::Crashing
        }
        // A pod of a job that has failed permanently.
        _ if is_ended(status) && pod.is_over => Failure::LeftBehind,
        _ if is_ended(status) => Failure::Crashing,
        // A pending pod without a message was only just created.
        "Pending" if pod.node.is_none() && pod.message.is_some() => Failure::NoNode,
        _ => return None,
    })
}

fn is_ended(status: &str) -> bool {
    status == "Error" || status.starts_with("ExitCode:") || status.starts_with("Signal:")
}

fn of_workload(cluster: &Cluster, owner: &Owner, resource: Uuid, pods: &[&Pod]) -> Finding {
    let worst = pods.iter().filter_map(|pod| failure(pod)).max().unwrap_or(Failure::LeftBehind);
    let mut states: BTreeMap<&str, i64> = BTreeMap::new();
    for pod in pods {
        *states.entry(&pod.status).or_default() += 1;
    }
    let message = pods.iter().find_map(|pod| pod.message.as_deref());
    let mut why = format!("{} {}.", counted(pods.len(), "pod"), singular(worst.words(), pods.len()));
    if let Some(message) = message {
        why.push_str(" The cluster says: ");
        why.push_str(message.trim_end_matches('.'));
        why.push('.');
    }
    let words = Words {
        title: match worst {
            Failure::LeftBehind => format!("Remove failed pods of {}", owner.name),
            _ => format!("Repair {}: {}", owner.name, counted(pods.len(), "failing pod")),
        },
        why,
        severity: worst.severity(),
        figures: states
            .into_iter()
            .map(|(status, count)| Figure::whole(format!("Pods with status {status}"), count, "pods"))
            .collect(),
        members: pods.iter().map(|pod| format!("Pod {}: {}", pod.name, pod.status)).collect(),
    };
    Subject::of(resource, owner).finding(cluster, &RULE, words)
}

/// The words for a group, in the singular if it has one pod.
fn singular(words: &str, count: usize) -> String {
    if count != 1 {
        return words.to_owned();
    }
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let verb = match verb {
        "end" => "ends",
        "lack" => "lacks",
        "find" => "finds",
        other => other,
    };
    format!("{verb} {rest}")
        .replace(" are still", " is still")
        .replace("their", "its")
        .replace("take them", "take it")
}
