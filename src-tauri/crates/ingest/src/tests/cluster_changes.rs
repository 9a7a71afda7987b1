//! Changes between two dumps of a cluster.

use super::kit::House;
use serde_json::{Value, json};

fn object(kind: &str, name: &str, created: &str, spec: &Value) -> Value {
    json!({"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": "shop", "uid": format!("uid-{name}"),
        "creationTimestamp": format!("2026-01-{created}T00:00:00Z")}, "spec": spec})
}

fn deployment(image: &str) -> Value {
    let spec =
        json!({"replicas": 2, "template": {"spec": {"containers": [{"name": "app", "image": image}]}}});
    object("Deployment", "web", "01", &spec)
}

fn pod(status: &str) -> Value {
    let mut pod = object("Pod", "web-1", "01", &json!({"containers": [{"name": "app"}]}));
    pod["metadata"]["ownerReferences"] =
        json!([{"kind": "ReplicaSet", "name": "web-7d9f", "controller": true}]);
    pod["status"] = json!({ "phase": status });
    pod
}

/// A dump taken on a day of January.
fn dump(day: u32, ready: &str, objects: &[Value]) -> String {
    let cluster = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": "the-cluster"}});
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "uid": "uid-n1", "resourceVersion": day.to_string()},
        "status": {"capacity": {"cpu": "2", "memory": "8Gi"}, "conditions": [{"type": "Ready", "status": ready, "lastHeartbeatTime": format!("2026-01-{day:02}T00:00:00Z")}]}});
    let items: Vec<Value> = [cluster, node].into_iter().chain(objects.iter().cloned()).collect();
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

fn told(house: &House) -> Vec<String> {
    let mut rows = house.rows(
        "k8s_changes",
        &["change", "kind", "namespace", "name", "observed_at", "previous_at", "fields"],
        &[],
    );
    rows.sort();
    rows
}

#[test]
fn two_dumps_are_compared_and_undo_takes_the_comparison_away() {
    let house = House::new();
    let config = object("ConfigMap", "old", "01", &json!({}));
    house.import(dump(2, "True", &[deployment("shop:1"), pod("Running"), config]));
    assert!(told(&house).is_empty(), "there is nothing to compare the first dump with");
    // One created after the first dump, and one that the first dump omitted.
    let service = object("Service", "new", "03", &json!({}));
    let left_out = object("Service", "older", "01", &json!({}));
    let other = object("ConfigMap", "kept", "01", &json!({}));
    house.import(dump(4, "False", &[deployment("shop:2"), pod("Failed"), service, left_out, other]));
    assert_eq!(
        told(&house),
        [
            "Added | Service | shop | new | 2026-01-04T00:00:00 | 2026-01-02T00:00:00 | []",
            r#"Changed | Deployment | shop | web | 2026-01-04T00:00:00 | 2026-01-02T00:00:00 | [{"after":"shop:2","before":"shop:1","path":"spec.template.spec.containers[app].image"}]"#,
            r#"Changed | Node | - | n1 | 2026-01-04T00:00:00 | 2026-01-02T00:00:00 | [{"after":"False","before":"True","path":"status.conditions[Ready].status"}]"#,
            "Removed | ConfigMap | shop | old | 2026-01-04T00:00:00 | 2026-01-02T00:00:00 | []",
        ]
    );
    house.take_back(2);
    assert!(told(&house).is_empty());
}

#[test]
fn an_object_of_which_only_the_name_is_kept_is_compared_with_nothing() {
    let house = House::new();
    let of = |text: &str| object("Deployment", "web", "01", &json!({ "text": text }));
    house.import(dump(2, "True", &[of("short")]));
    house.import(dump(3, "True", &[of(&"long ".repeat(20_000))]));
    house.import(dump(4, "True", &[of("short")]));
    assert!(told(&house).is_empty(), "{:?}", told(&house));
}

#[test]
fn an_older_dump_is_compared_with_nothing() {
    let house = House::new();
    house.import(dump(4, "True", &[deployment("shop:2")]));
    house.import(dump(2, "True", &[deployment("shop:1")]));
    assert!(told(&house).is_empty(), "{:?}", told(&house));
}

#[test]
fn an_object_that_comes_back_is_told_as_added() {
    let house = House::new();
    let config = |name: &str| object("ConfigMap", name, "01", &json!({}));
    house.import(dump(2, "True", &[config("a"), config("b")]));
    house.import(dump(3, "True", &[config("b")]));
    house.import(dump(4, "True", &[config("a"), config("b")]));
    let short: Vec<String> =
        told(&house).iter().map(|row| row.split(" | ").take(4).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(short, ["Added ConfigMap shop a", "Removed ConfigMap shop a"]);
    house.take_back(2);
    house.take_back(3);
    house.take_back(1);
    assert!(told(&house).is_empty());
}
