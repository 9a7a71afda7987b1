//! Tests that the audit trail records the trigger and the person of a run, for triggered and for manual runs.

use super::{MANUAL, create, on, trigger};
use crate::house::{House, NOW, OWN, PERSON, TENANT};
use catalogue::{Caller, ValueRef};
use operations::runs::{self, Delivery};
use serde_json::{Value, json};
use store::StoreError;
use uuid::Uuid;

const SAYS: &str = r#"{ id: "say", type: "core.print", params: { message: "x" } }"#;

/// Operation, person and key of the entries about runs.
fn lines(house: &House) -> Vec<(String, Option<Uuid>, Value)> {
    let found = house.store.snapshot::<_, StoreError>(&Caller::system_for(TENANT), |rows| {
        rows.select("audit_trail", &["table_name", "operation", "user_id", "after"], &[])
    });
    let of_runs = found.unwrap().into_iter().filter(|row| row[0].as_text() == Some("workflow_execution"));
    of_runs
        .map(|row| {
            let after: Value = serde_json::from_str(row[3].as_text().unwrap_or("{}")).unwrap_or_default();
            let text = row[1].as_text().unwrap_or_default().to_owned();
            (text, row[2].as_uuid(), after["idempotency_key"].clone())
        })
        .collect()
}

#[test]
fn a_run_of_a_schedule_and_of_a_webhook_is_written_down_once_each() {
    let house = on();
    let schedule = r#"{ type: "schedule", params: { cron: "0 * * * *" } }"#;
    create(&house, "nightly", "ACTIVE", schedule, SAYS);
    runs::start_due(&house.store).unwrap();
    assert_eq!(lines(&house), [], "it has no run yet");
    runs::start_due(&house.store.clone().with_clock(|| NOW + 3_600_000_000)).unwrap();
    let due = format!("schedule:{}", NOW + 3_600_000_000);
    assert_eq!(lines(&house), [("workflow_trigger_schedule".to_owned(), Some(PERSON), json!(due))]);

    let webhook = r#"{ type: "webhook", params: { integration_name: "ci", secret: "open-sesame" } }"#;
    let id = create(&house, "hook", "ACTIVE", webhook, SAYS);
    let workflow: Uuid = id.parse().unwrap();
    let delivery = Delivery { workflow, secret: Some("open-sesame"), body: json!({}), key: Some("1") };
    runs::deliver(&house.store, &delivery).unwrap().unwrap();
    assert_eq!(runs::deliver(&house.store, &delivery).unwrap(), None, "once");
    let found = lines(&house);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found.contains(&("workflow_trigger_webhook".to_owned(), Some(PERSON), json!("webhook:1"))),
        "{found:?}"
    );
}

#[test]
fn a_run_of_an_event_is_written_down_once() {
    let house = on();
    let event = r#"{ type: "event", params: { filter: "{{ event.priority == 'HIGH' }}" } }"#;
    create(&house, "on events", "ACTIVE", event, SAYS);
    let id = Uuid::from_u128(0xe7);
    let row = [
        ("id", id.into()),
        ("cloud_account_id", OWN.into()),
        ("aggregation_key", "OOMKilled".into()),
        ("cluster", "c".into()),
        ("evidences", ValueRef::Json("[]")),
        ("finding_id", "f".into()),
        ("finding_type", "issue".into()),
        ("priority", "HIGH".into()),
        ("subject_name", "web".into()),
        ("title", "out of memory".into()),
        ("starts_at", ValueRef::Timestamp(NOW)),
    ];
    for _ in 0..2 {
        let written = house.store.transaction::<_, StoreError>(&Caller::system_for(TENANT), |rows| {
            rows.upsert("events", &["id"], &row, &[])
        });
        written.unwrap();
    }
    let key = json!(format!("event:{id}"));
    assert_eq!(lines(&house), [("workflow_trigger_event".to_owned(), Some(PERSON), key)]);
}

#[test]
fn a_run_of_an_import_is_written_down_once() {
    let house = on();
    create(&house, "on imports", "ACTIVE", r#"{ type: "import", params: { formats: ["focus"] } }"#, SAYS);
    let id = Uuid::from_u128(0x17);
    for state in ["running", "done", "done"] {
        let row = [
            ("id", id.into()),
            ("file_name", "bill.csv".into()),
            ("size_bytes", 7_i64.into()),
            ("sha256", "ab".into()),
            ("format", "focus".into()),
            ("state", state.into()),
        ];
        let written = house.store.transaction::<_, StoreError>(&Caller::system_for(TENANT), |rows| {
            rows.upsert("imports", &["id"], &row, &[])
        });
        written.unwrap();
    }
    let key = json!(format!("import:{id}:done"));
    assert_eq!(lines(&house), [("workflow_trigger_import".to_owned(), Some(PERSON), key)]);
}

#[test]
fn a_run_that_a_person_begins_is_written_down_as_theirs() {
    let house = on();
    let id = create(&house, "by hand", "PAUSED", MANUAL, SAYS);
    trigger(&house, &id);
    assert_eq!(lines(&house), [("workflow_trigger".to_owned(), Some(PERSON), Value::Null)]);
}
