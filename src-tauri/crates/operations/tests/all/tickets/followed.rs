//! Tests that attempts with a ticket end with it: by a run that reads the tracker, or by the row of an internal ticket.

use crate::house::{House, NOW, TENANT};
use crate::ways::{ADVICE, apply_with, connect, house};
use crate::workflows::{carry_out, create, trigger};
use automation::plan::{CallOutcome, TaskFailure};
use catalogue::{Caller, ValueRef};
use operations::runs::{self, RunEnvironment, RunWork, advance, claim};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// A recommendation with a ticket being sent to Jira.
fn followed() -> House {
    let house = house(&[]);
    connect(&house, "jira", "sealed x", r#"["OPS"]"#);
    house.answers(&apply_with("jira", ""));
    house
}

/// Status and note of the recommendation, status and message of its attempt.
fn standing(house: &House) -> [String; 4] {
    let query = format!(
        r#"{{ recommendation_by_pk(id: "{ADVICE}") {{ status note }} recommendation_resolution {{ status status_message }} }}"#
    );
    let seen = house.answers(&query);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (advice, attempt) = (&seen["recommendation_by_pk"], &seen["recommendation_resolution"][0]);
    [&advice["status"], &advice["note"], &attempt["status"], &attempt["status_message"]].map(text)
}

/// The following run reads the ticket and gets this result.
fn hears(house: &House, result: Result<Value, TaskFailure>) {
    let run = claim(&house.store, Uuid::new_v4()).unwrap().expect("a run that follows the ticket");
    let none = |_: &str| None;
    let environment = RunEnvironment {
        secret: &none,
        decrypt: &|_, _| Err("nothing is sealed".to_owned()),
        base_url: "http://here",
    };
    let next = advance(&house.store, run, &environment, Vec::new(), &BTreeSet::new()).unwrap();
    let [call] = next.calls.as_slice() else { panic!("{next:?}") };
    assert!(matches!(call.work, Ok(RunWork::Ticket(_))), "{call:?}");
    let finished = vec![CallOutcome { path: call.path.clone(), result }];
    advance(&house.store, run, &environment, finished, &BTreeSet::new()).unwrap();
}

fn write(house: &House, work: impl FnOnce(&Transaction<'_>) -> Result<(), StoreError>) {
    let house_of_tenant = Caller::system_for(TENANT);
    house.store.transaction(&house_of_tenant, work).unwrap();
}

#[test]
fn a_ticket_that_is_done_waits_for_the_import_and_one_that_is_refused_opens_the_recommendation() {
    let house = followed();
    hears(&house, Ok(json!({ "state": "done" })));
    let [status, _, attempt, message] = standing(&house);
    assert_eq!((status.as_str(), attempt.as_str()), ("InProgress", "InProgress"));
    assert_eq!(message, "its ticket was closed; waits for an import that shows the change");

    for (kind, words) in
        [("TicketRefused", "OPS-1 was closed without being done"), ("TicketGone", "desk has no OPS-1")]
    {
        let house = followed();
        hears(&house, Err(TaskFailure::new(kind, words)));
        let [status, note, attempt, _] = standing(&house);
        assert_eq!((status.as_str(), attempt.as_str()), ("Open", "Failed"), "{kind}");
        assert!(note.starts_with("Open again") && note.contains(words), "{note}");
    }
}

#[test]
fn whatever_else_is_heard_changes_nothing_and_is_asked_again_later() {
    for kind in ["TicketOpen", "TicketPending", "Tracker", "Network", "Timeout"] {
        let house = followed();
        hears(&house, Err(TaskFailure::new(kind, "not yet")));
        let [status, _, attempt, _] = standing(&house);
        assert_eq!((status.as_str(), attempt.as_str()), ("InProgress", "InProgress"), "{kind}");
        let next = runs::next_run(&house.store).unwrap().expect("it is asked again");
        assert!(next > NOW && next <= NOW + 5_000_000, "{kind}: {next}");
    }
}

#[test]
fn while_automation_is_off_a_ticket_is_opened_and_not_followed() {
    let house = house(&[]);
    runs::store_automation_settings(&house.store, &runs::AutomationSettings::default()).unwrap();
    connect(&house, "jira", "sealed x", r#"["OPS"]"#);
    let begun = house.answers(&apply_with("jira", ""));
    let begun = &begun["apply_recommendations"]["data"][0];
    assert!(begun["ticket_id"].is_string() && begun["execution_id"].is_null(), "{begun}");
    assert!(!begun["message"].as_str().unwrap().contains("followed"), "{begun}");
}

#[test]
fn a_ticket_that_the_tracker_does_not_take_ends_its_run() {
    let house = followed();
    let failed = [("status", "Failed".into()), ("error_message", "no such project".into())];
    write(&house, |rows| rows.update("tickets", &[eq("is_new", true)], &failed).map(drop));
    let [status, note, ..] = standing(&house);
    assert_eq!(status, "Open");
    assert!(note.contains("the tracker did not take the ticket: no such project"), "{note}");
    let open = |rows: &Transaction<'_>| rows.count("workflow_execution", &[eq("status", "CANCELED")]);
    assert_eq!(house.store.snapshot(&Caller::system(), open).unwrap(), 1, "nobody looks for it any more");
}

#[test]
fn what_an_import_has_shown_is_not_taken_back_by_the_ticket() {
    let house = followed();
    let closed = [
        ("status", "Closed".into()),
        ("note", "Closed by an import: it is smaller".into()),
        ("updated_at", ValueRef::Timestamp(NOW)),
    ];
    write(&house, |rows| rows.update("recommendation", &[eq("id", ADVICE)], &closed).map(drop));
    assert_eq!(standing(&house)[2], "Success");
    hears(&house, Err(TaskFailure::new("TicketRefused", "OPS-1 was closed without being done")));
    let [status, _, attempt, message] = standing(&house);
    assert_eq!((status.as_str(), attempt.as_str()), ("Closed", "Success"), "{message}");
}

#[test]
fn a_ticket_that_is_kept_here_ends_the_attempt_when_a_workflow_closes_it() {
    let house = house(&[]);
    let begun = house.answers(&apply_with("ticket", ""));
    let ticket = begun["apply_recommendations"]["data"][0]["ticket_id"].as_str().unwrap().to_owned();
    let tasks = format!(
        r#"{{ id: "tell", type: "tickets.update", params: {{ ticket_id: "{ticket}", assignee: "Ada", description: "2 GB" }} }}
           {{ id: "close", type: "tickets.transition", params: {{ ticket_id: "{ticket}", status: "done" }}, depends_on: ["tell"] }}
           {{ id: "say", type: "tickets.add_comment", params: {{ ticket_id: "{ticket}", comment: "x" }}, depends_on: ["close"], failure_policy: {{ action: "continue" }} }}
           {{ id: "read", type: "tickets.get", params: {{ ticket_id: "{ticket}", until: "closed" }}, depends_on: ["say"] }}"#
    );
    let workflow = create(&house, "close", "PAUSED", r#"{ type: "manual" }"#, &tasks);
    let run = trigger(&house, &workflow);
    carry_out(&house.store);
    let seen = crate::workflows::run_of(&house, &workflow, &run);
    assert_eq!(seen["status"], "COMPLETED", "{seen}");
    let task =
        |id: &str| seen["tasks"].as_array().unwrap().iter().find(|task| task["id"] == id).unwrap().clone();
    assert_eq!(
        (&task("close")["output"]["status"], &task("read")["output"]["state"]),
        (&json!("Closed"), &json!("done"))
    );
    assert_eq!(task("read")["output"]["assignee"], "Ada");
    assert!(task("say")["error"].as_str().unwrap().contains("is kept here alone"), "{seen}");
    assert_eq!(standing(&house)[3], "its ticket was closed; waits for an import that shows the change");
}
