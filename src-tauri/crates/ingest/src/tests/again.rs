//! Importing what is there already: never added twice.

use super::kit::{House, PARTIES, focus};
use crate::{ImportError, RowsChoice, State};
use std::sync::atomic::AtomicBool;

const SHOP: &str = "AWS,100,200,Shop";
const LAB: &str = "AWS,100,300,Lab";

fn may(cost: &str) -> String {
    focus(PARTIES, &[(&format!("{cost} USD 2026-05-02"), SHOP)])
}

#[test]
fn the_same_file_changes_nothing() {
    let house = House::new();
    house.import(may("1"));
    let report = house.import(may("1"));
    assert_eq!(
        (report.state, report.rows_written, house.sum("amount", "USD").as_str()),
        (State::Unchanged, 0, "1")
    );
    assert_eq!(report.totals[0].billed_cost.as_deref(), Some("1"));
    assert_eq!(house.rows("imports", &["state"], &[]), ["done", "unchanged"]);
}

#[test]
fn a_restated_period_replaces_and_says_so() {
    let house = House::new();
    house.import(focus(
        PARTIES,
        &[("1 USD 2026-04-02", SHOP), ("2 USD 2026-05-02", SHOP), ("3 USD 2026-05-03", LAB)],
    ));
    let report = house.import_as(RowsChoice::Replace, may("7"));
    let replaced = report.replaced.unwrap();
    assert_eq!((replaced.rows, replaced.periods), (2, vec!["2026-05".to_owned()]));
    assert_eq!(
        house.rows("spends", &["amount", "date"], &[]),
        ["1 | 2026-04-02T00:00:00", "7 | 2026-05-02T00:00:00"]
    );
}

#[test]
fn another_spelling_of_the_provider_is_the_same_source() {
    let house = House::new();
    house.import(may("1"));
    house.import(may("2").replace("AWS", "Amazon Web Services"));
    assert_eq!(house.sum("amount", "USD"), "2");
}

#[test]
fn what_shares_no_account_no_time_or_no_currency_stays_beside() {
    for other in [
        focus(PARTIES, &[("2 USD 2026-05-02", LAB)]),
        focus(PARTIES, &[("2 USD 2026-05-03", SHOP)]),
        focus(PARTIES, &[("2 EUR 2026-05-02", SHOP)]),
        focus(PARTIES, &[("2 USD 2026-06-02", SHOP)]),
        focus(PARTIES, &[("2 USD 2026-05-02", "AWS,101,200,Shop")]),
        focus(PARTIES, &[("2 USD 2026-05-02", "Oracle,100,200,Shop")]),
    ] {
        let house = House::new();
        house.import(may("1"));
        let report = house.import(&other);
        assert_eq!((report.replaced, house.count("spends")), (None, 2), "{other}");
    }
}

#[test]
fn a_whole_month_replaces_all_the_days_that_came_before() {
    let house = House::new();
    house.import(focus(PARTIES, &[("1 USD 2026-05-02", SHOP)]));
    house.import(focus(PARTIES, &[("2 USD 2026-05-03", SHOP)]));
    let report = house.import(focus(PARTIES, &[("1 USD 2026-05-02", SHOP), ("2.5 USD 2026-05-03", SHOP)]));
    assert_eq!((report.replaced.unwrap().rows, house.sum("amount", "USD").as_str()), (2, "3.5"));
}

#[test]
fn parts_add_up_in_one_delivery_or_in_several() {
    let parts = [may("1"), may("2").replace("Compute", "Storage")];
    let house = House::new();
    let reports = house.import_together(&parts);
    assert!(reports.iter().all(|report| report.state == State::Done && report.replaced.is_none()));
    assert_eq!(house.sum("amount", "USD"), "3");
    let house = House::new();
    for part in &parts {
        assert_eq!(house.import(part).replaced, None);
    }
    assert_eq!(house.sum("amount", "USD"), "3");
}

#[test]
fn two_versions_in_one_delivery_are_asked_about_and_the_same_rows_count_once() {
    let house = House::new();
    let reports = house.import_together(&[may("1"), may("2")]);
    assert!(reports.iter().all(|report| report.state == State::NeedsDecision), "{reports:?}");
    assert_eq!(reports[0].decision.as_ref().unwrap().reason, "two_versions");
    assert_eq!(house.count("spends"), 0);
    let same = format!("{}\n", may("1"));
    let states: Vec<State> =
        house.import_together(&[may("1"), same]).iter().map(|report| report.state).collect();
    assert_eq!((states, house.sum("amount", "USD").as_str()), (vec![State::Done, State::Unchanged], "1"));
}

#[test]
fn a_file_whose_rows_were_replaced_can_be_imported_again() {
    let house = House::new();
    house.import(may("1"));
    house.import(may("2"));
    let report = house.import(may("1"));
    assert_eq!((report.state, house.sum("amount", "USD").as_str()), (State::Done, "1"));
}

#[test]
fn rows_a_person_wrote_are_never_replaced() {
    let house = House::new();
    house.import(may("1"));
    let freed: Result<u64, store::StoreError> = house.store.transaction(&house.caller, |rows| {
        rows.update("spends", &[], &[("import_id", catalogue::ValueRef::Null)])
    });
    freed.unwrap();
    house.import(may("2"));
    assert_eq!(house.sum("amount", "USD"), "3");
}

#[test]
fn a_dry_run_tells_everything_and_writes_nothing() {
    let house = House::new();
    let path = house.file("bill.csv", may("1.5").as_bytes());
    let report = house.try_import(&path, true, &AtomicBool::new(false)).unwrap();
    assert_eq!((report.state, report.totals[0].billed_cost.as_deref()), (State::Done, Some("1.5")));
    for table in ["spends", "cloud_accounts", "imports", "spend_sources"] {
        assert_eq!(house.count(table), 0, "{table}");
    }
}

#[test]
fn a_cancelled_import_leaves_nothing_behind() {
    let house = House::new();
    let path = house.file("bill.csv", may("1").as_bytes());
    let error = house.try_import(&path, false, &AtomicBool::new(true)).unwrap_err();
    assert!(matches!(error, ImportError::Cancelled), "{error}");
    assert_eq!((house.count("spends"), house.count("imports")), (0, 0));
}

#[test]
fn a_file_that_another_server_has_taken_over_is_not_written() {
    let mut house = House::new();
    house.is_still_due = Some(Box::new(|_| Ok(false)));
    let path = house.file("bill.csv", may("1").as_bytes());
    let error = house.try_import(&path, false, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, ImportError::Cancelled), "{error}");
    assert_eq!((house.count("spends"), house.count("imports")), (0, 0));
    house.is_still_due = None;
    house.try_import(&path, false, &AtomicBool::new(false)).unwrap();
    assert_eq!(house.count("spends"), 1);
}

#[test]
fn a_file_that_spells_its_provider_in_two_ways_replaces_only_what_it_tells() {
    let house = House::new();
    house.import(focus(PARTIES, &[("1 USD 2026-05-02", SHOP), ("2 USD 2026-06-02", SHOP)]));
    let rows = [("4 USD 2026-05-02", SHOP), ("5 USD 2026-05-02", "Amazon Web Services,100,200,Shop")];
    let report = house.import_as(RowsChoice::Replace, focus(PARTIES, &rows));
    assert_eq!((report.replaced.unwrap().rows, house.sum("amount", "USD").as_str()), (1, "11"));
}

#[test]
fn the_replaced_import_says_what_replaced_it() {
    let house = House::new();
    house.import(focus(PARTIES, &[("1 USD 2026-04-02", SHOP), ("2 USD 2026-05-02", SHOP)]));
    house.import(may("3"));
    let imports = house.rows("imports", &["rows_written", "report"], &[]);
    assert_eq!(imports.iter().filter(|row| row.starts_with("1 | ")).count(), 2);
    assert!(
        imports.iter().any(|row| row.contains("1 rows of 2026-05 were replaced by the later file file.csv.")),
        "{imports:?}"
    );
}
