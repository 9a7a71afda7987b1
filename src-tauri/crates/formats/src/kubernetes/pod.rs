//! Pods.

use super::look::{at, list, map, owned, text, time};
use super::mask::manifest;
use super::parts::{containers, owner};
use super::uses;
use crate::record::Pod;
use serde_json::{Map, Value};

/// Reads a pod; `Err` names the missing field.
pub fn pod(object: &Value) -> Result<Pod, &'static str> {
    let (spec, status) = (at(object, &["spec"]), at(object, &["status"]));
    let mut meta = Map::new();
    let fields = [
        ("phase", owned(status, &["phase"])),
        ("qos_class", owned(status, &["qosClass"])),
        ("pod_ip", owned(status, &["podIP"])),
        ("service_account", owned(spec, &["serviceAccountName"])),
        ("priority_class", owned(spec, &["priorityClassName"])),
        ("message", owned(status, &["message"]).or_else(|| why_not_scheduled(status))),
        ("last_end", last_end(status)),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            meta.insert(name.to_owned(), value.into());
        }
    }
    uses::put(&mut meta, spec);
    for (name, is_so) in
        [("local_storage", has_local_storage(spec)), ("bound_to_nodes", is_bound_to_nodes(spec))]
    {
        if is_so {
            meta.insert(name.to_owned(), true.into());
        }
    }
    Ok(Pod {
        namespace: owned(object, &["metadata", "namespace"]).unwrap_or_else(|| "default".to_owned()),
        name: owned(object, &["metadata", "name"]).ok_or("metadata.name")?,
        uid: owned(object, &["metadata", "uid"]),
        created_at: time(object, &["metadata", "creationTimestamp"]),
        node: owned(spec, &["nodeName"]),
        status: pod_status(object),
        owner: owner(object),
        containers: containers(spec, status),
        labels: map(object, &["metadata", "labels"]),
        meta,
        manifest: manifest(object, "Pod"),
    })
}

/// Whether the pod stores data on its node's disk.
fn has_local_storage(spec: &Value) -> bool {
    list(spec, &["volumes"]).iter().any(|volume| {
        let is_disk =
            at(volume, &["emptyDir"]).is_object() && text(volume, &["emptyDir", "medium"]) != Some("Memory");
        is_disk || at(volume, &["hostPath"]).is_object()
    })
}

/// Whether the pod restricts the nodes it may run on.
fn is_bound_to_nodes(spec: &Value) -> bool {
    let selects = at(spec, &["nodeSelector"]).as_object().is_some_and(|labels| !labels.is_empty());
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    selects || at(spec, &["affinity", "nodeAffinity", required]).is_object()
}

/// The value of kubectl's column STATUS; follows `printPod` of kubernetes/pkg/printers/internalversion.
pub fn pod_status(object: &Value) -> String {
    let status = at(object, &["status"]);
    let phase = text(status, &["phase"]).unwrap_or("Unknown");
    let mut word = text(status, &["reason"]).unwrap_or(phase).to_owned();
    let (init_word, is_initializing) = initializing(object);
    if let Some(init_word) = init_word {
        word = init_word;
    }
    if !is_initializing {
        let all = list(status, &["containerStatuses"]);
        let mut is_running = false;
        for state in all.iter().rev() {
            if let Some(waits) = text(state, &["state", "waiting", "reason"]) {
                waits.clone_into(&mut word);
            } else if at(state, &["state", "terminated"]).is_object() {
                word = ended(at(state, &["state", "terminated"]));
            } else if at(state, &["ready"]).as_bool() == Some(true)
                && at(state, &["state", "running"]).is_object()
            {
                is_running = true;
            }
        }
        if word == "Completed" && is_running {
            let is_ready = list(status, &["conditions"]).iter().any(|condition| {
                text(condition, &["type"]) == Some("Ready") && text(condition, &["status"]) == Some("True")
            });
            word = String::from(if is_ready { "Running" } else { "NotReady" });
        }
    }
    if text(object, &["metadata", "deletionTimestamp"]).is_some() {
        word = String::from(match text(status, &["reason"]) {
            Some("NodeLost") => "Unknown",
            _ => "Terminating",
        });
    }
    word
}

/// The status from the init containers, and whether one of them has not finished.
fn initializing(object: &Value) -> (Option<String>, bool) {
    let states = list(object, &["status", "initContainerStatuses"]);
    let inits = list(object, &["spec", "initContainers"]);
    for (place, state) in states.iter().enumerate() {
        let terminated = at(state, &["state", "terminated"]);
        let code = terminated.get("exitCode").and_then(Value::as_i64);
        if code == Some(0) {
            continue;
        }
        // A sidecar that has started does not block the pod.
        let name = text(state, &["name"]);
        let is_sidecar = inits
            .iter()
            .any(|init| text(init, &["name"]) == name && text(init, &["restartPolicy"]) == Some("Always"));
        if is_sidecar && at(state, &["started"]).as_bool() == Some(true) {
            continue;
        }
        if terminated.is_object() {
            return (Some(format!("Init:{}", ended(terminated))), true);
        }
        return match text(state, &["state", "waiting", "reason"]) {
            Some(reason) if reason != "PodInitializing" => (Some(format!("Init:{reason}")), true),
            _ => (Some(format!("Init:{place}/{}", inits.len().max(states.len()))), true),
        };
    }
    (None, false)
}

/// The reason a container ended, or its signal or exit code.
fn ended(terminated: &Value) -> String {
    if let Some(reason) = text(terminated, &["reason"]) {
        return reason.to_owned();
    }
    let number = |key: &str| terminated.get(key).and_then(Value::as_i64).unwrap_or_default();
    match number("signal") {
        0 => format!("ExitCode:{}", number("exitCode")),
        signal => format!("Signal:{signal}"),
    }
}

fn why_not_scheduled(status: &Value) -> Option<String> {
    let conditions = list(status, &["conditions"]);
    let refused = conditions.iter().find(|condition| {
        text(condition, &["type"]) == Some("PodScheduled") && text(condition, &["status"]) == Some("False")
    })?;
    owned(refused, &["message"])
}

/// The reason a restarted container ended before, such as `OOMKilled`.
fn last_end(status: &Value) -> Option<String> {
    list(status, &["containerStatuses"])
        .iter()
        .find_map(|state| owned(state, &["lastState", "terminated", "reason"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_status_is_the_word_of_kubectl() {
        let of = |status: Value| pod_status(&json!({"metadata": {}, "status": status}));
        let container = |state: Value| json!({"phase": "Running", "containerStatuses": [{"state": state}]});
        assert_eq!(of(json!({"phase": "Pending"})), "Pending");
        assert_eq!(of(json!({"phase": "Failed", "reason": "Evicted"})), "Evicted");
        assert_eq!(of(container(json!({"waiting": {"reason": "CrashLoopBackOff"}}))), "CrashLoopBackOff");
        assert_eq!(of(container(json!({"waiting": {"reason": "ImagePullBackOff"}}))), "ImagePullBackOff");
        assert_eq!(
            of(container(json!({"terminated": {"reason": "OOMKilled", "exitCode": 137}}))),
            "OOMKilled"
        );
        assert_eq!(of(container(json!({"terminated": {"exitCode": 3}}))), "ExitCode:3");
        assert_eq!(of(container(json!({"terminated": {"exitCode": 0, "signal": 9}}))), "Signal:9");
        let done = json!({"phase": "Succeeded", "containerStatuses": [{"state": {"terminated": {"reason": "Completed"}}}]});
        assert_eq!(of(done), "Completed");
        let init = json!({"phase": "Pending", "initContainerStatuses": [
            {"name": "a", "state": {"terminated": {"exitCode": 0}}},
            {"name": "b", "state": {"waiting": {"reason": "CrashLoopBackOff"}}},
        ]});
        assert_eq!(of(init), "Init:CrashLoopBackOff");
        let waits =
            json!({"phase": "Pending", "initContainerStatuses": [{"name": "a", "state": {"running": {}}}]});
        assert_eq!(of(waits), "Init:0/1");
        let gone = json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}, "status": {"phase": "Running"}});
        assert_eq!(pod_status(&gone), "Terminating");
    }
}
