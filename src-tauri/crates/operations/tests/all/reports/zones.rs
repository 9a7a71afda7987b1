//! Tests of the days a report covers if its time zone has another date than UTC.

use super::{DAY, add, ask, bill, house};
use crate::house::{NOW, OWN};
use operations::NoModels;

/// The costs of November in a report due at that time of the month; NOW is 2026-11-01T00:00:00Z.
#[track_caller]
fn told(schedule: &str, zone: &str) -> (String, serde_json::Value) {
    let house = house();
    let days = [("2026-11-28", "1"), ("2026-11-29", "20"), ("2026-11-30", "300"), ("2026-12-01", "4000")];
    let charges: Vec<_> = days.iter().map(|(day, amount)| (OWN, *day, *amount, "Compute")).collect();
    bill(&house, &charges);
    add(
        &house,
        &format!(r#"name: "Costs", settings: {{ months: 1 }}, schedule: "{schedule}", timezone: "{zone}""#),
    );
    let later = house.store.clone().with_clock(|| NOW + 32 * DAY);
    operations::chores(&later, &NoModels).unwrap();
    let runs =
        ask(&house, "{ scheduled_report_run(order_by: { due_at: desc }, limit: 1) { due_at content } }");
    let run = runs["scheduled_report_run"][0].clone();
    let due = run["due_at"].as_str().unwrap().to_owned();
    (due, run["content"]["sections"][0]["table"]["total"].clone())
}

#[test]
fn a_report_of_the_first_has_the_whole_month_before_on_its_own_clock() {
    let whole = serde_json::json!(["Total", "321", "321"]);
    for (schedule, zone, due) in [
        ("30 0 1 12 *", "Europe/Berlin", "2026-11-30T23:30:00+00:00"),
        ("30 0 1 12 *", "Asia/Tokyo", "2026-11-30T15:30:00+00:00"),
        ("0 17 1 12 *", "America/Los_Angeles", "2026-12-02T01:00:00+00:00"),
        ("0 7 1 12 *", "UTC", "2026-12-01T07:00:00+00:00"),
    ] {
        assert_eq!(told(schedule, zone), (due.to_owned(), whole.clone()), "{zone}");
    }
}
