//! Determines the kind of an object, even if the object does not state it.

use super::json_path::{str_at, value_at};
use serde_json::Value;

/// Kinds without a namespace.
const CLUSTER_KINDS: [&str; 15] = [
    "Node",
    "Namespace",
    "PersistentVolume",
    "StorageClass",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "PriorityClass",
    "IngressClass",
    "APIService",
    "CSIDriver",
    "CSINode",
    "VolumeAttachment",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];
/// Plural names in API paths, and their kinds.
const PLURALS: [(&str, &str); 14] = [
    ("nodes", "Node"),
    ("pods", "Pod"),
    ("namespaces", "Namespace"),
    ("deployments", "Deployment"),
    ("statefulsets", "StatefulSet"),
    ("daemonsets", "DaemonSet"),
    ("replicasets", "ReplicaSet"),
    ("jobs", "Job"),
    ("cronjobs", "CronJob"),
    ("events", "Event"),
    ("services", "Service"),
    ("configmaps", "ConfigMap"),
    ("persistentvolumes", "PersistentVolume"),
    ("persistentvolumeclaims", "PersistentVolumeClaim"),
];

/// The kind of an object: stated by the object, by its list or by its API path, or inferred from its fields.
///
/// Some tools write the list's kind (`NodeList`) on every item, others write no kind.
pub fn kind_of(object: &Value, list_kind: Option<&str>) -> Option<String> {
    let named = [str_at(object, &["kind"]), list_kind].into_iter().flatten();
    let mut kinds =
        named.map(|kind| kind.strip_suffix("List").unwrap_or(kind)).filter(|kind| !kind.is_empty());
    if let Some(kind) = kinds.next() {
        return Some(kind.to_owned());
    }
    if let Some(link) = str_at(object, &["metadata", "selfLink"]) {
        let plural = link.rsplit('/').nth(1).unwrap_or_default();
        if let Some((_, kind)) = PLURALS.iter().find(|(name, _)| *name == plural) {
            return Some((*kind).to_owned());
        }
    }
    let is_there = |path: &[&str]| !value_at(object, path).is_null();
    if is_there(&["status", "nodeInfo"]) {
        return Some("Node".to_owned());
    }
    if is_there(&["spec", "containers"]) {
        return Some("Pod".to_owned());
    }
    (is_there(&["involvedObject"]) || is_there(&["regarding"])).then(|| "Event".to_owned())
}

/// Whether the kind is known to have no namespace.
pub fn is_cluster_wide(kind: &str) -> bool {
    CLUSTER_KINDS.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn kinds_are_found_where_the_object_does_not_say_them() {
        let of = |object: Value, list: Option<&str>| kind_of(&object, list);
        let some = |kind: &str| Some(kind.to_owned());
        assert_eq!(of(json!({"kind": "NodeList"}), Some("NodeList")), some("Node"));
        assert_eq!(of(json!({}), Some("DeploymentList")), some("Deployment"));
        assert_eq!(of(json!({}), Some("List")), None);
        assert_eq!(of(json!({"metadata": {"selfLink": "/api/v1/nodes/n1"}}), None), some("Node"));
        assert_eq!(of(json!({"spec": {"containers": []}}), None), some("Pod"));
        assert_eq!(of(json!({"regarding": {}}), None), some("Event"));
    }
}
