//! Builds the relations between the graph nodes of a cluster.

use super::cloud;
use super::cluster::{CLUSTER, Object};
use super::plan::{Key, Plan};
use serde_json::{Map, Value};
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Adds all relations.
pub(super) fn add(
    rows: &Transaction<'_>,
    account: Uuid,
    objects: &[Object],
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let cluster = Cluster::of(account, objects);
    add_machines(rows, objects, None, plan)?;
    for object in objects {
        let from = &object.key;
        match object.kind.as_str() {
            "Pod" => {
                if let Some(node) = &object.node {
                    plan.relate(from, &cluster.wide("Node", node), "RUNS_ON", "node of the pod", node);
                }
                if let Some(owner) = cluster.owner(object) {
                    plan.relate(&owner, from, "RUNS", "owner reference", "");
                }
                cluster.needs(object, plan);
            }
            "Node" => {
                plan.relate(from, &(account, CLUSTER.to_owned()), "PART_OF", "cluster of the node", "");
            }
            "Service" => cluster.selected(object, plan),
            "Ingress" | "HTTPRoute" | "IngressRoute" => cluster.routes(object, plan),
            "PersistentVolumeClaim" => {
                if let Some(name) = object.meta["manifest"]["spec"]["volumeName"].as_str() {
                    plan.relate(
                        from,
                        &cluster.wide("PersistentVolume", name),
                        "BOUND_TO",
                        "volume name",
                        name,
                    );
                }
            }
            "PersistentVolume" => {}
            "NetworkPolicy" => cluster.allowed(object, plan),
            "HorizontalPodAutoscaler" => {
                let target = &object.meta["manifest"]["spec"]["scaleTargetRef"];
                if let (Some(kind), Some(name)) = (target["kind"].as_str(), target["name"].as_str()) {
                    plan.relate(from, &cluster.local(object, kind, name), "SCALES", "scale target", "");
                }
            }
            _ => {
                if let Some(owner) = cluster.owner(object) {
                    plan.relate(&owner, from, "RUNS", "owner reference", "");
                }
                cluster.needs(object, plan);
            }
        }
    }
    Ok(())
}

/// Relates nodes and volumes to the machines and disks that bills or inventories of the accounts contain; of all accounts if `accounts` is
/// `None`.
pub(super) fn add_machines(
    rows: &Transaction<'_>,
    objects: &[Object],
    accounts: Option<&[Uuid]>,
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let machines: Vec<(&Object, &str)> = objects
        .iter()
        .filter_map(|object| match object.kind.as_str() {
            "Node" => Some((object, machine(&object.meta)?)),
            "PersistentVolume" => Some((object, volume(object)?)),
            _ => None,
        })
        .collect();
    let names: Vec<String> = machines.iter().map(|(_, name)| (*name).to_owned()).collect();
    let known = cloud::named(rows, &names, accounts, plan)?;
    for (object, name) in machines {
        let Some(of_cloud) = known.get(name) else { continue };
        if object.kind == "Node" {
            plan.relate(&object.key, of_cloud, "RUNS_ON", "provider id", machine_id(&object.meta));
        } else {
            plan.relate(&object.key, of_cloud, "BOUND_TO", "volume handle", name);
        }
    }
    Ok(())
}

/// Labels of a pod, and the graph node that represents it.
type PodLabels<'o> = (&'o Map<String, Value>, Key);

/// The objects of a cluster, indexed for building relations.
struct Cluster<'o> {
    account: Uuid,
    /// By namespace, the labels of pods and of the pod templates of workloads without pods, with the graph node that represents them.
    pods: HashMap<&'o str, Vec<PodLabels<'o>>>,
    owners: HashMap<&'o Key, (&'o str, &'o str)>,
}

impl<'o> Cluster<'o> {
    fn of(account: Uuid, objects: &'o [Object]) -> Self {
        let owners = objects
            .iter()
            .filter_map(|object| {
                let owner = &object.meta["owner"];
                Some((&object.key, (owner["kind"].as_str()?, owner["name"].as_str()?)))
            })
            .collect();
        let mut cluster = Self { account, pods: HashMap::new(), owners };
        for object in objects {
            let labels = match object.kind.as_str() {
                "Pod" => &object.labels,
                _ => match object.meta["selector"]["matchLabels"].as_object() {
                    Some(labels) => labels,
                    None => continue,
                },
            };
            let holder = cluster.holder(object);
            cluster.pods.entry(&object.namespace).or_default().push((labels, holder));
        }
        cluster
    }

    fn wide(&self, kind: &str, name: &str) -> Key {
        (self.account, format!("{kind}/{name}"))
    }

    fn local(&self, beside: &Object, kind: &str, name: &str) -> Key {
        (self.account, format!("{}/{kind}/{name}", beside.namespace))
    }

    /// The owner of the object; for a replica set of a deployment, the deployment.
    fn owner(&self, object: &Object) -> Option<Key> {
        let (kind, name) = self.owners.get(&object.key)?;
        let owner = self.local(object, kind, name);
        match self.owners.get(&owner) {
            Some((kind, name)) if *kind != "CronJob" => Some(self.local(object, kind, name)),
            _ => Some(owner),
        }
    }

    /// The graph node that represents a pod: its workload, or the pod itself.
    fn holder(&self, object: &Object) -> Key {
        self.owner(object).filter(|_| object.kind == "Pod").unwrap_or_else(|| object.key.clone())
    }

    /// Relates the object to the resources that its containers use and the services that they call.
    fn needs(&self, object: &Object, plan: &mut Plan) {
        let mut from = self.holder(object);
        if !plan.nodes.contains_key(&from) {
            from = object.key.clone();
        }
        for used in list(&object.meta["uses"]) {
            if let (Some(kind), Some(name)) = (used["kind"].as_str(), used["name"].as_str()) {
                plan.relate(&from, &self.local(object, kind, name), "USES", "manifest", "");
            }
        }
        let account = object.meta["service_account"].as_str().filter(|name| *name != "default");
        if let Some(name) = account {
            plan.relate(&from, &self.local(object, "ServiceAccount", name), "USES", "manifest", "");
        }
        for host in list(&object.meta["hosts"]).iter().filter_map(Value::as_str) {
            let mut parts = host.split('.');
            let name = parts.next().unwrap_or_default();
            let namespace = parts.next().unwrap_or(&object.namespace);
            let service = (self.account, format!("{namespace}/Service/{name}"));
            plan.relate(&from, &service, "CALLS", "address in a variable", host);
        }
    }

    /// Relates a service to the workloads that it routes requests to.
    fn selected(&self, service: &Object, plan: &mut Plan) {
        let Some(selector) = service.meta["manifest"]["spec"]["selector"].as_object() else { return };
        let detail = selector_text(selector);
        for holder in self.matching(&service.namespace, selector) {
            plan.relate(&service.key, &holder, "SELECTS", "selector", &detail);
        }
    }

    fn matching(&self, namespace: &str, selector: &Map<String, Value>) -> Vec<Key> {
        if selector.is_empty() {
            return Vec::new();
        }
        let pods = self.pods.get(namespace).map_or(&[][..], Vec::as_slice);
        let is_met =
            |labels: &Map<String, Value>| selector.iter().all(|(key, value)| labels.get(key) == Some(value));
        let mut found: Vec<Key> =
            pods.iter().filter(|(labels, _)| is_met(labels)).map(|(_, holder)| holder.clone()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Relates an ingress or route to the services named as backends anywhere in its manifest.
    fn routes(&self, route: &Object, plan: &mut Plan) {
        let mut names = Vec::new();
        backends(&route.meta["manifest"]["spec"], &mut names);
        for name in names {
            plan.relate(&route.key, &self.local(route, "Service", name), "ROUTES_TO", "backend", name);
        }
    }

    /// Relates a network policy to the workloads that it protects, and to these the workloads that may call them.
    fn allowed(&self, policy: &Object, plan: &mut Plan) {
        let spec = &policy.meta["manifest"]["spec"];
        let Some(target) = spec["podSelector"]["matchLabels"].as_object() else { return };
        let targets = self.matching(&policy.namespace, target);
        for target in &targets {
            plan.relate(&policy.key, target, "PROTECTS", "selector", "");
        }
        for peer in list(&spec["ingress"]).iter().flat_map(|rule| list(&rule["from"])) {
            let Some(selector) = peer["podSelector"]["matchLabels"].as_object() else { continue };
            if !peer["namespaceSelector"].is_null() {
                continue;
            }
            for from in self.matching(&policy.namespace, selector) {
                for target in &targets {
                    plan.relate(&from, target, "MAY_CALL", "network policy", &policy.name);
                }
            }
        }
    }
}

fn backends<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("serviceName", Value::String(name)) => found.push(name),
                    ("service", Value::Object(service)) => {
                        found.extend(service.get("name").and_then(Value::as_str));
                    }
                    ("backendRefs" | "services", Value::Array(all)) => {
                        found.extend(all.iter().filter_map(|one| one["name"].as_str()));
                    }
                    _ => backends(value, found),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|value| backends(value, found)),
        _ => {}
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A selector as text: `app=web, tier=front`.
fn selector_text(selector: &Map<String, Value>) -> String {
    let parts: Vec<String> = selector
        .iter()
        .map(|(key, value)| {
            format!("{key}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })
        .collect();
    parts.join(", ")
}

fn machine_id(meta: &Value) -> &str {
    meta["provider_id"].as_str().unwrap_or_default()
}

/// The cloud's short name of a node's machine.
fn machine(meta: &Value) -> Option<&str> {
    machine_id(meta).rsplit('/').next().filter(|name| !name.is_empty())
}

/// The cloud's short name of a volume's disk.
fn volume(object: &Object) -> Option<&str> {
    let spec = &object.meta["manifest"]["spec"];
    let handles = [
        &spec["csi"]["volumeHandle"],
        &spec["awsElasticBlockStore"]["volumeID"],
        &spec["gcePersistentDisk"]["pdName"],
        &spec["azureDisk"]["diskURI"],
    ];
    handles.into_iter().find_map(Value::as_str)?.rsplit('/').next().filter(|name| !name.is_empty())
}
