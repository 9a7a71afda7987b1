//! Tests of runs that wait for an event's resolution: notified without frequent polling, across a restart, and with a time limit.

use crate::house::{House, NOW, OTHER, OWN, TENANT};
use crate::workflows::{carry_out, create, on, run_of, trigger};
use catalogue::{Caller, ValueRef};
use operations::runs;
use serde_json::json;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const EVENT: Uuid = Uuid::from_u128(0xe0);

fn write(house: &House, work: impl Fn(&Transaction<'_>) -> Result<(), StoreError>) {
    house.store.transaction(&Caller::system_for(TENANT), |rows| work(rows)).unwrap();
}

/// A firing event of an account.
fn arrives(house: &House, account: Uuid) {
    write(house, |rows| {
        rows.insert(
            "events",
            &[
                ("id", EVENT.into()),
                ("cloud_account_id", account.into()),
                ("aggregation_key", "DiskFull".into()),
                ("cluster", "shop".into()),
                ("evidences", ValueRef::Json("[]")),
                ("finding_id", "disk".into()),
                ("finding_type", "alert".into()),
                ("labels", ValueRef::Json(r#"{"team":"sea"}"#)),
                ("priority", "HIGH".into()),
                ("status", "FIRING".into()),
                ("subject_name", "n1".into()),
                ("title", "The disk is full".into()),
            ],
        )
    });
}

fn set(house: &House, column: &str, value: &str) {
    write(house, |rows| rows.update("events", &[eq("id", EVENT)], &[(column, value.into())]).map(drop));
}

/// A workflow that waits for the event, and its waiting run.
fn begun(house: &House, more: &str) -> (String, String) {
    let task = format!(
        r#"{{ id: "end", type: "events.get", params: {{ event_id: "{EVENT}", until: "resolved" {more} }} }}"#
    );
    let id = create(house, "waits", "PAUSED", r#"{ type: "manual" }"#, &task);
    let run = trigger(house, &id);
    carry_out(&house.store);
    (id, run)
}

#[test]
fn a_run_goes_on_when_its_event_is_over_whoever_says_so() {
    for (column, value) in [("status", "RESOLVED"), ("status", "CLOSED"), ("nb_status", "RESOLVED")] {
        let house = on();
        arrives(&house, OWN);
        let (id, run) = begun(&house, "");
        assert_eq!(run_of(&house, &id, &run)["tasks"][0]["status"], "STARTED");
        assert_eq!(runs::next_run(&house.store).unwrap(), Some(NOW + HOUR), "nobody asks again and again");
        set(&house, "title", "The disk is still full");
        set(&house, "nb_status", "ACKNOWLEDGED");
        carry_out(&house.store);
        assert_eq!(run_of(&house, &id, &run)["status"], "RUNNING");
        let house = house.opened_again();
        set(&house, column, value);
        assert_eq!(runs::next_run(&house.store).unwrap(), Some(NOW), "it is told");
        carry_out(&house.store);
        let seen = run_of(&house, &id, &run);
        assert_eq!(seen["status"], "COMPLETED", "{seen}");
        let event = &seen["tasks"][0]["output"];
        assert_eq!((&event["is_resolved"], &event[column]), (&json!(true), &json!(value)));
        assert_eq!(
            (&event["title"], &event["labels"]["team"]),
            (&json!("The disk is still full"), &json!("sea"))
        );
        set(&house, "status", "CLOSED");
        assert_eq!(runs::next_run(&house.store).unwrap(), None, "nothing waits any more");
    }
}

#[test]
fn a_run_does_not_wait_for_what_is_over_gone_or_of_another_account() {
    let house = on();
    arrives(&house, OWN);
    let (id, run) = begun(&house, r#", timeout: "90m""#);
    let later = |minutes: i64| match minutes {
        60 => house.store.clone().with_clock(|| NOW + HOUR),
        _ => house.store.clone().with_clock(|| NOW + HOUR + HOUR / 2),
    };
    carry_out(&later(60));
    assert_eq!(runs::next_run(&house.store).unwrap(), Some(NOW + HOUR + HOUR / 2), "the time it has");
    carry_out(&later(90));
    let seen = run_of(&house, &id, &run);
    assert_eq!((&seen["status"], &seen["tasks"][0]["status"]), (&json!("TIMED_OUT"), &json!("TIMED_OUT")));

    let house = on();
    arrives(&house, OWN);
    let (id, run) = begun(&house, "");
    write(&house, |rows| rows.delete("events", &[eq("id", EVENT)]).map(drop));
    carry_out(&house.store.clone().with_clock(|| NOW + HOUR));
    let seen = run_of(&house, &id, &run);
    assert!(seen["error"].as_str().unwrap().contains("there is no event"), "{seen}");

    let house = on();
    arrives(&house, OTHER);
    let (id, run) = begun(&house, "");
    let seen = run_of(&house, &id, &run);
    assert!(seen["error"].as_str().unwrap().contains("of this account"), "{seen}");

    let house = on();
    arrives(&house, OWN);
    set(&house, "status", "RESOLVED");
    let (id, run) = begun(&house, "");
    assert_eq!(run_of(&house, &id, &run)["status"], "COMPLETED");
}
