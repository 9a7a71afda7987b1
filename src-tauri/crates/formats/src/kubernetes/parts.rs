//! Parts that several kinds of objects have: owners and containers.

use super::json_path::{count_at, list_at, quantity_at, str_at, string_at, value_at};
use crate::record::{Container, Owner};
use serde_json::Value;

/// The owner that the object states: the controlling one, otherwise the first.
pub fn owner(object: &Value) -> Option<Owner> {
    let owners = list_at(object, &["metadata", "ownerReferences"]);
    let is_controller = |owner: &&Value| value_at(owner, &["controller"]).as_bool() == Some(true);
    let owner = owners.iter().find(is_controller).or_else(|| owners.first())?;
    Some(Owner { kind: string_at(owner, &["kind"])?, name: string_at(owner, &["name"])? })
}

/// The containers of a pod or of a pod template; `status` is the pod's status.
pub fn containers(spec: &Value, status: &Value) -> Vec<Container> {
    let mut containers = Vec::new();
    for (key, states, is_init) in
        [("initContainers", "initContainerStatuses", true), ("containers", "containerStatuses", false)]
    {
        for container in list_at(spec, &[key]) {
            let Some(name) = string_at(container, &["name"]) else { continue };
            let state =
                list_at(status, &[states]).iter().find(|state| str_at(state, &["name"]) == Some(&name));
            let amount = |kind: &str, what: &str| quantity_at(container, &["resources", kind, what]);
            containers.push(Container {
                image: string_at(container, &["image"]),
                is_init,
                cpu_request: amount("requests", "cpu").and_then(super::quantity::Quantity::milli),
                cpu_limit: amount("limits", "cpu").and_then(super::quantity::Quantity::milli),
                memory_request: amount("requests", "memory").and_then(super::quantity::Quantity::whole),
                memory_limit: amount("limits", "memory").and_then(super::quantity::Quantity::whole),
                restarts: state.and_then(|state| count_at(state, &["restartCount"])),
                state: state.and_then(container_state),
                name,
            });
        }
    }
    containers
}

/// `running`, or the reason why a container waits or has ended.
fn container_state(status: &Value) -> Option<String> {
    if value_at(status, &["state", "running"]).is_object() {
        return Some("running".to_owned());
    }
    let waits = str_at(status, &["state", "waiting", "reason"]);
    let ended = str_at(status, &["state", "terminated", "reason"]);
    waits.or(ended).map(str::to_owned)
}
