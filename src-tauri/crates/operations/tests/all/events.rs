//! Tests of events that arrive, are snoozed, or are changed in bulk.

mod taken_back;
mod undone;

use crate::house::{House, NOW, OWN, PERSON, TENANT};
use catalogue::{Caller, Value as Cell, ValueRef, format_timestamp};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;

/// The fields of an event of [`OWN`] that began that many minutes ago.
fn event(name: &str, fingerprint: &str, minutes: i64, more: &str) -> String {
    let start = format_timestamp(NOW - minutes * MINUTE);
    format!(
        r#"{{ cloud_account_id: "{OWN}", aggregation_key: "{name}", title: "{name}", cluster: "harbour", evidences: [], finding_id: "{name}-{minutes}",
              finding_type: "issue", fingerprint: "{fingerprint}", priority: MEDIUM, source: prometheus, status: FIRING, starts_at: "{start}",
              subject_name: "crane", subject_namespace: "docks" {more} }}"#
    )
}

/// Inserts events through the table interface. Returns the requested fields.
#[track_caller]
fn arrive(house: &House, events: &[String], fields: &str) -> Value {
    let objects = events.join(", ");
    let added = house.answers(&format!(
        "mutation {{ insert_events(objects: [{objects}]) {{ returning {{ {fields} }} }} }}"
    ));
    added["insert_events"]["returning"].clone()
}

fn rule(more: &str) -> String {
    format!(
        r#"mutation {{ event_create_triage_rule(cloud_account_id: "{OWN}" {more}) {{ rule {{ id }} bulk_operation {{ job_id status }} }} }}"#
    )
}

#[test]
fn an_event_that_arrives_meets_the_rules_of_its_account() {
    let house = House::new();
    house.answers(&rule(r#"name: "Disks fill", rule_type: "suppression", action: "suppress", match_alertname: "DiskFull", match_labels: "{\"team\": \"sea\"}""#));
    house.answers(&rule(
        r#"rule_type: "scoring", action: "adjust_score", action_value: "20", match_namespace: "docks""#,
    ));
    let labels = r#"labels: { team: "sea", tier: 1 }"#;
    let events =
        [event("DiskFull", "d", 3, labels), event("DiskFull", "e", 60, ""), event("Crash", "c", 90, "")];
    let answered = arrive(&house, &events, "title nb_status computed_score computed_priority score_factors");
    // MEDIUM in a non-production account: 15 × 0.3 × 4, and 20 by the rule.
    let factors =
        json!({"priority_and_environment": 18, "repeated": 0, "related": 0, "finding_type": 0, "rules": 20});
    let told = |title: &str, status: &str| json!({"title": title, "nb_status": status, "computed_score": 38, "computed_priority": "P3", "score_factors": factors});
    assert_eq!(
        answered,
        json!([told("DiskFull", "SUPPRESSED"), told("DiskFull", "OPEN"), told("Crash", "OPEN")])
    );
    let noted = house.answers(
        "{ event_history { change_reason changed_by } event_triage_rules(order_by: {match_count: asc}) { action match_count } }",
    );
    assert_eq!(
        noted,
        json!({
            "event_history": [{"change_reason": "triage rule \"Disks fill\"", "changed_by": null}],
            "event_triage_rules": [{"action": "suppress", "match_count": 1}, {"action": "adjust_score", "match_count": 3}],
        })
    );
}

#[test]
fn what_happens_again_is_a_duplicate_unless_the_account_wants_it_otherwise() {
    let house = House::new();
    let fields = "nb_status";
    let twice = [event("Crash", "c", 9, ""), event("Crash", "c", 5, "")];
    assert_eq!(arrive(&house, &twice, fields), json!([{"nb_status": "OPEN"}, {"nb_status": "DUPLICATE"}]));
    house.answers(&format!(
        r#"mutation {{ event_toggle_system_rule_override(cloud_account_id: "{OWN}", system_rule_id: "9a6d57b0-0000-4000-8000-000000000001", disabled: true) {{ success }} }}"#
    ));
    assert_eq!(arrive(&house, &[event("Crash", "c", 1, "")], fields), json!([{"nb_status": "OPEN"}]));
    let series = house.answers("{ event_duplicates(order_by: {occurrence_number: asc}) { occurrence_number time_since_first_seconds time_since_previous_seconds } }");
    let place = |number, first, previous| json!({"occurrence_number": number, "time_since_first_seconds": first, "time_since_previous_seconds": previous});
    assert_eq!(series["event_duplicates"], json!([place(1, 0, 0), place(2, 240, 240), place(3, 480, 240)]));
}

#[test]
fn an_event_that_comes_with_a_status_keeps_it() {
    let house = House::new();
    let twice = [event("Crash", "c", 9, ""), event("Crash", "c", 5, r#"nb_status: "RESOLVED""#)];
    let answered = arrive(&house, &twice, "nb_status");
    assert_eq!(answered, json!([{"nb_status": "OPEN"}, {"nb_status": "RESOLVED"}]));
}

#[test]
fn events_close_in_time_and_place_belong_together() {
    let house = House::new();
    let service = r#"service_key: "crane""#;
    let events =
        [event("Crash", "c", 9, service), event("Slow", "s", 8, service), event("Late", "l", 1, service)];
    arrive(&house, &events, "id");
    let found = house.answers(
        "{ event_correlations(order_by: {time_offset_minutes: asc}) { correlation_type correlation_score correlation_reason time_offset_minutes } }",
    );
    let row = |minutes| {
        json!({
            "correlation_type": "same_service", "correlation_score": 0.55, "time_offset_minutes": minutes,
            "correlation_reason": "1 min apart, the same service, the same namespace",
        })
    };
    assert_eq!(found["event_correlations"], json!([row(-1), row(1)]), "eight minutes are too far apart");
}

/// In an event storm each event is compared with the fifty latest ones around it, however many arrive together.
#[test]
fn each_event_of_a_storm_is_compared_with_the_latest_around_it() {
    let house = House::new();
    let storm: Vec<String> = (0..120)
        .map(|number| {
            let name = format!("e{number}");
            event(&name, &name, 4 + number % 2, r#"service_key: "crane""#)
        })
        .collect();
    arrive(&house, &storm, "id");
    let all = house.answers(
        "{ events(order_by: [{starts_at: desc}, {id: asc}], limit: 200) { id } \
           event_correlations(limit: 20000) { event_id related_event_id } }",
    );
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = |name: &str| all[name].as_array().unwrap().clone();
    let ids: Vec<String> = rows("events").iter().map(|row| text(row, "id")).collect();
    assert_eq!(ids.len(), 120);
    let both = ids.iter().flat_map(|one| {
        let around = ids.iter().filter(move |other| *other != one).take(50);
        around.flat_map(move |other| [(one.clone(), other.clone()), (other.clone(), one.clone())])
    });
    let expected: BTreeSet<(String, String)> = both.collect();
    let correlations = rows("event_correlations");
    let found: BTreeSet<(String, String)> =
        correlations.iter().map(|row| (text(row, "event_id"), text(row, "related_event_id"))).collect();
    assert_eq!(found.len(), correlations.len(), "no pair is told twice");
    assert_eq!(found, expected);
}

#[test]
fn a_snoozed_event_wakes_when_its_time_is_over_and_not_before() {
    let house = House::new();
    let until = NOW + 10 * MINUTE;
    let snoozed = format!(r#"nb_status: "SNOOZED", snoozed_until: "{}""#, format_timestamp(until));
    arrive(&house, &[event("Crash", "c", 9, &snoozed)], "id");
    let state =
        || house.answers("{ events { nb_status snoozed_until nb_status_changed_by } }")["events"][0].clone();
    assert_eq!(operations::run_background_step(&house.store, &operations::NoModels).unwrap(), Some(until));
    assert_eq!(state()["nb_status"], "SNOOZED");
    let later = house.store.clone().with_clock(|| NOW + 10 * MINUTE);
    assert_eq!(operations::run_background_step(&later, &operations::NoModels).unwrap(), None);
    assert_eq!(state(), json!({"nb_status": "OPEN", "snoozed_until": null, "nb_status_changed_by": null}));
    let told = trail(&house, "event_snooze_over");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].0, &told[0].1["nb_status"]), (None, &json!("SNOOZED")), "nobody did it");
}

/// The audit trail's entries of that operation on events: user, before, after.
fn trail(house: &House, operation: &str) -> Vec<(Option<Uuid>, Value, Value)> {
    let about = [eq("table_name", "events"), eq("operation", operation)];
    let columns = ["user_id", "before", "after"];
    let look = |rows: &Transaction<'_>| rows.select("audit_trail", &columns, &about);
    let rows = house.store.snapshot(&Caller::system_for(TENANT), look).unwrap();
    let object = |cell: &Cell| serde_json::from_str(cell.as_text().unwrap()).unwrap();
    rows.iter().map(|row| (row[0].as_uuid(), object(&row[1]), object(&row[2]))).collect()
}

/// More events than are changed synchronously.
const MANY: i64 = 5_001;

fn many(rows: &Transaction<'_>) -> Result<(), StoreError> {
    rows.disable_hooks();
    let columns = [
        "cloud_account_id",
        "aggregation_key",
        "title",
        "cluster",
        "evidences",
        "finding_id",
        "finding_type",
        "priority",
        "subject_name",
        "nb_status",
    ];
    let mut events = rows.inserter("events", &columns)?;
    for number in 0..MANY {
        let id = number.to_string();
        events.insert(&[
            OWN.into(),
            "Crash".into(),
            "Crash".into(),
            "harbour".into(),
            ValueRef::Json("[]"),
            id.as_str().into(),
            "issue".into(),
            "LOW".into(),
            "crane".into(),
            "OPEN".into(),
        ])?;
    }
    Ok(())
}

#[test]
fn a_change_of_very_many_events_goes_on_after_the_service_was_ended() {
    let house = House::new();
    house.store.transaction(&Caller::system_for(TENANT), many).unwrap();
    let made = house.answers(&rule(
        r#"rule_type: "suppression", action: "suppress", match_alertname: "Crash", apply_to_existing: true"#,
    ));
    let job = &made["event_create_triage_rule"]["bulk_operation"];
    assert_eq!(job["status"], "queued");
    let id: Uuid = job["job_id"].as_str().unwrap().parse().unwrap();
    let state = |house: &House| {
        let asked = format!(
            r#"mutation {{ event_bulk_operation_status(job_id: "{id}") {{ status total_events processed_events }} }}"#
        );
        house.answers(&asked)["event_bulk_operation_status"].clone()
    };
    assert_eq!(
        operations::run_background_step(&house.store, &operations::NoModels).unwrap(),
        Some(NOW),
        "there is more to do at once"
    );
    assert_eq!(state(&house), json!({"status": "processing", "total_events": MANY, "processed_events": 500}));
    let house = house.opened_again();
    while operations::run_background_step(&house.store, &operations::NoModels).unwrap().is_some() {}
    assert_eq!(state(&house), json!({"status": "completed", "total_events": MANY, "processed_events": MANY}));
    let left = house.answers(
        r#"{ events_aggregate(where: { nb_status: { _eq: "SUPPRESSED" } }) { aggregate { count } } }"#,
    );
    assert_eq!(left["events_aggregate"]["aggregate"]["count"], MANY);
    let told = trail(&house, "event_bulk_operation");
    assert_eq!(told.len(), usize::try_from(MANY).unwrap(), "one row of the trail an event");
    let (person, before, after) = &told[0];
    assert_eq!(*person, Some(PERSON), "who wanted it");
    assert_eq!((&before["nb_status"], &after["nb_status"]), (&json!("OPEN"), &json!("SUPPRESSED")));
}
