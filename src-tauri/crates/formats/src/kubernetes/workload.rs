//! Deployments and other workloads.

use super::json_path::{count_at, list_at, map_at, str_at, string_at, time_at, value_at};
use super::mask::manifest;
use super::parts::{containers, owner};
use super::uses;
use crate::record::Workload;
use serde_json::{Map, Value};

/// Kinds that are workloads.
pub const KINDS: [&str; 8] = [
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "ReplicaSet",
    "ReplicationController",
    "Job",
    "CronJob",
    "Rollout",
];

/// Reads a workload; `Err` names the missing field.
pub fn workload(object: &Value, kind: &str) -> Result<Workload, &'static str> {
    let (spec, status) = (value_at(object, &["spec"]), value_at(object, &["status"]));
    let number = |path: &[&str]| count_at(object, path);
    let (desired, ready) = match kind {
        "DaemonSet" => {
            (number(&["status", "desiredNumberScheduled"]).unwrap_or(0), number(&["status", "numberReady"]))
        }
        "Job" => {
            let wanted = number(&["spec", "completions"]).or_else(|| number(&["spec", "parallelism"]));
            let done = number(&["status", "succeeded"]).unwrap_or(0);
            (wanted.unwrap_or(1), Some(done + number(&["status", "ready"]).unwrap_or(0)))
        }
        "CronJob" => {
            let active = u32::try_from(list_at(status, &["active"]).len()).unwrap_or(u32::MAX);
            (active, Some(active))
        }
        // Kubernetes starts one replica when the manifest states no number.
        _ => (number(&["spec", "replicas"]).unwrap_or(1), number(&["status", "readyReplicas"])),
    };
    let template = match kind {
        "CronJob" => value_at(spec, &["jobTemplate", "spec", "template"]),
        _ => value_at(spec, &["template"]),
    };
    let ready = ready.unwrap_or(0);
    let mut meta = meta(spec, status);
    uses::put(&mut meta, value_at(template, &["spec"]));
    Ok(Workload {
        kind: kind.to_owned(),
        namespace: string_at(object, &["metadata", "namespace"]).unwrap_or_else(|| "default".to_owned()),
        name: string_at(object, &["metadata", "name"]).ok_or("metadata.name")?,
        uid: string_at(object, &["metadata", "uid"]),
        created_at: time_at(object, &["metadata", "creationTimestamp"]),
        desired_pods: desired,
        ready_pods: ready,
        status: state(spec, status, kind, desired, ready),
        owner: owner(object),
        containers: containers(value_at(template, &["spec"]), &Value::Null),
        labels: map_at(object, &["metadata", "labels"]),
        meta,
        manifest: manifest(object, kind),
    })
}

/// The state in Kubernetes' words.
fn state(spec: &Value, status: &Value, kind: &str, desired: u32, ready: u32) -> Option<String> {
    let is_true = |name: &str, state: &str| {
        list_at(status, &["conditions"]).iter().any(|condition| {
            str_at(condition, &["type"]) == Some(name) && str_at(condition, &["status"]) == Some(state)
        })
    };
    let word = match kind {
        "Job" if is_true("Complete", "True") => "Complete",
        "Job" if is_true("Failed", "True") => "Failed",
        "Job" if is_true("Suspended", "True") => "Suspended",
        "Job" => "Running",
        "CronJob" if value_at(spec, &["suspend"]).as_bool() == Some(true) => "Suspended",
        "CronJob" if desired > 0 => "Running",
        "CronJob" => "Scheduled",
        "Deployment" if is_true("Available", "False") => "Unavailable",
        "Deployment" if is_true("Progressing", "False") => "Stalled",
        _ if status.as_object().is_none_or(Map::is_empty) => return None,
        _ if ready >= desired => "Available",
        _ => "Progressing",
    };
    Some(word.to_owned())
}

fn meta(spec: &Value, status: &Value) -> Map<String, Value> {
    let mut meta = Map::new();
    for key in
        ["schedule", "strategy", "updateStrategy", "selector", "serviceName", "concurrencyPolicy", "suspend"]
    {
        let value = value_at(spec, &[key]);
        if !value.is_null() {
            meta.insert(key.to_owned(), value.clone());
        }
    }
    let wrong: Vec<&str> = list_at(status, &["conditions"])
        .iter()
        .filter(|condition| str_at(condition, &["status"]) == Some("False"))
        .filter_map(|condition| str_at(condition, &["message"]))
        .collect();
    if !wrong.is_empty() {
        meta.insert("message".to_owned(), wrong.join(" ").into());
    }
    meta
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pods_are_counted_by_kind() {
        let of = |kind: &str, spec: Value, status: Value| {
            let object = json!({"metadata": {"name": "w"}, "spec": spec, "status": status});
            let read = workload(&object, kind).unwrap();
            (read.desired_pods, read.ready_pods, read.status)
        };
        let some = |word: &str| Some(word.to_owned());
        assert_eq!(
            of("Deployment", json!({"replicas": 3}), json!({"readyReplicas": 2})),
            (3, 2, some("Progressing"))
        );
        assert_eq!(
            of("Deployment", json!({"replicas": 0}), json!({"replicas": 0})),
            (0, 0, some("Available"))
        );
        assert_eq!(of("StatefulSet", json!({}), json!({})), (1, 0, None));
        let status = json!({"desiredNumberScheduled": 5, "numberReady": 5});
        assert_eq!(of("DaemonSet", json!({}), status), (5, 5, some("Available")));
        let done = json!({"succeeded": 1, "conditions": [{"type": "Complete", "status": "True"}]});
        assert_eq!(of("Job", json!({"completions": 1}), done), (1, 1, some("Complete")));
        assert_eq!(of("CronJob", json!({"suspend": true}), json!({})), (0, 0, some("Suspended")));
    }

    #[test]
    fn requests_come_from_the_template() {
        let container = json!({"name": "c", "resources": {"requests": {"cpu": 0.5, "memory": "64Mi"}, "limits": {"cpu": "1"}}});
        let template = json!({"spec": {"containers": [container]}});
        let object =
            json!({"metadata": {"name": "w"}, "spec": {"jobTemplate": {"spec": {"template": template}}}});
        let read = workload(&object, "CronJob").unwrap();
        let container = &read.containers[0];
        assert_eq!((container.cpu_request, container.cpu_limit), (Some(500), Some(1_000)));
        assert_eq!((container.memory_request, container.memory_limit), (Some(64 << 20), None));
    }
}
