//! Imports of cluster dumps, support bundles and metrics.

use super::kit::{House, PARTIES, focus, format_id, gzip};
use crate::{FormAnswers, Report, State};
use serde_json::{Value, json};

const TABLES: [&str; 11] = [
    "cloud_accounts",
    "cloud_resourses",
    "k8s_namespaces",
    "k8s_nodes",
    "k8s_workloads",
    "k8s_pods",
    "cloud_resource_metrics",
    "logs",
    "insight",
    "events",
    "k8s_changes",
];

/// A pod in the namespace `shop` on the node `n1`.
fn pod(name: &str, status: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "uid": format!("uid-{name}"), "labels": {"pod-template-hash": "7d9f"},
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "ownerReferences": [{"kind": "ReplicaSet", "name": "web-7d9f", "controller": true}]},
        "spec": {"nodeName": "n1", "containers": [{"name": "c", "env": [{"name": "TOKEN", "value": "hunter2"}],
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}}}]},
        "status": {"phase": "Running", "containerStatuses": [{"name": "c", "restartCount": 3, "state": {"waiting": {"reason": status}}}]}})
}

fn node(heartbeat: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "uid": "uid-n1", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"providerID": "aws:///eu-west-1a/i-1"},
        "status": {"capacity": {"cpu": "2", "memory": "8Gi"}, "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": heartbeat}]}})
}

fn namespace(name: &str, uid: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "uid": uid, "creationTimestamp": "2026-01-01T00:00:00Z"}})
}

fn dump(objects: &[Value]) -> String {
    json!({"apiVersion": "v1", "items": objects, "kind": "List"}).to_string()
}

/// A complete dump, taken on a day of January.
fn cluster(day: u32, pods: &[Value]) -> String {
    let mut objects = vec![
        namespace("kube-system", "the-cluster"),
        namespace("shop", "uid-shop"),
        node(&format!("2026-01-{day:02}T00:00:00Z")),
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop", "uid": "uid-web"},
            "spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "100m"}}}]}}},
            "status": {"readyReplicas": 1}}),
    ];
    objects.extend_from_slice(pods);
    dump(&objects)
}

fn pods(house: &House) -> Vec<String> {
    house.rows("k8s_pods", &["name", "status", "is_active", "workload_name"], &[])
}

fn counts(house: &House) -> Vec<usize> {
    let column = |table: &str| {
        if table.starts_with("k8s_") && table != "k8s_changes" { "cloud_account_id" } else { "id" }
    };
    TABLES.iter().map(|table| house.rows(table, &[column(table)], &[]).len()).collect()
}

fn done(report: &Report) {
    assert_eq!((report.state, report.rows_skipped), (State::Done, 0), "{report:#?}");
}

#[test]
fn a_dump_fills_the_tables_of_a_cluster() {
    let house = House::new();
    let report = house.import(cluster(2, &[pod("web-7d9f-a", "CrashLoopBackOff")]));
    done(&report);
    assert_eq!((format_id(&report), report.rows_written), ("kubernetes", 5));
    let accounts = house.rows(
        "cloud_accounts",
        &["account_number", "account_name", "cloud_provider", "account_type"],
        &[],
    );
    assert_eq!(accounts, ["the-cluster | Cluster of node n1 | K8s | kubernetes"]);
    let nodes = house.rows(
        "k8s_nodes",
        &["name", "cpu_capacity", "memory_capacity", "conditions", "cpu_limits", "memory_limits"],
        &[],
    );
    assert_eq!(nodes, ["n1 | 2 | 8192 | Ready | - | -"]);
    let workloads = house.rows(
        "k8s_workloads",
        &["name", "kind", "total_pods", "ready_pods", "cpu_request", "memory_request"],
        &[],
    );
    assert_eq!(workloads, ["web | Deployment | 2 | 1 | 0.1 | -"]);
    assert_eq!(pods(&house), ["web-7d9f-a | CrashLoopBackOff | true | web"]);
    assert_eq!(house.rows("k8s_pods", &["restart_count", "node_name"], &[]), ["{\"c\":3} | n1"]);
    let spaces = house.rows("k8s_namespaces", &["name", "workload_count", "pod_count", "is_active"], &[]);
    assert_eq!(
        spaces,
        ["kube-system | - | - | true", "shop | 1 | 1 | true"].map(|row| row.replace("- | -", "0 | 0"))
    );
    let resources = house.rows("cloud_resourses", &["external_resource_id"], &[]);
    assert_eq!(resources, ["Node/n1", "shop/Deployment/web", "shop/Pod/web-7d9f-a"]);
    for table in ["k8s_pods", "cloud_resourses"] {
        assert!(!house.rows(table, &["meta"], &[]).concat().contains("hunter2"));
    }
}

#[test]
fn whole_objects_stand_on_their_resources_without_secrets() {
    let house = House::new();
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "data": {"key": "aHVudGVyMg=="},
        "metadata": {"name": "db", "namespace": "shop", "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": "{\"data\":{\"key\":\"aHVudGVyMg==\"}}",
            "kapp.k14s.io/original": "{\"data\":{\"key\":\"aHVudGVyMg==\"}}"}}});
    done(&house.import(cluster(2, &[pod("web-7d9f-a", "Error"), secret])));
    let manifests: Vec<Value> = house
        .rows("cloud_resourses", &["meta"], &[])
        .iter()
        .map(|meta| serde_json::from_str::<Value>(meta).unwrap()["manifest"].clone())
        .collect();
    let of = |kind: &str| manifests.iter().find(|manifest| manifest["kind"] == kind).unwrap();
    assert_eq!(of("Pod")["spec"]["containers"][0]["env"][0], json!({"name": "TOKEN", "value": "***"}));
    assert_eq!(of("Deployment")["spec"]["replicas"], 2);
    assert_eq!(of("Node")["spec"]["providerID"], "aws:///eu-west-1a/i-1");
    assert_eq!(of("Secret")["data"], json!({"key": "***"}));
    let all = serde_json::to_string(&manifests).unwrap();
    assert!(!all.contains("hunter2") && !all.contains("aHVudGVyMg"), "{all}");
    // Rows of lists stay short.
    assert!(!house.rows("k8s_pods", &["meta"], &[]).concat().contains("manifest"));
}

#[test]
fn what_a_newer_dump_lacks_is_inactive_and_comes_back_with_undo() {
    let house = House::new();
    house.import(cluster(2, &[pod("web-7d9f-a", "CrashLoopBackOff"), pod("web-7d9f-b", "Error")]));
    let report = house.import(cluster(3, &[pod("web-7d9f-a", "ImagePullBackOff")]));
    done(&report);
    assert_eq!(
        pods(&house),
        ["web-7d9f-a | ImagePullBackOff | true | web", "web-7d9f-b | Error | false | web"]
    );
    assert!(report.notes.iter().any(|note| note.contains("1 objects of")), "{:?}", report.notes);
    house.take_back(2);
    assert_eq!(
        pods(&house),
        ["web-7d9f-a | CrashLoopBackOff | true | web", "web-7d9f-b | Error | true | web"]
    );
    house.take_back(1);
    assert_eq!(counts(&house), [0; 11]);
}

#[test]
fn undo_of_the_first_dump_leaves_what_the_second_told() {
    let house = House::new();
    house.import(cluster(2, &[pod("web-7d9f-a", "Error"), pod("web-7d9f-b", "Error")]));
    house.import(cluster(3, &[pod("web-7d9f-a", "ImagePullBackOff")]));
    house.take_back(1);
    assert_eq!(pods(&house)[0], "web-7d9f-a | ImagePullBackOff | true | web");
    house.take_back(2);
    assert_eq!(counts(&house), [0; 11]);
}

#[test]
fn an_older_dump_changes_nothing_that_a_newer_one_told() {
    let house = House::new();
    house.import(cluster(3, &[pod("web-7d9f-a", "ImagePullBackOff")]));
    let report = house.import(cluster(2, &[pod("web-7d9f-a", "Error")]));
    assert_eq!(pods(&house), ["web-7d9f-a | ImagePullBackOff | true | web"]);
    assert!(report.notes.iter().any(|note| note.contains("A newer dump")), "{report:#?}");
}

#[test]
fn files_that_do_not_name_their_cluster_find_it_by_what_is_in_it() {
    let house = House::new();
    house.import(dump(&[pod("web-7d9f-a", "Error")]));
    // Matched by the uid of the pod, then by the name of the node.
    house.import(cluster(2, &[pod("web-7d9f-a", "Error")]));
    let report = house.import(
        "NAME   CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\nn1     250m         12%    2Gi            40%\n",
    );
    done(&report);
    assert_eq!(
        house.count("cloud_accounts"),
        1,
        "{:?}",
        house.rows("cloud_accounts", &["account_name"], &[])
    );
    assert!(report.notes.iter().any(|note| note.contains("its nodes are those of")), "{:?}", report.notes);
    let metrics = house.rows("cloud_resource_metrics", &["metric", "value"], &[]);
    assert_eq!(metrics, ["cpuCoreUsageAverage | 0.25", "ramByteUsageAverage | 2147483648"]);
    // A known pod has the tags of its workload.
    house.import(
        "NAMESPACE   NAME         CPU(cores)   MEMORY(bytes)\nshop        web-7d9f-a   3m           64Mi\n",
    );
    let named = house.rows("k8s_measurements", &["workload_name", "namespace_name", "pod_name"], &[]);
    assert!(named.contains(&"web | shop | web-7d9f-a".to_owned()), "{named:?}");
}

#[test]
fn the_same_dump_twice_changes_nothing() {
    let house = House::new();
    let text = cluster(2, &[pod("web-7d9f-a", "Error")]);
    house.import(&text);
    let before = counts(&house);
    assert_eq!(house.import(&text).state, State::Unchanged);
    // With different white space, the bytes differ.
    house.import(format!("{text}\n"));
    assert_eq!(counts(&house), before);
}

#[test]
fn lines_of_logs_are_stored_once() {
    let house = House::new();
    let text = "2026-01-02T12:00:00Z ERROR it broke\n2026-01-02T12:00:00Z ERROR it broke\n2026-01-02T12:00:01Z INFO on\n";
    let report = house.import(text);
    done(&report);
    assert_eq!((format_id(&report), house.count("logs")), ("logs", 3));
    house.import(format!("{text}2026-01-02T12:00:02Z WARN again\n"));
    let lines = house.rows("logs", &["timestamp", "severity", "message"], &[]);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[3], "2026-01-02T12:00:02 | warn |  WARN again".replace("|  W", "| W"));
    house.take_back(2);
    house.take_back(1);
    assert_eq!(counts(&house), [0; 11]);
}

#[test]
fn measurements_of_a_plain_table_go_to_the_account_of_that_number() {
    let house = House::new();
    house.import(cluster(2, &[]));
    let text = "account,resource,metric,time,value\nthe-cluster,shop/Pod/x,cpu,2026-01-02T12:00:00Z,0.5\n";
    done(&house.import(text));
    assert_eq!(house.count("cloud_accounts"), 1);
    assert_eq!(
        house.rows("cloud_resource_metrics", &["metric", "value", "timestamp"], &[]),
        ["cpu | 0.5 | 2026-01-02T12:00:00"]
    );
    // A corrected value replaces the first.
    done(&house.import(text.replace("0.5", "0.25")));
    assert_eq!(house.rows("cloud_resource_metrics", &["value"], &[]), ["0.25"]);
    house.take_back(3);
    assert_eq!(house.rows("cloud_resource_metrics", &["value"], &[]), ["0.5"]);
}

#[test]
fn an_archive_of_something_else_is_refused() {
    let house = House::new();
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(2);
    builder.append_data(&mut header, "readme.txt", b"hi".as_slice()).unwrap();
    let report = house.import(gzip(&builder.into_inner().unwrap()));
    assert_eq!(report.state, State::Failed);
}

#[test]
fn real_files_of_clusters_fill_the_tables() {
    let folder = std::path::Path::new("/work/shared/data");
    let (Ok(bundle), Ok(metering)) = (
        std::fs::read(folder.join("kubernetes/support-bundle.tar.gz")),
        std::fs::read(folder.join("openshift-metering/payload.tar.gz")),
    ) else {
        eprintln!("the folder of real files is not there; nothing was tried");
        return;
    };
    let house = House::new();
    let report = house.import(&bundle);
    assert_eq!((format_id(&report), report.state), ("support-bundle", State::DoneWithSkips), "{report:#?}");
    assert_eq!(report.rows_written + report.rows_skipped, report.rows_read);
    let written = |kind: &str| report.written.get(kind).copied().unwrap_or_default();
    assert_eq!(
        ["nodes", "namespaces", "pods", "workloads", "events", "insights"].map(written),
        [1, 4, 8, 5 + 6 + 2, 5, 10]
    );
    assert_eq!(house.count("cloud_accounts"), 1);
    // Replica sets of deployments are not separate workloads.
    assert_eq!(house.rows("k8s_workloads", &["name"], &[]).len(), 7);
    assert_eq!(house.import(&bundle).state, State::Unchanged);
    let report = house.import(&metering);
    done(&report);
    assert_eq!((format_id(&report), report.rows_written), ("openshift-metering", 861));
    house.take_back(3);
    house.take_back(1);
    assert_eq!(counts(&house), [0; 11]);
}

/// An allocation of a deployment on the machine `i-1`.
fn allocation(cost: &str) -> String {
    format!(
        r#"{{"code": 200, "data": [{{"web": {{"properties": {{"cluster": "prod", "namespace": "shop", "controllerKind": "deployment",
            "controller": "web", "providerID": "i-1"}}, "window": {{"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}},
            "cpuCost": {cost}, "totalCost": {cost}, "cpuCoreUsageAverage": 0.5}}}}]}}"#
    )
}

fn costs(house: &House) -> Vec<String> {
    house.rows("spends", &["amount", "unit", "service_name", "exclude_aggregate"], &[])
}

fn notes_with(report: &Report, part: &str) -> bool {
    report.notes.iter().any(|note| note.contains(part))
}

#[test]
fn the_currency_of_a_file_that_names_none_is_asked_for() {
    let house = House::new();
    let report = house.import(allocation("0.123"));
    assert_eq!((report.state, house.count("spends")), (State::NeedsDecision, 0));
    assert_eq!(report.decision.unwrap().reason, "currency");
    house.forms.set(FormAnswers::default().with("currency_eur").unwrap());
    done(&house.import(allocation("0.123")));
    assert_eq!(costs(&house), ["0.123 | EUR | shop | false"]);
    // The same cost in another currency replaces the earlier one.
    house.forms.set(FormAnswers::default().with("currency_usd").unwrap());
    done(&house.import(allocation("0.13")));
    assert_eq!(costs(&house), ["0.13 | USD | shop | false"]);
}

#[test]
fn costs_of_a_cluster_are_replaced_when_they_are_told_again() {
    let house = House::in_dollars();
    let report = house.import(allocation("0.123"));
    done(&report);
    assert_eq!((format_id(&report), report.rows_written), ("opencost", 1));
    assert_eq!(costs(&house), ["0.123 | USD | shop | false"]);
    assert!(notes_with(&report, "1 cost of 0.123 USD is counted in totals"), "{:?}", report.notes);
    let measured = house.rows("k8s_measurements", &["metric", "workload_name", "workload_type"], &[]);
    assert_eq!(measured, ["cpuCoreUsageAverage | web | deployment", "totalCost | web | deployment"]);
    done(&house.import(allocation("0.2")));
    assert_eq!(costs(&house), ["0.2 | USD | shop | false"]);
    house.take_back(2);
    assert_eq!(costs(&house), ["0.123 | USD | shop | false"]);
    house.take_back(1);
    assert_eq!((costs(&house).len(), counts(&house)), (0, vec![0; 11]));
}

/// The bill of the machine `i-1` for a day.
fn bill_of_machine(day: &str) -> String {
    let charge = format!("5 USD {day}");
    focus(
        &format!("{PARTIES},ResourceId"),
        &[(&charge, "AWS,1,123,Shop,arn:aws:ec2:eu-west-1:123:instance/i-1")],
    )
}

const COUNTS: &str = "0.123 | USD | shop | false";
const LEFT_OUT: &str = "0.123 | USD | shop | true";

#[test]
fn costs_of_machines_that_are_billed_are_left_out_of_totals() {
    let house = House::in_dollars();
    done(&house.import(bill_of_machine("2026-01-01")));
    let report = house.import(allocation("0.123"));
    let all = costs(&house);
    assert!(all.contains(&LEFT_OUT.to_owned()), "{all:?}");
    assert!(all.contains(&"5 | USD | Compute | false".to_owned()), "{all:?}");
    assert!(notes_with(&report, "1 cost of 0.123 USD is left out of totals"), "{:?}", report.notes);
}

#[test]
fn costs_are_left_out_once_the_bill_comes_and_count_again_when_it_is_undone() {
    let house = House::in_dollars();
    done(&house.import(allocation("0.123")));
    assert_eq!(costs(&house), [COUNTS]);
    let bill = house.import(bill_of_machine("2026-01-01"));
    assert!(notes_with(&bill, "1 cost of 0.123 USD is left out of totals from now on"), "{:?}", bill.notes);
    assert_eq!(costs(&house)[0], LEFT_OUT);
    house.take_back(2);
    assert_eq!(costs(&house), [COUNTS]);
    house.take_back(1);
    assert_eq!(counts(&house), [0; 11]);
}

#[test]
fn a_bill_of_another_time_leaves_costs_in_totals() {
    let house = House::in_dollars();
    done(&house.import(bill_of_machine("2026-02-01")));
    done(&house.import(bill_of_machine("2026-01-02")));
    done(&house.import(allocation("0.123")));
    assert!(costs(&house).contains(&COUNTS.to_owned()), "{:?}", costs(&house));
}

#[test]
fn machines_that_only_a_dump_of_the_cluster_names_settle_what_counts() {
    let house = House::in_dollars();
    let node = r#"{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "uid": "u1"},
        "spec": {"providerID": "aws:///eu-west-1a/i-1"}, "status": {"capacity": {"cpu": "2", "memory": "4Gi"}}}]}"#;
    house.import(node);
    done(&house.import(allocation("0.123").replace(r#""providerID": "i-1""#, r#""node": "n1""#)));
    assert_eq!(costs(&house), [COUNTS]);
    done(&house.import(bill_of_machine("2026-01-01")));
    assert!(costs(&house).contains(&LEFT_OUT.to_owned()), "{:?}", costs(&house));
}
