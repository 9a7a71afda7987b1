//! Tests of scheduled runs and overlaps: each schedule has its own, and a run that is replaced leaves nothing behind.

use super::{MANUAL, carry_out, create, on, statuses, trigger};
use crate::house::{House, NOW, OWN};
use catalogue::Caller;
use operations::runs;
use serde_json::{Value, json};
use store::{Store, StoreError, eq};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
const ASKS: &str = r#"{ id: "ok", type: "core.approval", params: { message: "Go?" } }"#;
const SAYS: &str = r#"{ id: "say", type: "core.print", params: { message: "{{ zone }}" } }"#;

fn hourly(more: &str) -> String {
    format!(r#"{{ type: "schedule", params: {{ cron: "0 * * * *" {more} }} }}"#)
}

/// Clocks that are that many hours later.
const HOURS: [fn() -> i64; 4] = [|| NOW, || NOW + HOUR, || NOW + 2 * HOUR, || NOW + 3 * HOUR];

fn at(house: &House, hours: usize) -> Store {
    house.store.clone().with_clock(HOURS[hours])
}

/// Starts what is due after that many hours.
fn after(house: &House, hours: usize) {
    runs::start_due(&at(house, hours)).unwrap();
}

fn sorted(house: &House, workflow: &str) -> Vec<String> {
    let mut found = statuses(house, workflow);
    found.sort();
    found
}

fn open_questions(house: &House) -> Value {
    house.answers("{ workflow_count_approvals(request: {}) { count } }")["workflow_count_approvals"]["count"]
        .clone()
}

#[test]
fn what_takes_the_place_of_a_run_leaves_no_question_of_it() {
    for (policy, status) in [("CancelOther", "CANCELED"), ("TerminateOther", "TERMINATED")] {
        let house = on();
        let id = create(&house, "nightly", "ACTIVE", &hourly(&format!("overlap_policy: \"{policy}\"")), ASKS);
        for hours in 0..3 {
            after(&house, hours);
            carry_out(&at(&house, hours));
        }
        let mut expected = [status, "RUNNING"];
        expected.sort_unstable();
        assert_eq!(sorted(&house, &id), expected, "{policy}");
        assert_eq!(open_questions(&house), json!(1), "{policy}");
    }
}

#[test]
fn what_takes_the_place_of_a_run_ends_what_that_called() {
    for (policy, status) in [("CancelOther", "CANCELED"), ("TerminateOther", "TERMINATED")] {
        let house = on();
        let child = create(&house, "child", "PAUSED", MANUAL, ASKS);
        let call = r#"{ id: "call", type: "core.call-workflow", params: { workflow_name: "child" } }"#;
        create(&house, "nightly", "ACTIVE", &hourly(&format!("overlap_policy: \"{policy}\"")), call);
        for hours in 0..3 {
            after(&house, hours);
            carry_out(&at(&house, hours));
        }
        let mut expected = [status, "RUNNING"];
        expected.sort_unstable();
        assert_eq!(sorted(&house, &child), expected, "{policy}");
    }
}

#[test]
fn schedules_of_one_workflow_that_are_due_together_all_run() {
    let house = on();
    let both = hourly(r#"zone: "eu""#) + &hourly(r#"zone: "us""#);
    let id = create(&house, "nightly", "ACTIVE", &both, SAYS);
    after(&house, 0);
    after(&house, 1);
    let runs = house.store.snapshot::<_, StoreError>(&Caller::system(), |rows| {
        rows.select("workflow_execution", &["inputs"], &[eq("workflow_id", Uuid::parse_str(&id).unwrap())])
    });
    let mut zones: Vec<String> =
        runs.unwrap().iter().map(|row| row[0].as_text().unwrap().to_owned()).collect();
    zones.sort();
    assert_eq!(zones, [r#"{"zone":"eu"}"#, r#"{"zone":"us"}"#]);
}

#[test]
fn what_a_person_began_is_not_in_the_way_of_a_schedule() {
    for (policy, expected) in
        [("Skip", vec!["RUNNING", "SCHEDULED"]), ("CancelOther", vec!["RUNNING", "SCHEDULED"])]
    {
        let house = on();
        let id = create(&house, "nightly", "ACTIVE", &hourly(&format!("overlap_policy: \"{policy}\"")), ASKS);
        trigger(&house, &id);
        carry_out(&house.store);
        after(&house, 0);
        after(&house, 1);
        assert_eq!(sorted(&house, &id), expected, "{policy}");
    }
}

#[test]
fn whoever_waited_for_a_run_that_was_ended_before_it_began_waits_for_the_one_before() {
    let house = on();
    let id = create(&house, "nightly", "ACTIVE", &hourly(r#"overlap_policy: "BufferAll""#), ASKS);
    after(&house, 0);
    after(&house, 1);
    carry_out(&at(&house, 1));
    after(&house, 2);
    after(&house, 3);
    let runs = house.answers(&format!(
        r#"{{ workflow_list_executions(request: {{ account_id: "{OWN}", id: "{id}", status: "SCHEDULED" }}) {{ executions {{ id start_time }} }} }}"#
    ));
    let waiting = runs["workflow_list_executions"]["executions"].as_array().unwrap();
    let second = waiting.iter().min_by_key(|run| run["start_time"].as_str()).unwrap()["id"].as_str().unwrap();
    house.answers(&format!(
        r#"mutation {{ workflow_cancel_execution(request: {{ account_id: "{OWN}", id: "{id}", execution_id: "{second}" }}) {{ status }} }}"#
    ));
    carry_out(&at(&house, 3));
    assert_eq!(sorted(&house, &id), ["CANCELED", "RUNNING", "SCHEDULED"]);
}

#[test]
fn a_schedule_that_catches_up_with_nothing_still_runs_in_time() {
    let house = on();
    let id = create(&house, "nightly", "ACTIVE", &hourly(r#"catchup_window: "0s""#), SAYS);
    after(&house, 0);
    runs::start_due(&house.store.clone().with_clock(|| NOW + HOUR + 3_000_000)).unwrap();
    assert_eq!(statuses(&house, &id), ["SCHEDULED"]);
}
