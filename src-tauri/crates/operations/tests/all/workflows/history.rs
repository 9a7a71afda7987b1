//! Tests that runs are retained for the configured number of days after their end, and no longer.

use super::{MANUAL, carry_out, create, on, run_of, statuses, trigger};
use crate::house::{House, NOW, OWN, TENANT};
use catalogue::{Caller, ValueRef};
use operations::NoModels;
use operations::runs::{self, AutomationSettings};
use store::{StoreError, eq};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
const SAYS: &str = r#"{ id: "say", type: "core.print", params: { message: "x" } }"#;
const ASKS: &str = r#"{ id: "ok", type: "core.approval", params: { message: "Go?" } }"#;

fn keep(house: &House, days: u32) {
    let power = AutomationSettings { is_on: true, history_days: days, ..Default::default() };
    runs::store_automation_settings(&house.store, &power).unwrap();
}

/// A run that ended that many days ago.
fn ended(house: &House, workflow: &str, days: i64, status: &str) -> String {
    let run = trigger(house, workflow);
    carry_out(&house.store);
    let id: Uuid = run.parse().unwrap();
    let time = ValueRef::Timestamp(NOW - days * DAY);
    let set = [("status", status.into()), ("start_time", time), ("close_time", time)];
    let written = house.store.transaction::<_, StoreError>(&Caller::system(), |rows| {
        rows.update("workflow_execution", &[eq("id", id)], &set)
    });
    assert_eq!(written.unwrap(), 1);
    run
}

fn left(house: &House, table: &str) -> u64 {
    house.store.snapshot::<_, StoreError>(&Caller::system_for(TENANT), |rows| rows.count(table, &[])).unwrap()
}

#[test]
fn a_key_is_known_as_long_as_the_run_it_began_is_kept() {
    let house = on();
    let webhook = r#"{ type: "webhook", params: { integration_name: "desk", secret: "word" } }"#;
    let id = create(&house, "called", "ACTIVE", webhook, SAYS);
    let workflow: Uuid = id.parse().unwrap();
    let deliver = |key: &str| {
        let body = serde_json::Value::Null;
        let delivery = runs::Delivery { workflow, secret: Some("word"), body, key: Some(key) };
        let run = runs::deliver(&house.store, &delivery).unwrap();
        carry_out(&house.store);
        run
    };
    let ended = |run: Uuid, days: i64| {
        let time = ValueRef::Timestamp(NOW - days * DAY);
        let written = house.store.transaction::<_, StoreError>(&Caller::system(), |rows| {
            rows.update("workflow_execution", &[eq("id", run)], &[("start_time", time), ("close_time", time)])
        });
        assert_eq!(written.unwrap(), 1);
    };
    keep(&house, 90);
    let (old, young) = (deliver("old").unwrap(), deliver("young").unwrap());
    ended(old, 91);
    ended(young, 89);
    assert_eq!(deliver("old"), None, "its run is there until the history is swept");
    operations::run_background_step(&house.store, &NoModels).unwrap();
    assert_eq!(deliver("young"), None, "a redelivery starts nothing");
    let again = deliver("old");
    assert!(again.is_some_and(|run| run != old), "with the run the key is gone: {again:?}");
    assert_eq!(deliver("old"), None);
}

#[test]
fn runs_that_ended_long_ago_go_with_their_journal_and_no_other() {
    let house = on();
    let id = create(&house, "nightly", "PAUSED", MANUAL, SAYS);
    let waits = create(&house, "waits", "PAUSED", MANUAL, ASKS);
    let success = ended(&house, &id, 200, "COMPLETED");
    for days in [300, 91, 90] {
        ended(&house, &id, days, "FAILED");
    }
    ended(&house, &id, 250, "COMPLETED");
    let young = ended(&house, &id, 89, "FAILED");
    let open = trigger(&house, &waits);
    carry_out(&house.store);

    keep(&house, 0);
    assert_eq!(operations::run_background_step(&house.store, &NoModels).unwrap(), None);
    assert_eq!(left(&house, "workflow_execution"), 7, "0 keeps them for ever");

    keep(&house, 90);
    let next = operations::run_background_step(&house.store, &NoModels).unwrap();
    assert_eq!(next, Some(NOW + DAY), "when the youngest has ended for 90 days");
    assert_eq!(statuses(&house, &id).len(), 2);
    assert_eq!(run_of(&house, &id, &success)["status"], "COMPLETED", "the last success stays");
    assert_eq!(run_of(&house, &id, &young)["status"], "FAILED");
    assert_eq!(run_of(&house, &waits, &open)["status"], "RUNNING", "what waits is not over");
    assert_eq!((left(&house, "workflow_execution_task"), left(&house, "workflow_wait")), (3, 1));
    let status = house.answers("{ automation_get_status { history_days } }");
    assert_eq!(status["automation_get_status"]["history_days"], 90, "{OWN}");
}
