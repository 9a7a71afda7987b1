//! The sample bill that we make ourselves.

use super::kit::House;
use crate::State;
use crate::sample::csv;

/// 2026-11-20, noon, and the last second of that month.
const NOW: i64 = 1_795_176_000_000_000;
const LATER: i64 = 1_796_083_199_000_000;

#[test]
fn a_month_has_one_sample_and_the_next_month_another() {
    assert_eq!(csv(NOW), csv(LATER));
    assert_ne!(csv(NOW), csv(LATER + 1_000_000));
}

#[test]
fn the_sample_is_imported_with_every_row() {
    let house = House::new();
    let report = house.import(csv(NOW));
    assert_eq!((report.state, report.rows_skipped), (State::Done, 0), "{report:?}");
    // 92 days, five accounts, seven services.
    assert_eq!((report.rows_read, report.rows_written), (3_220, 3_220));
    let period = report.period.expect("charges have a period");
    assert_eq!((&period.start[..10], &period.end[..10]), ("2026-08-01", "2026-11-01"));
    let names: Vec<&str> = report.accounts.iter().map(|account| account.name.as_str()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
    let currencies: Vec<&str> = report.totals.iter().map(|total| total.currency.as_str()).collect();
    assert_eq!(currencies, ["USD"]);
}

#[test]
fn the_cents_of_all_lines_are_what_is_imported() {
    let house = House::new();
    let text = csv(NOW);
    house.import(&text);
    let cents: i64 = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().replace('.', "").parse::<i64>().unwrap())
        .sum();
    // The store writes no trailing zeros.
    let total = format!("{}.{:02}", cents / 100, cents % 100);
    let total = total.trim_end_matches('0').trim_end_matches('.');
    assert_eq!(house.sum("billed_cost", "USD"), total);
}
