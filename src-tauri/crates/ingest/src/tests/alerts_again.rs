//! Alerts that a source repeats.

use super::kit::House;
use crate::State;
use std::ops::Range;
use store::steps;

/// An alert as Alertmanager sends it, with unsorted labels.
fn alert(description: &str) -> String {
    format!(
        r#"{{"version": "4", "groupKey": "{{}}", "status": "firing", "receiver": "all", "alerts": [{{"status": "firing",
        "labels": {{"zone": "b", "alertname": "DiskFull", "severity": "warning", "number": "1.0"}},
        "annotations": {{"description": "{description}"}}, "startsAt": "2026-01-02T12:00:00Z", "endsAt": "0001-01-01T00:00:00Z",
        "fingerprint": "a1b2c3d4e5f60718"}}]}}"#
    )
}

fn is_brought_up_to_date(house: &House, file: &str) -> bool {
    let report = house.import(file);
    assert_eq!((report.state, report.rows_skipped), (State::Done, 0), "{report:#?}");
    assert_eq!(house.count("events"), 1);
    report.notes.iter().any(|note| note.starts_with("1 existing events were updated"))
}

#[test]
fn the_same_alert_in_another_file_changes_nothing() {
    for house in [Some(House::new()), House::on_postgresql()].into_iter().flatten() {
        assert!(!is_brought_up_to_date(&house, &alert("90 %")));
        assert!(!is_brought_up_to_date(&house, &format!("{}\n", alert("90 %"))));
        assert!(is_brought_up_to_date(&house, &alert("95 %")));
    }
}

/// Alerts with these numbers, each with its own subject.
fn alerts(numbers: Range<u32>) -> String {
    let one = |number: u32| {
        format!(
            r#"{{"status": "firing", "labels": {{"alertname": "A{number}"}}, "annotations": {{}}, "startsAt": "2026-01-02T12:00:00Z",
            "endsAt": "0001-01-01T00:00:00Z", "fingerprint": "{number:016x}"}}"#
        )
    };
    let all: Vec<String> = numbers.map(one).collect();
    format!(
        r#"{{"version": "4", "groupKey": "{{}}", "status": "firing", "receiver": "all", "alerts": [{}]}}"#,
        all.join(",")
    )
}

#[test]
fn an_alert_is_looked_up_however_many_events_its_account_has() {
    let cost_beside = |others: u32| {
        let house = House::new();
        house.import(alerts(0..others));
        let before = steps();
        house.import(alerts(others..others + 200));
        assert_eq!(house.count("events"), others as usize + 200);
        steps() - before
    };
    let (few, many) = (cost_beside(100), cost_beside(3_000));
    assert!(many < few * 4, "{many} steps beside 3,000 events, {few} beside 100");
}
