//! Tests of waste in clusters: from a dump to recommendations, to newer dumps that close them, and the undo of an import.

use crate::house::{House, NOW, OWN, PERSON, TENANT};
use catalogue::{Caller, Decimal, Role, ValueRef, parse_date};
use ingest::undo::UndoRequest;
use operations::savings::{Outcome, refresh, run};
use serde_json::{Value as Json, json};
use std::sync::atomic::AtomicBool;
use store::StoreError;
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
const MACHINE: Uuid = Uuid::from_u128(0xe9);

fn caller() -> Caller {
    Caller::system_for(TENANT)
}

pub(crate) fn import(house: &House, number: u128, name: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let never = AtomicBool::new(false);
    let file = ingest::File {
        import_id: Uuid::from_u128(number),
        name,
        location: name,
        path: &path,
        original: None,
        forms: None,
        answers: &[],
        progress: ingest::Progress { on_progress: &|_, _| {}, cancelled: &never },
    };
    let options = ingest::Options {
        owner: PERSON,
        delivery: Uuid::from_u128(number + 0x100),
        choice: None,
        most_lower: ingest::MOST_LOWER,
        archive: None,
        forms: ingest::FormAnswers::default(),
        mapping: None,
        draft: None,
        dry_run: false,
        is_still_due: None,
        clock: || NOW,
    };
    let report = ingest::import(&house.store, &caller(), &[file], options).unwrap().remove(0).unwrap();
    assert!(report.rows_written > 0, "{report:#?}");
}

pub(crate) fn undo(house: &House, number: u128) {
    let by = UndoRequest { person: None, clock: || NOW };
    ingest::undo::undo(&house.store, &caller(), Uuid::from_u128(number), &[], by).unwrap();
}

fn node(name: &str, machine: &str, at: &str) -> Json {
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "uid": format!("uid-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z" },
        "spec": { "providerID": format!("aws:///eu-west-1a/{machine}") },
        "status": {
            "capacity": { "cpu": "4", "memory": "16Gi" }, "allocatable": { "cpu": "4", "memory": "16Gi" },
            "conditions": [{ "type": "Ready", "status": "True", "lastHeartbeatTime": at }],
            "nodeInfo": { "kubeletVersion": "v1.35.2" },
        },
    })
}

/// A Deployment with one container, its memory limit, and its pod.
fn web(name: &str, node: &str, cpu: &str, limit: Option<&str>, status: &Json) -> [Json; 2] {
    let mut resources = json!({ "requests": { "cpu": cpu, "memory": "256Mi" } });
    if let Some(limit) = limit {
        resources["limits"] = json!({ "memory": limit });
    }
    let container = json!({ "name": "app", "image": "app:1", "resources": resources });
    let owner = json!([{ "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": format!("{name}-abc"), "controller": true }]);
    [
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": name, "namespace": "shop", "uid": format!("uid-{name}"), "creationTimestamp": "2026-01-01T00:00:00Z" },
            "spec": { "replicas": 1, "template": { "spec": { "containers": [container] } } },
            "status": { "replicas": 1, "readyReplicas": 1 },
        }),
        json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {
                "name": format!("{name}-abc-1"), "namespace": "shop", "uid": format!("uid-{name}-1"), "creationTimestamp": "2026-01-01T00:00:00Z",
                "labels": { "pod-template-hash": "abc" }, "ownerReferences": owner,
            },
            "spec": { "nodeName": node, "containers": [container] },
            "status": { "phase": "Running", "containerStatuses": [{ "name": "app", "restartCount": 0, "state": status }] },
        }),
    ]
}

/// A system pod on a node.
fn proxy(node: &str) -> Json {
    let container =
        json!({ "name": "proxy", "image": "proxy:1", "resources": { "requests": { "cpu": "50m" } } });
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": format!("proxy-{node}"), "namespace": "kube-system", "uid": format!("uid-proxy-{node}"),
            "ownerReferences": [{ "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "proxy", "controller": true }],
        },
        "spec": { "nodeName": node, "containers": [container] },
        "status": { "phase": "Running", "containerStatuses": [{ "name": "proxy", "restartCount": 0, "state": { "running": {} } }] },
    })
}

/// A dump with all objects of the kinds, as printed by `kubectl get nodes,deployments,pods,namespaces -A -o json`.
fn dump(objects: impl IntoIterator<Item = Json>) -> String {
    let namespace = |name: &str| json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name, "uid": format!("uid-{name}") } });
    let mut items = vec![namespace("kube-system"), namespace("shop")];
    items.extend(objects);
    json!({ "apiVersion": "v1", "kind": "List", "metadata": { "resourceVersion": "" }, "items": items })
        .to_string()
}

/// A busy node, an idle one, a workload without limits and one that crashes.
fn first() -> String {
    let running = json!({ "running": {} });
    let crashing = json!({ "waiting": { "reason": "CrashLoopBackOff" } });
    let at = "2026-10-20T10:00:00Z";
    let objects = [node("busy", "i-busy", at), node("idle", "i-idle", at), proxy("busy"), proxy("idle")];
    let base = web("base", "busy", "2500m", Some("1Gi"), &running);
    let loose = web("loose", "idle", "100m", None, &running);
    let broken = web("broken", "busy", "100m", Some("1Gi"), &crashing);
    dump(objects.into_iter().chain(base).chain(loose).chain(broken))
}

/// Nine days later: the idle node is gone, the limit is set, and the crashing workload runs.
fn second() -> String {
    let running = json!({ "running": {} });
    let objects = [node("busy", "i-busy", "2026-10-29T10:00:00Z"), proxy("busy")];
    let base = web("base", "busy", "2500m", Some("1Gi"), &running);
    let loose = web("loose", "busy", "100m", Some("1Gi"), &running);
    let broken = web("broken", "busy", "100m", Some("1Gi"), &running);
    dump(objects.into_iter().chain(base).chain(loose).chain(broken))
}

/// The bill of the idle node's machine: 3 a day.
fn bill(house: &House, from: &str, to: &str) {
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for at in parse_date(from).unwrap()..=parse_date(to).unwrap() {
            rows.insert(
                "spends",
                &[
                    ("cloud_account", OWN.into()),
                    ("cloud_resource_id", MACHINE.into()),
                    ("date", ValueRef::Timestamp(i64::from(at) * DAY)),
                    ("period_end", ValueRef::Timestamp((i64::from(at) + 1) * DAY)),
                    ("amount", ValueRef::Decimal(Decimal::from(3))),
                    ("unit", "USD".into()),
                    ("service_name", "Compute".into()),
                    ("charge_category", "Usage".into()),
                    ("billing_account_id", "bill".into()),
                    ("details", ValueRef::Json(r#"{"x_UsageType": "BoxUsage:m7g.xlarge"}"#)),
                ],
            )?;
        }
        Ok(())
    };
    house.store.transaction(&caller(), work).unwrap();
}

fn machine(house: &House) {
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        rows.insert(
            "cloud_resourses",
            &[
                ("id", MACHINE.into()),
                ("account", OWN.into()),
                ("cloud_provider", "AWS".into()),
                ("name", "worker".into()),
                ("region", "eu".into()),
                ("resourse_id", "arn:aws:ec2:eu-west-1:1:instance/i-idle".into()),
                ("external_resource_id", "arn:aws:ec2:eu-west-1:1:instance/i-idle".into()),
                ("service_name", "Compute".into()),
                ("status", "Active".into()),
                ("type", "VM".into()),
            ],
        )
    };
    house.store.transaction(&caller(), work).unwrap();
}

fn analyse(house: &House) -> Outcome {
    refresh(&house.store, TENANT).unwrap()
}

/// The changes of an analysis: added, updated, removed, reopened, closed.
fn changes(found: &Outcome) -> [usize; 5] {
    [found.added, found.updated, found.removed, found.reopened, found.closed]
}

/// Rule, object, status and note of all recommendations.
fn told(house: &House) -> Vec<(String, String, String, String)> {
    let query = "{ recommendation(order_by: {rule_name: asc}) { rule_name account_object_id status note } }";
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query);
    assert!(answer["errors"].is_null(), "{answer}");
    let text = |row: &Json, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let rows = answer["data"]["recommendation"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            (text(row, "rule_name"), text(row, "account_object_id"), text(row, "status"), text(row, "note"))
        })
        .collect()
}

fn rules_and_states(house: &House) -> Vec<(String, String)> {
    told(house).into_iter().map(|(rule, _, status, _)| (rule, status)).collect()
}

fn states(state: &str) -> Vec<(String, String)> {
    ["k8s_failing_pods", "k8s_idle_nodes", "k8s_no_limits"]
        .map(|rule| (rule.to_owned(), state.to_owned()))
        .into()
}

#[test]
fn a_dump_is_judged_once_and_a_second_run_changes_nothing() {
    let house = House::new();
    import(&house, 1, "first.json", &first());
    let found = analyse(&house);
    assert_eq!(changes(&found), [3, 0, 0, 0, 0], "{:#?}", found.findings);
    assert_eq!(rules_and_states(&house), states("Open"));
    assert_eq!(told(&house)[0].1, "shop/Deployment/broken");
    // No bill contains the machine: no saving is claimed.
    let idle = found.findings.iter().find(|one| one.rule_name == "k8s_idle_nodes").unwrap();
    assert_eq!((&idle.currency, idle.estimated_savings.0), (&None, Decimal::ZERO));
    assert_eq!(idle.recommendation["seen_at"], "2026-10-20T10:00:00");
    assert_eq!(changes(&analyse(&house)), [0; 5]);
}

#[test]
fn a_day_before_the_dump_knows_nothing_of_it() {
    let house = House::new();
    import(&house, 1, "first.json", &first());
    let at = |day: &str| run(&house.store, TENANT, Some(day)).unwrap().findings.len();
    assert_eq!((at("2026-10-19"), at("2026-10-20")), (0, 3));
}

#[test]
fn the_machine_of_an_idle_node_is_priced_by_the_bill() {
    let house = House::new();
    machine(&house);
    bill(&house, "2026-10-01", "2026-10-31");
    import(&house, 1, "first.json", &first());
    let found = analyse(&house);
    let idle = found.findings.iter().find(|one| one.rule_name == "k8s_idle_nodes").unwrap();
    assert_eq!((idle.currency.as_deref(), idle.estimated_savings.0), (Some("USD"), Decimal::from(93)));
    let card = &idle.recommendation;
    assert_eq!((&card["monthly_cost"], &card["share"]), (&93.into(), &1.into()));
    assert_eq!(card["usage_types"], json!(["BoxUsage:m7g.xlarge"]));
}

#[test]
fn a_newer_dump_closes_what_it_does_not_show_and_undoing_it_opens_that_again() {
    let house = House::new();
    import(&house, 1, "first.json", &first());
    analyse(&house);
    import(&house, 2, "second.json", &second());
    assert_eq!(changes(&analyse(&house)), [0, 0, 0, 0, 3]);
    assert_eq!(rules_and_states(&house), states("Closed"));
    let note = "Closed by an import: the cluster as it was on 2026-10-29T10:00:00 does not show it any more.";
    assert_eq!(told(&house)[0].3, note);
    assert_eq!(changes(&analyse(&house)), [0; 5]);
    undo(&house, 2);
    assert_eq!(changes(&analyse(&house)), [0, 0, 0, 3, 0]);
    assert_eq!(rules_and_states(&house), states("Open"));
    let note = "Open again: the import that closed it was undone, and the cluster as it was on 2026-10-20T10:00:00 shows it.";
    assert_eq!(told(&house)[0].3, note);
    undo(&house, 1);
    analyse(&house);
    assert_eq!(told(&house), Vec::new());
}

#[test]
fn the_bill_proves_what_giving_up_a_node_has_saved() {
    let house = House::new();
    machine(&house);
    // The machine runs until the day the node was removed; then the bill continues without it.
    bill(&house, "2026-09-01", "2026-09-30");
    import(&house, 1, "first.json", &first());
    analyse(&house);
    import(&house, 2, "second.json", &second());
    analyse(&house);
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for at in parse_date("2026-11-01").unwrap()..=parse_date("2026-11-30").unwrap() {
            rows.insert(
                "spends",
                &[
                    ("cloud_account", OWN.into()),
                    ("date", ValueRef::Timestamp(i64::from(at) * DAY)),
                    ("period_end", ValueRef::Timestamp((i64::from(at) + 1) * DAY)),
                    ("amount", ValueRef::Decimal(Decimal::from(1))),
                    ("unit", "USD".into()),
                    ("service_name", "Storage".into()),
                    ("charge_category", "Usage".into()),
                    ("billing_account_id", "bill".into()),
                ],
            )?;
        }
        Ok(())
    };
    house.store.transaction(&caller(), work).unwrap();
    run(&house.store, TENANT, Some("2026-11-30")).unwrap();
    let query = "{ recommendation(where: {rule_name: {_eq: \"k8s_idle_nodes\"}}) { status recommendation } }";
    let answer = house.ask_as(&Caller::user(PERSON, TENANT, vec![Role::TenantAdmin]), query);
    let proof = &answer["data"]["recommendation"][0]["recommendation"]["verified_saving"];
    assert_eq!((&proof["verdict"], &proof["month"]), (&"verified".into(), &"2026-11".into()), "{answer}");
    assert_eq!((&proof["before"], &proof["after"]), (&90.into(), &0.into()));
}
