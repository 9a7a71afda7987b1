//! Tests of tasks that read imported measurements: only of the run's account, with figures for conditions.

use crate::house::{House, NOW, OTHER, OWN, TENANT};
use crate::workflows::{carry_out, create, on, run_of, trigger};
use catalogue::{Caller, ValueRef};
use serde_json::{Value, json};
use store::StoreError;
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;

/// A machine in each of two accounts, measured three times.
fn measured() -> House {
    let house = on();
    let work = |rows: &store::Transaction<'_>| -> Result<(), StoreError> {
        for (account, name, region) in
            [(OWN, "web-1", "eu-central-1"), (OWN, "web-2", "us-east-1"), (OTHER, "web-3", "eu-central-1")]
        {
            let resource = Uuid::new_v4();
            rows.insert(
                "cloud_resourses",
                &[
                    ("id", resource.into()),
                    ("account", account.into()),
                    ("cloud_provider", "AWS".into()),
                    ("name", name.into()),
                    ("region", region.into()),
                    ("resourse_id", name.into()),
                    ("service_name", "AmazonEC2".into()),
                    ("type", "VM".into()),
                ],
            )?;
            for (at, value) in [(90, 1.0), (30, 20.0), (10, 40.0)] {
                rows.insert(
                    "cloud_resource_metrics",
                    &[
                        ("cloud_account_id", account.into()),
                        ("cloud_resource_id", resource.into()),
                        ("metric", "CPUUtilization".into()),
                        ("metric_type", "average".into()),
                        ("tags", ValueRef::Json(r#"{"unit": "%"}"#)),
                        ("timestamp", ValueRef::Timestamp(NOW - at * MINUTE)),
                        ("value", ValueRef::Float(value)),
                    ],
                )?;
            }
        }
        Ok(())
    };
    house.store.transaction(&Caller::system_for(TENANT), work).unwrap();
    house
}

fn ran(params: &str) -> Value {
    let house = measured();
    let tasks = format!(
        r#"{{ id: "cpu", type: "observability.metrics", params: {{ {params} }} }}
           {{ id: "say", type: "core.print", params: {{ message: "{{{{ Tasks.cpu.output.figures.cpu.average }}}}" }}, depends_on: ["cpu"] }}"#
    );
    let id = create(&house, "busy", "PAUSED", r#"{ type: "manual" }"#, &tasks);
    let run = trigger(&house, &id);
    carry_out(&house.store);
    run_of(&house, &id, &run)
}

#[test]
fn a_task_reads_what_was_imported_of_its_account() {
    let run = ran(r#"queries: { cpu: "CPUUtilization{region=\"eu-central-1\"}" }"#);
    assert_eq!(run["status"], "COMPLETED", "{run}");
    let output = &run["tasks"][0]["output"];
    let labels = json!({ "metric": "CPUUtilization", "name": "web-1", "region": "eu-central-1", "resource": "web-1",
        "service": "AmazonEC2", "type": "VM", "unit": "%" });
    let points = json!([
        { "time": "2026-10-31T23:30:00Z", "value": 20.0 },
        { "time": "2026-10-31T23:50:00Z", "value": 40.0 },
    ]);
    assert_eq!(output["metrics"], json!([{ "label": "cpu", "metric": labels, "points": points }]));
    let figures = json!({ "series": 1, "points": 2, "minimum": 20.0, "maximum": 40.0, "average": 30.0, "latest": 40.0 });
    assert_eq!(output["figures"]["cpu"], figures);
    assert_eq!(run["tasks"][1]["output"]["data"], "30.0");
}

#[test]
fn a_longer_time_brings_more_and_an_unknown_metric_nothing() {
    let run = ran(r#"queries: { cpu: "CPUUtilization", none: "Unheard" }, start_time: "2h""#);
    let figures = &run["tasks"][0]["output"]["figures"];
    assert_eq!((&figures["cpu"]["series"], &figures["cpu"]["points"]), (&json!(2), &json!(6)), "{run}");
    assert_eq!((&figures["none"]["series"], &figures["none"]["average"]), (&json!(0), &Value::Null));
}

#[test]
fn what_cannot_be_read_says_what_to_write() {
    for (params, expected) in [
        (r#"queries: { cpu: "avg(CPUUtilization)" }"#, "functions need a Prometheus"),
        (r#"queries: { cpu: "CPUUtilization{region" }"#, "queries.cpu:"),
        (r#"queries: { cpu: "CPUUtilization" }, start_time: "soon""#, "start_time is \"soon\""),
    ] {
        let run = ran(params);
        let error = run["tasks"][0]["error"].as_str().unwrap_or_default();
        assert!(run["status"] == "FAILED" && error.contains(expected), "{run}");
    }
}
