//! Tests of the rules for causes, on single events.

use crate::{
    Analysis, Change, Event, Line, Material, Neighbour, Occurrence, Other, Spend, State, Subject, explain,
};
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;
const NOON: i64 = 20_000 * 24 * 60 * MINUTE + 12 * 60 * MINUTE;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn on(workload: &str) -> Subject {
    Subject { namespace: "shop".to_owned(), owner: workload.to_owned(), ..Subject::default() }
}

fn event() -> Event {
    Event {
        id: id(1),
        title: "Checkout answers slowly".to_owned(),
        kind: "LatencyHigh".to_owned(),
        starts_at: NOON,
        subject: on("checkout"),
        ..Event::default()
    }
}

fn release(minutes_before: i64) -> Change {
    Change {
        id: id(7).to_string(),
        table: "events".to_owned(),
        at: NOON - minutes_before * MINUTE,
        not_before: None,
        what: "Release of checkout 1.8.2".to_owned(),
        by: "ana".to_owned(),
        subject: on("checkout"),
        is_deployment: true,
    }
}

fn line(number: u128, minutes: i64, message: &str) -> Line {
    Line {
        id: id(number),
        at: NOON + minutes * MINUTE,
        severity: "error".to_owned(),
        message: message.to_owned(),
    }
}

fn claims(analysis: &Analysis) -> Vec<(u8, &str)> {
    analysis.hypotheses.iter().map(|one| (one.score, one.claim.as_str())).collect()
}

#[test]
fn a_release_of_the_workload_just_before_comes_first_with_its_row() {
    let material = Material { changes: vec![release(6)], ..Material::default() };
    let found = explain(&event(), &material);
    assert_eq!(claims(&found), [(90, "Release of checkout 1.8.2 6 min before")]);
    assert_eq!(found.hypotheses[0].evidence, ["C1"]);
    assert_eq!(found.evidence[0].rows, [id(7).to_string()]);
    assert_eq!(
        found.hypotheses[0].reason,
        "Changed by ana on the same workload, 6 min before the event began."
    );
}

#[test]
fn a_change_after_the_event_began_or_elsewhere_is_no_cause() {
    let elsewhere = Change { subject: on("search"), ..release(6) };
    let elsewhere =
        Change { subject: Subject { namespace: "other".to_owned(), ..elsewhere.subject }, ..elsewhere };
    let material = Material { changes: vec![release(-1), elsewhere], ..Material::default() };
    assert_eq!(claims(&explain(&event(), &material)), []);
}

#[test]
fn a_change_between_two_looks_is_told_with_both_and_counts_for_less_than_one_of_a_known_time() {
    let seen = Change {
        id: id(8).to_string(),
        at: NOON + 30 * MINUTE,
        not_before: Some(NOON - 90 * MINUTE),
        what: "Deployment checkout changed: spec.replicas".to_owned(),
        by: String::new(),
        ..release(0)
    };
    let after = Change { not_before: Some(NOON + MINUTE), ..seen.clone() };
    let material = Material { changes: vec![after, seen, release(6)], ..Material::default() };
    let found = explain(&event(), &material);
    assert_eq!(
        claims(&found),
        [(90, "Release of checkout 1.8.2 6 min before"), (65, "Deployment checkout changed: spec.replicas")]
    );
    assert_eq!(
        found.hypotheses[1].reason,
        "Changed on the same workload, between 10:30 and 12:30 UTC on 4 Oct 2024."
    );
}

#[test]
fn the_same_event_before_the_change_speaks_against_it() {
    let earlier = Occurrence { id: id(9), starts_at: NOON - 60 * MINUTE };
    let material = Material { changes: vec![release(6)], series: vec![earlier], ..Material::default() };
    let found = explain(&event(), &material);
    assert_eq!(claims(&found), [(65, "Release of checkout 1.8.2 6 min before")]);
    assert_eq!(found.hypotheses[0].against, ["E1"]);
    assert_eq!(found.evidence.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["C1", "E1"]);
}

#[test]
fn trouble_of_what_the_workload_needs_is_told_with_the_relation() {
    let database = Other {
        id: id(2),
        title: "Database is full".to_owned(),
        starts_at: NOON - MINUTE,
        subject: on("orders-db"),
        ..Other::default()
    };
    let near = Neighbour {
        id: id(3),
        name: "orders-db".to_owned(),
        namespace: "shop".to_owned(),
        relation: "CALLS".to_owned(),
        distance: 1,
        is_needed: true,
    };
    let material = Material { events: vec![database.clone()], neighbours: vec![near], ..Material::default() };
    let found = explain(&event(), &material);
    assert_eq!(claims(&found), [(80, "“Database is full” on orders-db began first")]);
    assert_eq!(found.hypotheses[0].evidence, ["E1", "M1"]);
    assert_eq!(found.hypotheses[0].reason, "checkout calls orders-db, and needs it; it began 1 min before.");
    let alone = explain(&event(), &Material { events: vec![database], ..Material::default() });
    assert_eq!(alone.hypotheses[0].score, 40, "without the graph only the namespace is shared");
}

#[test]
fn an_event_that_began_later_is_no_cause() {
    let later = Other { id: id(2), starts_at: NOON + MINUTE, subject: on("checkout"), ..Other::default() };
    assert_eq!(claims(&explain(&event(), &Material { events: vec![later], ..Material::default() })), []);
}

#[test]
fn errors_that_are_new_are_told_once_by_their_statement() {
    let old: Vec<Line> = (0..9).map(|n| line(100 + n, -300, "cache miss for 17")).collect();
    let new: Vec<Line> =
        (0..5).map(|n| line(200 + n, 1, &format!("timeout after {n}00ms calling orders"))).collect();
    let same = line(300, 2, "cache miss for 23");
    let logs = [old, new, vec![same]].concat();
    let found = explain(&event(), &Material { logs, ..Material::default() });
    assert_eq!(claims(&found), [(50, "The log has a new error: timeout after <*> calling orders")]);
    assert_eq!(found.evidence[0].rows.len(), 5);
}

#[test]
fn memory_named_by_the_event_and_its_log_is_nearly_sure() {
    let event = Event { title: "Pod OOMKilled".to_owned(), ..event() };
    let material =
        Material { logs: vec![line(5, 0, "java.lang.OutOfMemoryError: heap")], ..Material::default() };
    let found = explain(&event, &material);
    assert_eq!(claims(&found)[0], (90, "checkout ran out of memory"));
    assert_eq!(found.hypotheses[0].evidence, ["E1", "L1"]);
}

#[test]
fn a_workload_without_its_pods_is_told() {
    let state = State {
        id: "w".to_owned(),
        table: "k8s_workloads".to_owned(),
        name: "checkout".to_owned(),
        ready: Some((1, 3)),
        ..State::default()
    };
    let whole = State { ready: Some((3, 3)), name: "search".to_owned(), ..state.clone() };
    let found = explain(&event(), &Material { states: vec![whole, state], ..Material::default() });
    assert_eq!(claims(&found), [(50, "checkout has 1 of 3 pods ready")]);
}

#[test]
fn spend_outside_its_range_is_told_with_a_usual_day() {
    let day = |back: i64, amount: f64| Spend {
        day: NOON - 12 * 60 * MINUTE - back * 24 * 60 * MINUTE,
        amount,
        text: format!("{amount} USD"),
    };
    let mut spends: Vec<Spend> =
        (1..8).map(|back| day(back, 100.0 + f64::from(u8::try_from(back).unwrap() % 3))).collect();
    spends.push(day(0, 180.0));
    let found = explain(&event(), &Material { spends: spends.clone(), ..Material::default() });
    assert_eq!(
        claims(&found),
        [(40, "Spend rose on the same day: 180 USD that day, 101 USD on a usual one")]
    );
    spends.pop();
    spends.push(day(0, 104.0));
    assert_eq!(claims(&explain(&event(), &Material { spends, ..Material::default() })), []);
}

#[test]
fn what_comes_every_day_has_a_schedule() {
    let series = (1..5).map(|days| Occurrence {
        id: id(40 + days),
        starts_at: NOON - i64::try_from(days).unwrap() * 1_440 * MINUTE,
    });
    let found = explain(&event(), &Material { series: series.collect(), ..Material::default() });
    assert_eq!(claims(&found), [(55, "It comes back every 24 h: something with a schedule")]);
}

#[test]
fn nothing_near_is_said_and_no_cause_is_made_up() {
    let found = explain(&event(), &Material::default());
    assert_eq!(found.hypotheses, []);
    assert_eq!(
        found.summary,
        "Nothing stored stands near “Checkout answers slowly”: no other event, change, log, state or spend."
    );
}

#[test]
fn the_order_of_rows_changes_nothing() {
    let mut material = Material {
        changes: vec![
            release(6),
            Change { id: id(8).to_string(), what: "Replicas of checkout".to_owned(), ..release(40) },
        ],
        logs: (0..6).map(|n| line(200 + n, 1, &format!("timeout after {n}00ms"))).collect(),
        series: vec![Occurrence { id: id(9), starts_at: NOON - 60 * MINUTE }],
        ..Material::default()
    };
    let one = explain(&event(), &material);
    material.changes.reverse();
    material.logs.reverse();
    assert_eq!(explain(&event(), &material), one);
    assert!(one.hypotheses.iter().all(|hypothesis| !hypothesis.evidence.is_empty()));
}
