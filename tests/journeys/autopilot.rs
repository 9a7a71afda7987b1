//! Automation: auto-pilots and playbooks on one page are run and paused, and show why they do not run.

use crate::support::browser::Chromium;
use crate::support::programs;
use crate::support::service::Service;
use serde_json::{Value, json};
use std::path::Path;

const ACCOUNT: &str = "00000000-0000-0000-0000-0000000000a1";

/// Loads an account with workloads and rightsizing recommendations.
fn given(service: &Service) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        ("users", "fixtures/people.ndjson"),
        ("cloud_accounts", "fixtures/accounts.ndjson"),
        ("cloud_resourses", "cases/automation_written/resources.ndjson"),
        ("k8s_workloads", "cases/automation_written/workloads.ndjson"),
        ("recommendation", "cases/automation_written/recommendations.ndjson"),
    ];
    programs::load(service.data_dir(), None, cases, &files);
}

#[tokio::test]
async fn auto_pilots_and_playbooks_are_run_and_paused_and_say_why_they_do_not_run() {
    let service = Service::start_with(&[("QUARTERDECK_AUTOMATION", "on")]);
    given(&service);
    let client = service.client().await;
    let add = async |query: &str, object: Value| {
        let answer = client.ask(query, &json!({ "object": object })).await.json();
        assert!(answer["errors"].is_null(), "{answer}");
    };
    let pilot =
        "mutation($object: auto_optimize_insert_one!) { auto_optimize_insert_one(arg1: $object) { id } }";
    for (category, is_dry) in [("vertical_rightsize", true), ("horizontal_rightsize", false)] {
        let object = json!({ "account_id": ACCOUNT, "category": category, "dryrun": is_dry, "notification": {},
            "resource_filter": [{ "namespace": "shop", "type": "Deployment", "name": "" }],
            "schedule": { "frequency": "CRON_TZ=Europe/Berlin 0 5 * * *" } });
        add(pilot, object).await;
    }
    let playbook =
        "mutation($object: auto_runbook_insert_one!) { auto_runbook_insert_one(arg1: $object) { id } }";
    let object = json!({ "account_id": ACCOUNT, "name": "Collect evidence", "dryrun": false, "notification": {},
        "resource_filter": [{ "namespace": "", "type": "", "name": "" }], "trigger": { "type": "event", "event_type": "oom" },
        "tasks": [{ "type": "core.print", "config": { "message": "hello" } }] });
    add(playbook, object).await;

    let chromium = Chromium::start().await;
    let page = &chromium.page;
    page.open(&service.sign_in_link).await;
    page.shows("This computer is ready").await;
    page.open(&format!("{}/automation/autopilot", service.address)).await;
    page.shows("CPU and memory").await;
    page.shows("Every day, 05:00 (Europe/Berlin)").await;
    page.shows("Never ran").await;
    // The one that changes something needs a program that is not allowed.
    page.shows("Does not run").await;
    page.shows("The program kubectl is not allowed").await;
    page.picture("autopilot-1").await;

    page.press("Run CPU and memory of every Deployment in shop").await;
    page.shows("would be taken up; auto_pilot_task says how").await;
    page.shows("Would be applied").await;
    let found =
        client.data(r#"{ auto_pilot(where: { category: { _eq: "vertical_rightsize" } }) { id } }"#).await;
    let id = found.rsplit('"').nth(1).unwrap();
    page.open(&format!("{}/automation/autopilot?pilot={id}", service.address)).await;
    page.shows("Its recommendations").await;
    page.shows("too much memory of shop/Deployment/web").await;
    page.shows("shop / Deployment / *").await;
    page.picture("autopilot-2-one").await;

    page.press_in("Auto-pilot CPU and memory of every Deployment in shop", "Pause").await;
    page.shows("CPU and memory of every Deployment in shop is paused").await;
    let states = client.data("{ auto_pilot(order_by: [{ category: desc }]) { status } }").await;
    assert_eq!(states, r#"{"auto_pilot":[{"status":"Disabled"},{"status":"Active"}]}"#);

    page.open(&format!("{}/automation/autopilot?q=evidence", service.address)).await;
    page.shows("Event: oom").await;
    page.press("Run Collect evidence").await;
    page.shows("the run").await;
    page.shows("Complete").await;
    page.picture("autopilot-3-playbook").await;
    chromium.page.close().await;
}
