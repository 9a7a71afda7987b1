//! Builds the graph nodes of a cluster from its stored dumps.

use super::plan::{Key, Node, Plan, object};
use super::{relations, tags};
use crate::write::cluster::SERVICE;
use model::tables::{cloud_resourses, k8s_pods};
use model::{Read, row};
use serde_json::{Map, Value};
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

row! { struct ResourceRow from cloud_resourses { id, external_resource_id, name, r#type, tags, meta } }
row! { struct PodRow from k8s_pods { cloud_resource_id, node_name } }

/// An object of the cluster, with the data for its relations.
pub(super) struct Object {
    pub key: Key,
    pub kind: String,
    pub namespace: String,
    pub name: String,
    pub labels: Map<String, Value>,
    pub meta: Value,
    /// The name of the node on which a pod runs.
    pub node: Option<String>,
}

/// The key of the cluster itself.
pub(super) const CLUSTER: &str = "cluster";

/// Adds the graph nodes of a cluster and their relations.
pub(super) fn add(
    rows: &Transaction<'_>,
    account: Uuid,
    name: &str,
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let objects = read(rows, account, &[])?;
    if objects.is_empty() {
        return Ok(());
    }
    let cluster = Node {
        kind: "Cluster".to_owned(),
        name: name.to_owned(),
        namespace: None,
        labels: Map::new(),
        resource: None,
        source: "kubernetes",
        properties: Map::new(),
    };
    plan.add_node((account, CLUSTER.to_owned()), cluster);
    for (resource, object) in &objects {
        if let Some(kind) = node_type(object) {
            plan.add_node(object.key.clone(), node_of(kind, *resource, object));
        }
    }
    let objects: Vec<Object> = objects.into_iter().map(|(_, object)| object).collect();
    relations::add(rows, account, &objects, plan)?;
    for object in &objects {
        tags::add(&object.key, &object.labels, plan);
    }
    Ok(())
}

/// Adds the nodes and volumes of a cluster, and relates them to cloud machines and disks.
pub(super) fn add_machines(
    rows: &Transaction<'_>,
    account: Uuid,
    clouds: &[Uuid],
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let objects = read(rows, account, &["Node", "PersistentVolume"])?;
    for (resource, object) in &objects {
        if let Some(kind) = node_type(object) {
            plan.add_node(object.key.clone(), node_of(kind, *resource, object));
        }
    }
    let objects: Vec<Object> = objects.into_iter().map(|(_, object)| object).collect();
    relations::add_machines(rows, &objects, Some(clouds), plan)
}

/// The objects of these kinds; of all kinds if the list is empty.
fn read(rows: &Transaction<'_>, account: Uuid, kinds: &[&str]) -> Result<Vec<(Uuid, Object)>, StoreError> {
    let mut nodes: HashMap<Uuid, String> = HashMap::new();
    let of_account = k8s_pods::cloud_account_id.eq(account);
    if kinds.is_empty() || kinds.contains(&"Pod") {
        rows.query::<PodRow>().filter(of_account).for_each(|pod| {
            nodes.extend(pod.node_name.map(|node| (pod.cloud_resource_id, node)));
            Ok::<_, StoreError>(())
        })?;
    }
    let mut objects = Vec::new();
    let of_dumps = cloud_resourses::account
        .eq(account)
        .and(cloud_resourses::service_name.eq(SERVICE))
        .and(cloud_resourses::is_active.eq(true));
    let of_kinds = (!kinds.is_empty()).then(|| cloud_resourses::r#type.one_of(kinds.iter().copied()));
    rows.query::<ResourceRow>()
        .filter(of_dumps)
        .filter_some(of_kinds)
        .order(cloud_resourses::id.asc())
        .for_each(|row| {
            let (Some(key), Some(kind)) = (row.external_resource_id, row.r#type) else { return Ok(()) };
            let id = row.id.uuid();
            let meta = Value::Object(object(row.meta.as_ref()));
            let namespace = meta["namespace"].as_str().unwrap_or_default().to_owned();
            objects.push((
                id,
                Object {
                    key: (account, key),
                    kind,
                    namespace,
                    name: row.name.unwrap_or_default(),
                    labels: object(row.tags.as_ref()),
                    meta,
                    node: nodes.remove(&id),
                },
            ));
            Ok::<_, StoreError>(())
        })?;
    Ok(objects)
}

fn node_of(kind: &str, resource: Uuid, object: &Object) -> Node {
    let mut properties = Map::new();
    properties.insert("kind".to_owned(), object.kind.as_str().into());
    for (name, from) in [("status", "status"), ("provider_id", "provider_id"), ("message", "message")] {
        if let Some(value) = object.meta[from].as_str() {
            properties.insert(name.to_owned(), value.into());
        }
    }
    let containers = object.meta["containers"].as_array().map_or(&[][..], Vec::as_slice);
    let images: Vec<Value> = containers
        .iter()
        .filter(|container| container["init"] != true)
        .filter_map(|container| container["image"].as_str())
        .map(Value::from)
        .collect();
    if !images.is_empty() {
        properties.insert("images".to_owned(), images.into());
    }
    Node {
        kind: kind.to_owned(),
        name: object.name.clone(),
        namespace: Some(object.namespace.clone()).filter(|namespace| !namespace.is_empty()),
        labels: object.labels.clone(),
        resource: Some(resource),
        source: "kubernetes",
        properties,
    }
}

/// The node type in the interface contract; `None` for an object that does not get its own graph node.
fn node_type(object: &Object) -> Option<&'static str> {
    Some(match object.kind.as_str() {
        // A replica set of a deployment is one of its revisions.
        "ReplicaSet" if object.meta["owner"].is_object() => return None,
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "ReplicationController" | "Rollout" => {
            "Workload"
        }
        "Pod" => "Pod",
        "Node" => "Node",
        "Job" => "Job",
        "CronJob" => "CronJob",
        "Service" => "K8sService",
        "Ingress" | "HTTPRoute" | "IngressRoute" => "Ingress",
        "NetworkPolicy" => "NetworkPolicy",
        "ConfigMap" => "ConfigMap",
        "Secret" => "K8sSecret",
        "ServiceAccount" => "K8sServiceAccount",
        "PersistentVolumeClaim" => "PersistentVolumeClaim",
        "PersistentVolume" => "PersistentVolume",
        "HorizontalPodAutoscaler" => "Configuration",
        _ => return None,
    })
}
