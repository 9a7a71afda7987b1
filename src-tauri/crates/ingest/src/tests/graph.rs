//! The graph derived from a cluster dump, also after undoing the dump and with a bill of its machines.

use super::kit::{House, focus};
use crate::undo::{UndoRequest, undo};
use model::tables::knowledge_graph_node as nodes;
use model::{Read, row};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use store::StoreError;
use uuid::Uuid;

row! { struct NodeRow from knowledge_graph_node { id, node_type, properties } }
row! { struct EdgeRow from knowledge_graph_edge { source_node_id, destination_node_id, relationship_type, properties } }

fn object(kind: &str, name: &str, more: Value) -> Value {
    let mut object = json!({"apiVersion": "v1", "kind": kind,
        "metadata": {"name": name, "namespace": "shop", "uid": format!("{kind}-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z"}});
    for (key, value) in more.as_object().unwrap() {
        if key == "metadata" {
            let metadata = object["metadata"].as_object_mut().unwrap();
            metadata.extend(value.as_object().unwrap().clone());
        } else {
            object[key] = value.clone();
        }
    }
    object
}

fn cluster() -> String {
    let of_set = json!([{"kind": "ReplicaSet", "name": "web-1", "controller": true}]);
    let labels = json!({"app": "web"});
    let container = json!({"name": "c", "image": "web:1", "env": [{"name": "PAYMENTS", "value": "http://pay:8080/"}],
        "envFrom": [{"configMapRef": {"name": "settings"}}]});
    let volumes = json!([{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]);
    let items = [
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": "the-cluster"}}),
        json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "uid": "n1"},
            "spec": {"providerID": "aws:///eu-west-1a/i-1"}, "status": {"capacity": {"cpu": "2", "memory": "4Gi"}}}),
        object(
            "Deployment",
            "web",
            json!({"metadata": {"labels": {"team": "sea"}}, "spec": {"replicas": 1, "selector": {"matchLabels": labels}}}),
        ),
        object(
            "ReplicaSet",
            "web-1",
            json!({"metadata": {"ownerReferences": [{"kind": "Deployment", "name": "web", "controller": true}]}}),
        ),
        object(
            "Pod",
            "web-1-a",
            json!({"metadata": {"labels": labels, "ownerReferences": of_set},
            "spec": {"nodeName": "n1", "containers": [container], "volumes": volumes}, "status": {"phase": "Running"}}),
        ),
        object("Service", "web", json!({"spec": {"selector": labels}})),
        object("Service", "pay", json!({"spec": {"selector": {"app": "pay"}}})),
        object(
            "Ingress",
            "front",
            json!({"spec": {"rules": [{"http": {"paths": [{"backend": {"service": {"name": "web"}}}]}}]}}),
        ),
        object("ConfigMap", "settings", json!({"data": {"a": "b"}})),
        object("ConfigMap", "unused", json!({"data": {"a": "b"}})),
        object("PersistentVolumeClaim", "data", json!({"spec": {"volumeName": "pv-1"}})),
        json!({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv-1", "uid": "pv-1"}}),
        object(
            "Event",
            "web-1-a.1",
            json!({"type": "Warning", "reason": "BackOff", "message": "Back-off restarting failed container",
            "lastTimestamp": "2026-01-02T00:00:00Z",
            "involvedObject": {"kind": "Pod", "name": "web-1-a", "namespace": "shop"}}),
        ),
    ];
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

/// The active nodes by id, as "Kind name".
fn things(house: &House) -> BTreeMap<Uuid, String> {
    let rows: Result<Vec<NodeRow>, StoreError> = house
        .store
        .snapshot(&house.caller, |rows| rows.query::<NodeRow>().filter(nodes::is_active.eq(true)).rows());
    let thing = |row: NodeRow| {
        let name = row.properties.value()["name"].as_str().unwrap_or_default().to_owned();
        (row.id.uuid(), format!("{} {name}", row.node_type.unwrap_or_default()))
    };
    rows.unwrap().into_iter().map(thing).collect()
}

fn relations(house: &House) -> Vec<String> {
    let things = things(house);
    let rows: Result<Vec<EdgeRow>, StoreError> =
        house.store.snapshot(&house.caller, |rows| rows.query::<EdgeRow>().rows());
    let relation = |row: EdgeRow| {
        let (from, to) = (&things[&row.source_node_id], &things[&row.destination_node_id]);
        let source = row.properties.value()["source"].as_str().unwrap_or_default().to_owned();
        format!("{from} {} {to} ({source})", row.relationship_type)
    };
    let mut found: Vec<String> = rows.unwrap().into_iter().map(relation).collect();
    found.sort();
    found
}

#[test]
fn a_dump_fills_the_graph_with_the_source_of_each_relation() {
    let house = House::new();
    house.import(cluster());
    let expected = [
        "Event BackOff: Pod web-1-a ABOUT Pod web-1-a (subject of the event)",
        "Ingress front ROUTES_TO K8sService web (backend)",
        "K8sService web SELECTS Workload web (selector)",
        "Node n1 PART_OF Cluster Cluster of node n1 (cluster of the node)",
        "PersistentVolumeClaim data BOUND_TO PersistentVolume pv-1 (volume name)",
        "Pod web-1-a RUNS_ON Node n1 (node of the pod)",
        "Team sea OWNS Workload web (label)",
        "Workload web CALLS K8sService pay (address in a variable)",
        "Workload web RUNS Pod web-1-a (owner reference)",
        "Workload web USES ConfigMap settings (manifest)",
        "Workload web USES PersistentVolumeClaim data (manifest)",
    ];
    assert_eq!(relations(&house), expected);
    assert!(!things(&house).values().any(|thing| thing == "ConfigMap unused"), "nothing uses it");
}

#[test]
fn the_graph_goes_with_the_import_and_comes_again() {
    let house = House::new();
    house.import(cluster());
    let before = relations(&house);
    let by = UndoRequest { person: None, clock: || 1_795_176_000_000_000 };
    undo(&house.store, &house.caller, Uuid::from_u128(0x1001), &[], by).unwrap();
    assert!(relations(&house).is_empty() && things(&house).is_empty());
    house.import(cluster());
    assert_eq!(relations(&house), before);
}

const MACHINES: &str = "ProviderName,BillingAccountId,SubAccountId,SubAccountName,ResourceId,ResourceType";

/// A bill of an account, with this machine.
fn bill(account: &str, machine: &str) -> String {
    let more = format!("AWS,1,{account},Account {account},{machine},Virtual Machine");
    focus(MACHINES, &[("1.00 USD 2026-05-02", more.as_str())])
}

#[test]
fn a_bill_that_comes_later_names_the_machines_of_a_cluster() {
    let house = House::new();
    house.import(cluster());
    let before = relations(&house);
    house.import(bill("111111111111", "arn:aws:ec2:eu-west-1:111111111111:instance/i-1"));
    let expected = [
        "ComputeInstance i-1 PART_OF Account Account 111111111111 (account of the resource)",
        "Node n1 RUNS_ON ComputeInstance i-1 (provider id)",
    ];
    let added: Vec<String> = relations(&house).into_iter().filter(|one| !before.contains(one)).collect();
    assert_eq!(added, expected);
    let by = UndoRequest { person: None, clock: || 1_795_176_000_000_000 };
    undo(&house.store, &house.caller, Uuid::from_u128(0x1002), &[], by).unwrap();
    assert_eq!(relations(&house), before, "no relation leads to the machine that went");
}

#[test]
fn an_import_makes_anew_only_what_it_touched() {
    let house = House::new();
    house.import(cluster());
    let before = relations(&house);
    let no_edges = |rows: &store::Transaction<'_>| {
        rows.delete("knowledge_graph_edge", &[store::eq("relationship_type", "USES")]).map(drop)
    };
    house.store.transaction(&house.caller, no_edges).unwrap();
    house.import(bill("222222222222", "i-2"));
    let after = relations(&house);
    assert!(!after.iter().any(|one| one.contains(" USES ")), "a bill of another account: {after:?}");
    house.import(cluster().replace("web:1", "web:2"));
    let after = relations(&house);
    assert!(before.iter().all(|one| after.contains(one)), "the cluster itself: {after:?}");
}
