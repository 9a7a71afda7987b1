//! Tests of rightsizing workloads by imported measurements: reported, stored, and applied continuously.

use super::{MANUAL, carry_out, claimed, create, on, run_of, step, trigger};
use crate::house::{House, NOW, OWN, TENANT};
use catalogue::{Caller, ValueRef};
use operations::runs::RunWork;
use serde_json::{Value, json};
use store::{StoreError, Transaction};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const MIB: f64 = 1_048_576.0;

/// A Deployment with one container that requests a core and 1 GiB, and its pod.
fn deployment(rows: &Transaction<'_>, name: &str) -> Result<(), StoreError> {
    let meta = json!({ "containers": [{ "name": "app", "requests": { "cpu": 1.0, "memory": 1024.0 } }] })
        .to_string();
    let resource = Uuid::new_v4();
    rows.insert(
        "cloud_resourses",
        &[
            ("id", resource.into()),
            ("account", OWN.into()),
            ("cloud_provider", "K8s".into()),
            ("name", name.into()),
            ("region", "".into()),
            ("resourse_id", format!("shop/Deployment/{name}").as_str().into()),
            ("type", "Deployment".into()),
        ],
    )?;
    rows.insert(
        "k8s_workloads",
        &[
            ("tenant_id", TENANT.into()),
            ("cloud_account_id", OWN.into()),
            ("cloud_resource_id", resource.into()),
            ("external_id", name.into()),
            ("is_active", true.into()),
            ("kind", "Deployment".into()),
            ("labels", ValueRef::Json("{}")),
            ("last_seen", ValueRef::Timestamp(NOW)),
            ("meta", ValueRef::Json(&meta)),
            ("name", name.into()),
            ("namespace", "shop".into()),
            ("ready_pods", 1_i64.into()),
            ("total_pods", 1_i64.into()),
        ],
    )?;
    let pod = format!("{name}-abc-1");
    rows.insert(
        "k8s_pods",
        &[
            ("tenant_id", TENANT.into()),
            ("cloud_account_id", OWN.into()),
            ("cloud_resource_id", Uuid::new_v4().into()),
            ("external_id", pod.as_str().into()),
            ("is_active", true.into()),
            ("last_seen", ValueRef::Timestamp(NOW)),
            ("meta", ValueRef::Json(&meta)),
            ("name", pod.as_str().into()),
            ("namespace", "shop".into()),
            ("status", "Running".into()),
            ("workload_name", name.into()),
            ("workload_type", "Deployment".into()),
        ],
    )
}

/// That many hours of measurements of the pod's container: 0.1 to 0.2 cores, and 200 MiB.
fn measure(rows: &Transaction<'_>, name: &str, hours: i64) -> Result<(), StoreError> {
    let resource = Uuid::new_v4();
    let place = format!("shop/Pod/{name}-abc-1/app");
    rows.insert(
        "cloud_resourses",
        &[
            ("id", resource.into()),
            ("account", OWN.into()),
            ("cloud_provider", "K8s".into()),
            ("name", format!("{name}-abc-1").as_str().into()),
            ("region", "".into()),
            ("resourse_id", place.as_str().into()),
            ("service_name", "Kubernetes".into()),
            ("type", "Pod".into()),
        ],
    )?;
    for hour in 1..=hours {
        let cores = if hour % 10 == 0 { 0.2 } else { 0.1 };
        for (metric, value) in [("cpuCoreUsageAverage", cores), ("ramByteUsageAverage", 200.0 * MIB)] {
            rows.insert(
                "cloud_resource_metrics",
                &[
                    ("cloud_account_id", OWN.into()),
                    ("cloud_resource_id", resource.into()),
                    ("metric", metric.into()),
                    ("metric_type", "average".into()),
                    ("tags", ValueRef::Json("{}")),
                    ("timestamp", ValueRef::Timestamp(NOW - hour * HOUR)),
                    ("value", ValueRef::Float(value)),
                ],
            )?;
        }
    }
    Ok(())
}

/// A workload with enough measurements, one with few, and one without any.
fn cluster() -> House {
    let house = on();
    let fill = |rows: &Transaction<'_>| -> Result<(), StoreError> {
        for name in ["web", "young", "dark"] {
            deployment(rows, name)?;
        }
        measure(rows, "web", 150)?;
        measure(rows, "young", 20)
    };
    house.store.transaction(&Caller::system_for(TENANT), fill).unwrap();
    house
}

fn ran(house: &House, task: &str) -> Value {
    let name = format!("fits {}", &Uuid::new_v4().to_string()[..8]);
    let id = create(house, &name, "PAUSED", MANUAL, task);
    let run = trigger(house, &id);
    carry_out(&house.store);
    run_of(house, &id, &run)
}

fn generate(params: &str) -> String {
    format!(
        r#"{{ id: "fit", type: "system.vertical_rightsize_generate", params: {{ namespace: "shop" {params} }} }}"#
    )
}

fn kept(house: &House) -> Vec<Value> {
    let found = house.answers("{ recommendation { id account_object_id rule_name status } }");
    found["recommendation"].as_array().unwrap().clone()
}

#[test]
fn requests_are_set_beside_what_was_used_and_kept_only_when_that_is_asked_for() {
    let house = cluster();
    let told = ran(&house, &generate(""));
    let output = &told["tasks"][0]["output"];
    assert_eq!(told["status"], "COMPLETED", "{told}");
    assert_eq!(
        (&output["status"], &output["database_stored"], &output["recommendations_count"]),
        (&json!("success"), &json!(false), &json!(1))
    );
    let first = &output["recommendations"][0];
    assert_eq!(
        (&first["rule_name"], &first["account_object_id"]),
        (&json!("k8s_requests_above_use"), &json!("shop/Deployment/web"))
    );
    // The 95th percentile of CPU; maximum memory plus 15%.
    assert_eq!(
        first["recommendation"]["recommended"]["requests"],
        json!({ "cpu": "200m", "memory": "230Mi" })
    );
    assert_eq!(output["measured"], json!(["shop/Deployment/web", "shop/Deployment/young"]));
    assert_eq!(output["too_few_measurements"], json!(["shop/Deployment/young"]));
    assert_eq!(output["unmeasured"], json!(["shop/Deployment/dark"]));
    assert_eq!(
        output["message"],
        "1 workloads have no measurements, and 1 fewer than 100 over 3 hours, which lowering requests needs."
    );
    assert!(first["id"].is_null() && kept(&house).is_empty(), "nothing is kept");

    let told = ran(&house, &generate(r#", workload_names: ["web"], persist_recommendation: true"#));
    let output = &told["tasks"][0]["output"];
    assert_eq!((&output["database_stored"], &output["message"]), (&json!(true), &Value::Null), "{told}");
    let rows = kept(&house);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["id"], output["recommendations"][0]["id"]);
    assert_eq!(rows[0]["status"], "Open");
    // A repetition changes nothing.
    ran(&house, &generate(", persist_recommendation: true"));
    assert_eq!(kept(&house), rows);
}

#[test]
fn what_keeps_requests_from_being_found_is_told() {
    let house = cluster();
    for (params, reason) in [
        (
            r#", workload_names: "dark""#,
            "nothing was measured of the 1 workloads looked at in shop: import what their containers used",
        ),
        (
            r#", workload_names: ["gone"]"#,
            "no dump of this cluster lists a workload gone in the namespace shop",
        ),
    ] {
        let told = ran(&house, &generate(params));
        assert_eq!(told["status"], "FAILED", "{told}");
        assert!(told["error"].as_str().unwrap().contains(reason), "{told}");
    }
    let elsewhere =
        r#"{ id: "fit", type: "system.vertical_rightsize_generate", params: { namespace: "other" } }"#;
    let told = ran(&house, elsewhere);
    assert!(told["error"].as_str().unwrap().contains("lists workloads in the namespace other"), "{told}");
}

#[test]
fn a_dry_run_says_what_would_be_looked_at_and_keeps_nothing() {
    let house = cluster();
    let dry = house.answers(&format!(
        r#"mutation {{ workflow_trigger_dryrun(request: {{ account_id: "{OWN}", definition: {{ triggers: [{MANUAL}] tasks: [{}] }} }}) {{ status output }} }}"#,
        generate(r#", workload_names: ["web"], persist_recommendation: true"#)
    ));
    let dry = &dry["workflow_trigger_dryrun"];
    assert_eq!(dry["status"], "COMPLETED", "{dry}");
    assert_eq!(
        dry["output"]["would"]["fit"],
        "Compare what web in shop request with what they used, and keep recommendations"
    );
    assert!(kept(&house).is_empty());
}

#[test]
fn requests_follow_imported_measurements_where_no_prometheus_is_named() {
    let house = cluster();
    let task = |name: &str, more: &str| {
        format!(
            r#"{{ id: "fit", type: "k8s.continuous_rightsize", params: {{ namespace: "shop", kind: "Deployment", name: "{name}", cpu: {{ algorithm: "P90", buffer_pct: 10 }},
              memory: {{ algorithm: "max" }}, recommend_only: true {more} }} }}"#
        )
    };
    let id = create(&house, "follows", "PAUSED", MANUAL, &task("web", ""));
    let run = trigger(&house, &id);
    let next = step(&house.store, claimed(&house.store), Vec::new(), &[]);
    let program = match next.calls[0].work.as_ref().unwrap() {
        RunWork::Program(program) => program,
        other => panic!("no program: {other:?}"),
    };
    assert_eq!(program.calls, [["--namespace", "shop", "get", "deployment/web", "--output", "json"]]);
    let live = json!({ "spec": { "template": { "spec": { "containers": [
        { "name": "app", "resources": { "requests": { "cpu": "1", "memory": "1Gi" } } }] } } } });
    let (patched, _) = program.then.as_ref().unwrap().call(&live.to_string(), 1).unwrap();
    assert_eq!(
        patched.patch["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"],
        json!({ "cpu": "110m", "memory": "230Mi" })
    );
    let seen = run_of(&house, &id, &run);
    let inside = seen["tasks"][0]["children"].as_array().unwrap();
    let usage = &inside.iter().find(|task| task["id"] == "usage").unwrap()["output"];
    assert_eq!(
        (&usage["cpu"], &usage["memory"], &usage["measurements"], &usage["container"]),
        (&json!(0.1), &json!(209_715_200), &json!(150), &json!("app")),
        "{seen}"
    );

    for (name, more, reason) in [
        (
            "young",
            "",
            "shop/Deployment/young has 20 measurements over 19 hours, and 100 over 3 hours are needed",
        ),
        ("dark", "", "nothing was measured of shop/Deployment/dark in the last 336 hours"),
        ("web", ", container: \"side\"", "nothing was measured of side of shop/Deployment/web, but of app"),
        ("web", ", analysis_duration_hour: 24", "over 23 hours, and 100 over 3 hours are needed"),
    ] {
        let told = ran(&house, &task(name, more));
        assert_eq!(told["status"], "FAILED", "{told}");
        assert!(told["error"].as_str().unwrap().contains(reason), "{told}");
    }
}
