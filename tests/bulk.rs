//! Tests a change of very many events in the background: it survives a kill of the service.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::client::Client;
use crate::support::exact::at;
use crate::support::programs::run;
use crate::support::service::Service;

/// More than one step changes; twelve steps.
const EVENTS: u32 = 6_000;

const ACCOUNT: &str = "a0000000-0000-4000-8000-000000000001";

/// Loads events with the same content, in one account.
fn load(data_dir: &Path, person: &str) {
    let files = tempfile::tempdir().unwrap();
    let account = json!({
        "id": ACCOUNT, "account_name": "harbour", "account_type": "cluster", "created_by": person, "updated_by": person,
    });
    let mut events = String::new();
    for number in 0..EVENTS {
        let event = json!({
            "id": format!("e0000000-0000-4000-8000-{number:012}"), "cloud_account_id": ACCOUNT, "aggregation_key": "CrashLoop",
            "cluster": "harbour", "evidences": [], "finding_id": format!("f-{number}"), "finding_type": "issue",
            "fingerprint": "fp-crane", "labels": {}, "priority": "HIGH", "severity": "HIGH", "source": "prometheus",
            "starts_at": "2026-10-01T08:00:00", "created_at": "2026-10-01T08:01:00", "updated_at": "2026-10-01T08:01:00",
            "status": "FIRING", "subject_name": "crane", "subject_namespace": "docks", "subject_owner": "crane",
            "subject_type": "pod", "service_key": "crane", "title": "Crane restarts",
        });
        writeln!(events, "{event}").unwrap();
    }
    for (table, text) in [("cloud_accounts", account.to_string()), ("events", events)] {
        let file = files.path().join(format!("{table}.ndjson"));
        std::fs::write(&file, text).unwrap();
        run(data_dir, &["table", "load", table, file.to_str().unwrap()]).succeeded();
    }
}

/// The progress of the change: its status, and the number of changed events.
async fn standing(client: &Client, job: &str) -> (String, u64) {
    let asked =
        format!("mutation {{ event_bulk_operation_status(job_id: {job}) {{ status processed_events }} }}");
    let answer: Value =
        serde_json::from_str(at(&client.data(&asked).await, &["event_bulk_operation_status"])).unwrap();
    (answer["status"].as_str().unwrap().to_owned(), answer["processed_events"].as_u64().unwrap())
}

#[tokio::test]
async fn a_change_of_very_many_events_goes_on_after_the_service_was_killed_in_the_middle() {
    let service = Service::start();
    let ada = service.client().await;
    let people = ada.data("{ users(where: {username: {_eq: \"ada@example.com\"}}) { id } }").await;
    load(service.data_dir(), at(&people, &["users", "0", "id"]).trim_matches('"'));
    let begun = ada
        .data(
            "mutation { event_classify(event_id: \"e0000000-0000-4000-8000-000000000000\", classification: \"false_positive\", \
             reason_code: \"known_noise\", reason_text: \"cranes always restart\", apply_scope: \"this_fingerprint\", \
             apply_to_existing: true, confirmed: true) { bulk_operation { job_id status events_to_update } } }",
        )
        .await;
    let begun: Value = serde_json::from_str(at(&begun, &["event_classify", "bulk_operation"])).unwrap();
    assert_eq!(begun["status"], "queued", "{begun}");
    let job = begun["job_id"].to_string();

    let until = Instant::now() + Duration::from_mins(2);
    let (mut state, mut done) = standing(&ada, &job).await;
    while done == 0 {
        assert!(Instant::now() < until, "the change has not begun: {state}");
        (state, done) = standing(&ada, &job).await;
    }
    let service = Service::start_on(service.kill());
    let ben = service.client_of("ben@example.com", "tenant_admin").await;
    let (mut state, mut after) = standing(&ben, &job).await;
    assert!(after >= done, "what was written down as done stays done");
    while state != "completed" {
        assert!(Instant::now() < until && state != "failed", "the change stands at {state}, {after} events");
        tokio::time::sleep(Duration::from_millis(20)).await;
        (state, after) = standing(&ben, &job).await;
    }
    assert_eq!(after, begun["events_to_update"].as_u64().unwrap(), "each is counted once");
    let open =
        ben.data("{ events_aggregate(where: {nb_status: {_eq: \"OPEN\"}}) { aggregate { count } } }").await;
    assert_eq!(at(&open, &["events_aggregate", "aggregate", "count"]), "0");
}
