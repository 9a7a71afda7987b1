//! Pods.

use super::json_path::{list_at, map_at, str_at, string_at, time_at, value_at};
use super::mask::manifest;
use super::parts::{containers, owner};
use super::uses;
use crate::record::Pod;
use serde_json::{Map, Value};

/// Reads a pod; `Err` names the missing field.
pub fn pod(object: &Value) -> Result<Pod, &'static str> {
    let (spec, status) = (value_at(object, &["spec"]), value_at(object, &["status"]));
    let mut meta = Map::new();
    let fields = [
        ("phase", string_at(status, &["phase"])),
        ("qos_class", string_at(status, &["qosClass"])),
        ("pod_ip", string_at(status, &["podIP"])),
        ("service_account", string_at(spec, &["serviceAccountName"])),
        ("priority_class", string_at(spec, &["priorityClassName"])),
        ("message", string_at(status, &["message"]).or_else(|| why_not_scheduled(status))),
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
        namespace: string_at(object, &["metadata", "namespace"]).unwrap_or_else(|| "default".to_owned()),
        name: string_at(object, &["metadata", "name"]).ok_or("metadata.name")?,
        uid: string_at(object, &["metadata", "uid"]),
        created_at: time_at(object, &["metadata", "creationTimestamp"]),
        node: string_at(spec, &["nodeName"]),
        status: pod_status(object),
        owner: owner(object),
        containers: containers(spec, status),
        labels: map_at(object, &["metadata", "labels"]),
        meta,
        manifest: manifest(object, "Pod"),
    })
}

/// Whether the pod stores data on its node's disk.
fn has_local_storage(spec: &Value) -> bool {
    list_at(spec, &["volumes"]).iter().any(|volume| {
        let is_disk = value_at(volume, &["emptyDir"]).is_object()
            && str_at(volume, &["emptyDir", "medium"]) != Some("Memory");
        is_disk || value_at(volume, &["hostPath"]).is_object()
    })
}

/// Whether the pod restricts the nodes it may run on.
fn is_bound_to_nodes(spec: &Value) -> bool {
    let selects = value_at(spec, &["nodeSelector"]).as_object().is_some_and(|labels| !labels.is_empty());
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    selects || value_at(spec, &["affinity", "nodeAffinity", required]).is_object()
}

/// The value of kubectl's column STATUS; follows `printPod` of kubernetes/pkg/printers/internalversion.
pub fn pod_status(object: &Value) -> String {
    let status = value_at(object, &["status"]);
    let phase = str_at(status, &["phase"]).unwrap_or("Unknown");
    let mut word = str_at(status, &["reason"]).unwrap_or(phase).to_owned();
    let (init_word, is_initializing) = initializing(object);
    if let Some(init_word) = init_word {
        word = init_word;
    }
    if !is_initializing {
        let all = list_at(status, &["containerStatuses"]);
        let mut is_running = false;
        for state in all.iter().rev() {
            if let Some(waits) = str_at(state, &["state", "waiting", "reason"]) {
                waits.clone_into(&mut word);
            } else if value_at(state, &["state", "terminated"]).is_object() {
                word = ended(value_at(state, &["state", "terminated"]));
            } else if value_at(state, &["ready"]).as_bool() == Some(true)
                && value_at(state, &["state", "running"]).is_object()
            {
                is_running = true;
            }
        }
        if word == "Completed" && is_running {
            let is_ready = list_at(status, &["conditions"]).iter().any(|condition| {
                str_at(condition, &["type"]) == Some("Ready")
                    && str_at(condition, &["status"]) == Some("True")
            });
            word = String::from(if is_ready { "Running" } else { "NotReady" });
        }
    }
    if str_at(object, &["metadata", "deletionTimestamp"]).is_some() {
        word = String::from(match str_at(status, &["reason"]) {
            Some("NodeLost") => "Unknown",
            _ => "Terminating",
        });
    }
    word
}

/// The status from the init containers, and whether one of them has not finished.
fn initializing(object: &Value) -> (Option<String>, bool) {
    let states = list_at(object, &["status", "initContainerStatuses"]);
    let inits = list_at(object, &["spec", "initContainers"]);
    for (place, state) in states.iter().enumerate() {
        let terminated = value_at(state, &["state", "terminated"]);
        let code = terminated.get("exitCode").and_then(Value::as_i64);
        if code == Some(0) {
            continue;
        }
        // A sidecar that has started does not block the pod.
        let name = str_at(state, &["name"]);
        let is_sidecar = inits.iter().any(|init| {
            str_at(init, &["name"]) == name && str_at(init, &["restartPolicy"]) == Some("Always")
        });
        if is_sidecar && value_at(state, &["started"]).as_bool() == Some(true) {
            continue;
        }
        if terminated.is_object() {
            return (Some(format!("Init:{}", ended(terminated))), true);
        }
        return match str_at(state, &["state", "waiting", "reason"]) {
            Some(reason) if reason != "PodInitializing" => (Some(format!("Init:{reason}")), true),
            _ => (Some(format!("Init:{place}/{}", inits.len().max(states.len()))), true),
        };
    }
    (None, false)
}

/// The reason a container ended, or its signal or exit code.
fn ended(terminated: &Value) -> String {
    if let Some(reason) = str_at(terminated, &["reason"]) {
        return reason.to_owned();
    }
    let number = |key: &str| terminated.get(key).and_then(Value::as_i64).unwrap_or_default();
    match number("signal") {
        0 => format!("ExitCode:{}", number("exitCode")),
        signal => format!("Signal:{signal}"),
    }
}

fn why_not_scheduled(status: &Value) -> Option<String> {
    let conditions = list_at(status, &["conditions"]);
    let refused = conditions.iter().find(|condition| {
        str_at(condition, &["type"]) == Some("PodScheduled")
            && str_at(condition, &["status"]) == Some("False")
    })?;
    string_at(refused, &["message"])
}

/// The reason a restarted container ended before, such as `OOMKilled`.
fn last_end(status: &Value) -> Option<String> {
    list_at(status, &["containerStatuses"])
        .iter()
        .find_map(|state| string_at(state, &["lastState", "terminated", "reason"]))
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
