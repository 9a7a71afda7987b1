//! Tests the analysis of an event for people with different rights.

use crate::assistant::tests::{ADA, LAB, SHOP, TENANT, TestService, admin, of_namespace, reader};
use catalogue::{Caller, CallerAccounts, Decimal, Role, ValueRef, parse_timestamp};
use serde_json::Value;
use store::{StoreError, eq};
use uuid::Uuid;

const EVENT: Uuid = Uuid::from_u128(0xE1);
const ALERT: Uuid = Uuid::from_u128(0xE4);
const RELEASE: Uuid = Uuid::from_u128(0xE2);

/// `checkout` is slow at noon, six minutes after its release, in namespace `web`; before, the database in `data` was full.
fn service() -> TestService {
    let service = TestService::new();
    let event = |id: u128, title: &str, at: &str, namespace: &str, owner: &str, source: &str| {
        let at = ValueRef::Timestamp(parse_timestamp(at).unwrap());
        service.add(
            "events",
            &[
                ("id", Uuid::from_u128(id).into()),
                ("cloud_account_id", SHOP.into()),
                ("title", title.into()),
                ("finding_id", title.into()),
                ("finding_type", "issue".into()),
                ("aggregation_key", title.into()),
                ("cluster", "c".into()),
                ("evidences", ValueRef::Json("[]")),
                ("priority", "HIGH".into()),
                ("source", source.into()),
                ("subject_name", owner.into()),
                ("subject_owner", owner.into()),
                ("subject_namespace", namespace.into()),
                ("starts_at", at),
            ],
        );
    };
    event(0xE1, "Checkout answers slowly", "2026-11-20T11:00:00", "web", "checkout", "prometheus");
    event(0xE2, "Release of checkout 1.8.2", "2026-11-20T10:54:00", "web", "checkout", "helm_release");
    event(0xE3, "Database is full", "2026-11-20T10:59:00", "data", "orders-db", "prometheus");
    for (id, name, namespace) in [(0xA01, "checkout", "web"), (0xA02, "orders-db", "data")] {
        let properties = format!(r#"{{"name":"{name}","namespace":"{namespace}"}}"#);
        service.add(
            "knowledge_graph_node",
            &[
                ("id", Uuid::from_u128(id).into()),
                ("cloud_account_id", SHOP.into()),
                ("properties", ValueRef::Json(&properties)),
                ("unique_key", name.into()),
            ],
        );
    }
    service.add(
        "knowledge_graph_edge",
        &[
            ("cloud_account_id", SHOP.into()),
            ("source_node_id", Uuid::from_u128(0xA01).into()),
            ("destination_node_id", Uuid::from_u128(0xA02).into()),
            ("relationship_type", "CALLS".into()),
            ("properties", ValueRef::Json("{}")),
        ],
    );
    service
}

fn analysed(service: &TestService, caller: &Caller, generate: bool) -> Value {
    let query = format!(
        "{{ ai_get_rca(account_id: \"{SHOP}\", event_id: \"{EVENT}\", generate: {generate}) {{ data }} }}"
    );
    service.ask(caller, &query)
}

fn claims(answer: &Value) -> Vec<String> {
    let all = answer["data"]["ai_get_rca"]["data"]["investigation"]["hypotheses"].as_array().unwrap();
    all.iter().map(|one| one["claim"].as_str().unwrap().to_owned()).collect()
}

fn stored(service: &TestService) -> Vec<String> {
    let conditions = [eq("event_id", EVENT), eq("analysis_type", "root_cause")];
    let system = Caller::system_for(TENANT);
    let rows =
        service.store.snapshot(&system, |rows| rows.select("event_log_analysis", &["analysis"], &conditions));
    let rows: Vec<_> = rows.unwrap_or_else(|error: StoreError| panic!("{error}"));
    rows.iter().map(|row| row[0].as_text().unwrap().to_owned()).collect()
}

#[test]
fn without_a_model_the_rules_say_what_came_first_with_rows_to_look_at_and_it_is_kept_once() {
    let service = service();
    let caller = reader();
    let answer = analysed(&service, &caller, false);
    assert_eq!(
        claims(&answer),
        ["Release of checkout 1.8.2 6 min before", "“Database is full” on orders-db began first"]
    );
    let data = &answer["data"]["ai_get_rca"]["data"];
    assert_eq!(data["analysis_type"], "root_cause");
    assert_eq!(data["investigation"]["evidence"][0]["rows"][0], RELEASE.to_string());
    assert_eq!(stored(&service), [data["analysis"].as_str().unwrap()]);
    assert_eq!(analysed(&service, &caller, false), answer);
    assert_eq!(stored(&service).len(), 1);
}

#[test]
fn what_a_cluster_tells_of_that_went_as_it_should_is_no_cause() {
    let service = service();
    for (id, title, kind) in
        [(0xE5, "Started: Pod checkout-1", "Normal"), (0xE6, "BackOff: Pod checkout-1", "Warning")]
    {
        let at = ValueRef::Timestamp(parse_timestamp("2026-11-20T10:58:00").unwrap());
        let labels = format!(r#"{{"type":"{kind}"}}"#);
        service.add(
            "events",
            &[
                ("id", Uuid::from_u128(id).into()),
                ("cloud_account_id", SHOP.into()),
                ("title", title.into()),
                ("finding_id", title.into()),
                ("finding_type", "issue".into()),
                ("aggregation_key", title.into()),
                ("cluster", "c".into()),
                ("evidences", ValueRef::Json("[]")),
                ("labels", ValueRef::Json(&labels)),
                ("priority", "INFO".into()),
                ("source", "kubernetes_api_server".into()),
                ("subject_name", "checkout-1".into()),
                ("subject_owner", "checkout".into()),
                ("subject_namespace", "web".into()),
                ("starts_at", at),
            ],
        );
    }
    let told = claims(&analysed(&service, &reader(), false));
    assert!(told.iter().any(|claim| claim.contains("BackOff: Pod checkout-1")), "{told:?}");
    assert!(!told.iter().any(|claim| claim.contains("Started")), "{told:?}");
}

/// An alert from another system about a pod of the shop, which names the cluster.
fn alert_elsewhere(service: &TestService) {
    service.add(
        "events",
        &[
            ("id", ALERT.into()),
            ("cloud_account_id", LAB.into()),
            ("title", "Pod ends again and again".into()),
            ("finding_id", "alert".into()),
            ("finding_type", "issue".into()),
            ("aggregation_key", "KubePodCrashLooping".into()),
            ("cluster", "shop".into()),
            ("evidences", ValueRef::Json("[]")),
            ("priority", "HIGH".into()),
            ("source", "prometheus".into()),
            ("subject_name", "checkout-5c9d8f7b6-x2x4p".into()),
            ("subject_namespace", "web".into()),
            ("starts_at", ValueRef::Timestamp(parse_timestamp("2026-11-20T11:02:00").unwrap())),
        ],
    );
    let at = |text: &str| ValueRef::Timestamp(parse_timestamp(text).unwrap());
    service.add(
        "k8s_pods",
        &[
            ("cloud_account_id", SHOP.into()),
            ("cloud_resource_id", Uuid::from_u128(0xB01).into()),
            ("external_id", "uid-1".into()),
            ("is_active", true.into()),
            ("last_seen", at("2026-11-20T11:30:00")),
            ("name", "checkout-5c9d8f7b6-x2x4p".into()),
            ("namespace", "web".into()),
            ("status", "Running".into()),
            ("workload_name", "checkout".into()),
        ],
    );
    service.add(
        "k8s_changes",
        &[
            ("cloud_account_id", SHOP.into()),
            ("cloud_resource_id", Uuid::from_u128(0xB02).into()),
            ("import_id", Uuid::from_u128(0xB03).into()),
            ("change", "Changed".into()),
            ("kind", "Deployment".into()),
            ("namespace", "web".into()),
            ("name", "checkout".into()),
            ("observed_at", at("2026-11-20T11:30:00")),
            ("previous_at", at("2026-11-19T11:30:00")),
            ("fields", ValueRef::Json(r#"[{"path":"spec.template.spec.containers.checkout.image"}]"#)),
            ("field_count", ValueRef::Int(2)),
        ],
    );
}

#[test]
fn an_alert_of_another_system_leads_to_what_was_changed_in_the_cluster_it_names() {
    let service = service();
    alert_elsewhere(&service);
    let query =
        format!("{{ ai_get_rca(account_id: \"{LAB}\", event_id: \"{ALERT}\", generate: false) {{ data }} }}");
    let answer = service.ask(&admin(), &query);
    assert!(answer["errors"].is_null(), "{answer:#}");
    let told = claims(&answer);
    let image = "Deployment checkout changed: containers.checkout.image and 1 more";
    assert_eq!(told.first().map(String::as_str), Some("Release of checkout 1.8.2 8 min before"), "{told:?}");
    assert!(told.iter().any(|claim| claim == image), "{told:?}");
    // A caller who may not read the cluster sees nothing of it.
    let places = CallerAccounts { accounts: vec![LAB], namespaces: Vec::new() };
    let of_lab = Caller::user(ADA, TENANT, vec![Role::AccountAdminReadonly])
        .with_accounts(places, CallerAccounts::default());
    assert_eq!(claims(&service.ask(&of_lab, &query)), [""; 0]);
}

#[test]
fn costs_that_another_row_counts_are_no_rise() {
    let service = service();
    for day in 5..=20 {
        let date = format!("2026-11-{day:02}T00:00:00");
        let charge = |amount: i64, is_left_out: bool| {
            service.add(
                "spends",
                &[
                    ("cloud_account", SHOP.into()),
                    ("date", ValueRef::Timestamp(parse_timestamp(&date).unwrap())),
                    ("amount", ValueRef::Decimal(Decimal::from(amount))),
                    ("unit", "USD".into()),
                    ("exclude_aggregate", is_left_out.into()),
                ],
            );
        };
        charge(100, false);
        if day == 20 {
            charge(90, true);
        }
    }
    let told = claims(&analysed(&service, &reader(), false));
    assert!(told.iter().all(|claim| !claim.starts_with("Spend")), "{told:?}");
}

#[test]
fn who_reads_one_namespace_is_told_nothing_of_another_and_nothing_is_kept_for_all() {
    let service = service();
    let caller = of_namespace();
    assert_eq!(claims(&analysed(&service, &caller, false)), ["Release of checkout 1.8.2 6 min before"]);
    assert_eq!(stored(&service), [""; 0]);
}

#[test]
fn to_write_it_down_a_model_is_needed_and_the_error_names_the_settings() {
    let service = service();
    let caller = admin();
    let answer = analysed(&service, &caller, true);
    assert_eq!(answer["errors"][0]["extensions"]["code"], "not-configured");
    let message = answer["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("LLM_PROVIDER") && message.contains("LLM_MODEL_NAME"), "{message}");
}
