//! Tests of triage rules that change stored events: preview and undo.

use super::{arrive, event, many, rule};
use crate::house::{House, OWN, TENANT};
use catalogue::Caller;
use serde_json::{Value, json};

/// The triage fields of all events.
fn triage(house: &House) -> Value {
    house.answers("{ events(order_by: {title: asc, id: asc}) { id nb_status nb_status_changed_at nb_status_changed_by snoozed_until } }")
}

fn take_back(job: &str) -> String {
    format!(
        r#"mutation {{ event_undo_bulk_operation(job_id: "{job}") {{ success status events_put_back events_kept }} }}"#
    )
}

#[test]
fn a_rule_that_changed_stored_events_is_taken_back_to_the_letter() {
    let house = House::new();
    let added = arrive(
        &house,
        &[
            event("Crash", "a", 3, ""),
            event("Crash", "b", 60, ""),
            event("Crash", "c", 90, ""),
            event("DiskFull", "d", 5, ""),
        ],
        "id",
    );
    let id = |place: usize| added[place]["id"].as_str().unwrap().to_owned();
    let change = |event: String, more: &str| {
        house.answers(&format!(
            r#"mutation {{ event_update_nb_status(event_id: "{event}" {more}) {{ success }} }}"#
        ));
    };
    change(id(0), r#"nb_status: "SNOOZED", snoozed_until: "2030-01-01T00:00:00""#);
    change(id(1), r#"nb_status: "ACKNOWLEDGED""#);
    let before = triage(&house);
    let made = house.answers(&rule(
        r#"rule_type: "suppression", action: "suppress", match_alertname: "Crash", apply_to_existing: true"#,
    ));
    let job = made["event_create_triage_rule"]["bulk_operation"]["job_id"].as_str().unwrap().to_owned();
    assert_ne!(triage(&house), before);
    let undone = house.answers(&take_back(&job));
    let expected = json!({ "success": true, "status": "undone", "events_put_back": 3, "events_kept": 0 });
    assert_eq!(undone["event_undo_bulk_operation"], expected);
    assert_eq!(triage(&house), before);
    assert!(house.refuses(&take_back(&job)).contains("taken back before"));
}

#[test]
fn what_somebody_has_changed_since_stays() {
    let house = House::new();
    let added = arrive(&house, &[event("Crash", "a", 3, ""), event("Crash", "b", 60, "")], "id");
    let made = house.answers(&rule(
        r#"rule_type: "suppression", action: "suppress", match_alertname: "Crash", apply_to_existing: true"#,
    ));
    let job = made["event_create_triage_rule"]["bulk_operation"]["job_id"].as_str().unwrap().to_owned();
    let own = added[0]["id"].as_str().unwrap();
    house.answers(&format!(
        r#"mutation {{ event_update_nb_status(event_id: "{own}", nb_status: "RESOLVED") {{ success }} }}"#
    ));
    let undone = house.answers(&take_back(&job));
    let expected = json!({ "success": true, "status": "undone", "events_put_back": 1, "events_kept": 1 });
    assert_eq!(undone["event_undo_bulk_operation"], expected);
    let left = house.answers(&format!(r#"{{ events_by_pk(id: "{own}") {{ nb_status }} }}"#));
    assert_eq!(left["events_by_pk"]["nb_status"], "RESOLVED");
}

#[test]
fn a_change_of_very_many_events_is_taken_back_step_by_step() {
    let house = House::new();
    house.store.transaction(&Caller::system_for(TENANT), many).unwrap();
    let made = house.answers(&rule(
        r#"rule_type: "suppression", action: "suppress", match_alertname: "Crash", apply_to_existing: true"#,
    ));
    let job = made["event_create_triage_rule"]["bulk_operation"]["job_id"].as_str().unwrap().to_owned();
    while operations::run_background_step(&house.store, &operations::NoModels).unwrap().is_some() {}
    let undone = house.answers(&take_back(&job));
    assert_eq!(undone["event_undo_bulk_operation"]["status"], "undoing");
    let house = house.opened_again();
    while operations::run_background_step(&house.store, &operations::NoModels).unwrap().is_some() {}
    let left = house.answers(
        r#"{ events_aggregate(where: { nb_status: { _eq: "SUPPRESSED" } }) { aggregate { count } } }"#,
    );
    assert_eq!(left["events_aggregate"]["aggregate"]["count"], 0);
}

#[test]
fn a_preview_goes_through_the_last_thirty_days() {
    let house = House::new();
    arrive(
        &house,
        &[
            event("Crash", "a", 3, ""),
            event("Crash", "b", 60, ""),
            event("Crash", "c", 31 * 24 * 60, ""),
            event("DiskFull", "d", 5, ""),
        ],
        "id",
    );
    let found = house.answers(&format!(
        r#"mutation {{ event_preview_triage_rule(cloud_account_id: "{OWN}", rule_type: "suppression", action: "suppress", match_alertname: "Crash") {{
          matching_events_count recent_days recent_events_count recent_matching_events_count }} }}"#
    ));
    assert_eq!(
        found["event_preview_triage_rule"],
        json!({ "matching_events_count": 3, "recent_days": 30, "recent_events_count": 3, "recent_matching_events_count": 2 })
    );
}
