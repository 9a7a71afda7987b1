//! Nodes.

use super::json_path::{list_at, map_at, quantity_at, str_at, string_at, time_at, value_at};
use super::mask::manifest;
use crate::record::Node;
use serde_json::{Map, Value};

/// Labels that state how a node is purchased, with the value for a spot machine.
const SPOT: [(&str, &str); 6] = [
    ("eks.amazonaws.com/capacityType", "SPOT"),
    ("karpenter.sh/capacity-type", "spot"),
    ("kubernetes.azure.com/scalesetpriority", "spot"),
    ("cloud.google.com/gke-spot", "true"),
    ("cloud.google.com/gke-preemptible", "true"),
    ("node.kubernetes.io/lifecycle", "spot"),
];
/// Labels that state how a node is purchased if it is not a spot machine.
const PURCHASES: [&str; 2] = ["eks.amazonaws.com/capacityType", "karpenter.sh/capacity-type"];

/// Reads a node; `Err` names the missing field.
pub fn node(object: &Value) -> Result<Node, &'static str> {
    let status = value_at(object, &["status"]);
    let labels = map_at(object, &["metadata", "labels"]);
    let label = |names: &[&str]| {
        names.iter().find_map(|name| labels.get(*name).and_then(Value::as_str)).map(str::to_owned)
    };
    let cpu = |kind: &str| quantity_at(status, &[kind, "cpu"]).and_then(super::quantity::Quantity::milli);
    let memory =
        |kind: &str| quantity_at(status, &[kind, "memory"]).and_then(super::quantity::Quantity::whole);
    let cpu_capacity = cpu("capacity").ok_or("status.capacity.cpu")?;
    let memory_capacity = memory("capacity").ok_or("status.capacity.memory")?;
    let mut meta = Map::new();
    for key in ["kubeletVersion", "osImage", "kernelVersion", "containerRuntimeVersion", "architecture"] {
        if let Some(value) = str_at(status, &["nodeInfo", key]) {
            meta.insert(key.to_owned(), value.into());
        }
    }
    if value_at(object, &["spec", "unschedulable"]).as_bool() == Some(true) {
        meta.insert("unschedulable".to_owned(), true.into());
    }
    for key in ["capacity", "allocatable"] {
        meta.insert(key.to_owned(), value_at(status, &[key]).clone());
    }
    Ok(Node {
        name: string_at(object, &["metadata", "name"]).ok_or("metadata.name")?,
        uid: string_at(object, &["metadata", "uid"]),
        created_at: time_at(object, &["metadata", "creationTimestamp"]),
        provider_id: string_at(object, &["spec", "providerID"]),
        cpu_capacity,
        cpu_allocatable: cpu("allocatable").unwrap_or(cpu_capacity),
        memory_capacity,
        memory_allocatable: memory("allocatable").unwrap_or(memory_capacity),
        conditions: conditions(status),
        taints: taints(object),
        internal_ip: address(status, "InternalIP"),
        external_ip: address(status, "ExternalIP"),
        instance_type: label(&["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"]),
        region: label(&["topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"]),
        zone: label(&["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"]),
        purchase: purchase(&labels),
        labels,
        meta,
        manifest: manifest(object, "Node"),
    })
}

/// Conditions that indicate a problem; `Ready` when there are none.
fn conditions(status: &Value) -> String {
    let wrong: Vec<String> = list_at(status, &["conditions"])
        .iter()
        .filter_map(|condition| {
            let name = str_at(condition, &["type"])?;
            let state = str_at(condition, &["status"])?;
            let good = if name == "Ready" { "True" } else { "False" };
            (state != good).then(|| match (name, state) {
                ("Ready", "Unknown") => "NotReady (unknown)".to_owned(),
                ("Ready", _) => "NotReady".to_owned(),
                (name, "Unknown") => format!("{name} (unknown)"),
                (name, _) => name.to_owned(),
            })
        })
        .collect();
    if wrong.is_empty() { "Ready".to_owned() } else { wrong.join(", ") }
}

/// The taints as `key=value:effect`, as kubectl describes them.
fn taints(object: &Value) -> Option<String> {
    let taints: Vec<String> = list_at(object, &["spec", "taints"])
        .iter()
        .filter_map(|taint| {
            let key = str_at(taint, &["key"])?;
            let value = str_at(taint, &["value"]).map(|value| format!("={value}")).unwrap_or_default();
            let effect = str_at(taint, &["effect"]).map(|effect| format!(":{effect}")).unwrap_or_default();
            Some(format!("{key}{value}{effect}"))
        })
        .collect();
    (!taints.is_empty()).then(|| taints.join(", "))
}

fn address(status: &Value, kind: &str) -> Option<String> {
    let addresses = list_at(status, &["addresses"]);
    string_at(addresses.iter().find(|address| str_at(address, &["type"]) == Some(kind))?, &["address"])
}

fn purchase(labels: &Map<String, Value>) -> Option<String> {
    let has = |name: &str| labels.get(name).and_then(Value::as_str);
    if SPOT.iter().any(|(name, value)| has(name).is_some_and(|found| found.eq_ignore_ascii_case(value))) {
        return Some("spot".to_owned());
    }
    PURCHASES.iter().find_map(|name| has(name)).map(|word| word.to_ascii_lowercase().replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_node_is_read_with_its_machine() {
        let object = json!({
            "metadata": {"name": "n1", "uid": "u1", "labels": {
                "node.kubernetes.io/instance-type": "m5.large", "topology.kubernetes.io/zone": "eu-west-1a",
                "topology.kubernetes.io/region": "eu-west-1", "karpenter.sh/capacity-type": "spot"}},
            "spec": {"providerID": "aws:///eu-west-1a/i-1", "taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]},
            "status": {"capacity": {"cpu": "2", "memory": "8Gi"}, "allocatable": {"cpu": "1930m", "memory": "7000000Ki"},
                "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
                "conditions": [{"type": "MemoryPressure", "status": "True"}, {"type": "Ready", "status": "Unknown"}]},
        });
        let node = node(&object).unwrap();
        assert_eq!((node.cpu_capacity, node.cpu_allocatable), (2_000, 1_930));
        assert_eq!((node.memory_capacity, node.memory_allocatable), (8 << 30, 7_000_000 * 1_024));
        assert_eq!(node.conditions, "MemoryPressure, NotReady (unknown)");
        assert_eq!(node.taints.as_deref(), Some("gpu=yes:NoSchedule"));
        assert_eq!(node.purchase.as_deref(), Some("spot"));
        assert_eq!(node.provider_id.as_deref(), Some("aws:///eu-west-1a/i-1"));
        assert_eq!(node.internal_ip.as_deref(), Some("10.0.0.1"));
    }
}
