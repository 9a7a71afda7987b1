//! The generated sample data.

use super::kit::{House, format_id};
use crate::State;
use crate::sample::{answers, files};
use store::eq;

/// 2026-11-20, noon, and the last second of that day.
const NOW: i64 = 1_795_176_000_000_000;
const LATER: i64 = 1_795_219_199_000_000;

fn csv(now: i64) -> String {
    files(now)[0].text.clone()
}

#[test]
fn a_day_has_one_sample_and_the_next_day_another() {
    let texts = |now| files(now).map(|file| file.text);
    assert_eq!(texts(NOW), texts(LATER));
    assert_ne!(csv(NOW), csv(LATER + 1_000_000));
}

#[test]
fn every_file_is_read_whole_as_what_it_is() {
    let house = House::new();
    let mut formats = Vec::new();
    for (place, file) in (0..).zip(files(NOW)) {
        house.forms.set(answers(place).unwrap_or_default());
        let report = house.import(file.text);
        assert_eq!((report.state, report.rows_skipped), (State::Done, 0), "{}: {report:#?}", file.name);
        formats.push(format_id(&report).to_owned());
    }
    let expected = [
        "focus",
        "kubernetes",
        "kubernetes",
        "kubernetes",
        "alerts",
        "trivy",
        "metrics",
        "logs",
        "business-numbers",
        "opencost",
    ];
    assert_eq!(formats, expected);
    let mut clusters = house.rows("cloud_accounts", &["account_name", "account_type"], &[]);
    clusters.retain(|row| row.ends_with("kubernetes"));
    clusters.sort_unstable();
    assert_eq!(clusters, ["analytics | kubernetes", "shop | kubernetes"]);
    // The bill contains the cost of the nodes; OpenCost's cost is therefore excluded from totals.
    let mut costs = house.rows("spends", &["exclude_aggregate"], &[eq("provider_name", "OpenCost")]);
    assert_eq!(costs.len(), 30 * 13);
    costs.dedup();
    assert_eq!(costs, ["true"]);
    // The new version that crashes repeatedly, and one replica more elsewhere.
    let mut changes = house.rows("k8s_changes", &["change", "kind", "name", "field_count"], &[]);
    changes.sort_unstable();
    assert_eq!(changes, ["Changed | Deployment | checkout | 2", "Changed | Deployment | storefront | 1"]);
}

#[test]
fn the_sample_is_imported_with_every_row() {
    let house = House::new();
    let report = house.import(csv(NOW));
    assert_eq!((report.state, report.rows_skipped), (State::Done, 0), "{report:?}");
    // 203 days of five accounts with seven services, the nodes of two clusters, five kinds of waste, a changed volume and three lines of a
    // commitment; 20 days of a new service, and 123 days of a deleted gateway.
    let expected = 203 * 49 + 20 + 123;
    assert_eq!((report.rows_read, report.rows_written), (expected, expected));
    let period = report.period.expect("charges have a period");
    assert_eq!((&period.start[..10], &period.end[..10]), ("2026-05-01", "2026-11-20"));
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
