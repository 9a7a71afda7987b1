//! The audit trail says of a run that a trigger began what began it and for whom, as it does of one that a person began.

use super::{MANUAL, create, on, trigger};
use crate::house::{House, NOW, PERSON, TENANT};
use catalogue::Caller;
use operations::runs::{self, Delivery};
use serde_json::{Value, json};
use store::StoreError;
use uuid::Uuid;

const SAYS: &str = r#"{ id: "say", type: "core.print", params: { message: "x" } }"#;

/// Operation, person and key of the lines about runs.
fn lines(house: &House) -> Vec<(String, Option<Uuid>, Value)> {
    let found = house.store.snapshot::<_, StoreError>(&Caller::house_for(TENANT), |rows| {
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
fn a_run_that_a_person_begins_is_written_down_as_theirs() {
    let house = on();
    let id = create(&house, "by hand", "PAUSED", MANUAL, SAYS);
    trigger(&house, &id);
    assert_eq!(lines(&house), [("workflow_trigger".to_owned(), Some(PERSON), Value::Null)]);
}
