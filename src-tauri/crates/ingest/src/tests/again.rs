//! Repeated imports: stored rows are never added twice.

use super::kit::{House, PARTIES, focus};
use crate::{ImportError, RowsChoice, State};
use std::sync::atomic::{AtomicBool, Ordering};

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
fn what_shares_no_account_or_no_time_stays_beside() {
    for other in [
        focus(PARTIES, &[("2 USD 2026-05-02", LAB)]),
        focus(PARTIES, &[("2 USD 2026-05-03", SHOP)]),
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
fn a_file_that_another_server_takes_over_while_it_is_read_is_not_written() {
    let mut house = House::new();
    let is_first = AtomicBool::new(true);
    house.is_still_due = Some(Box::new(move |_| Ok(is_first.swap(false, Ordering::Relaxed))));
    let path = house.file("bill.csv", may("1").as_bytes());
    let error = house.try_import(&path, false, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, ImportError::Cancelled), "{error}");
    assert_eq!((house.count("spends"), house.count("imports")), (0, 0));
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

#[test]
fn a_month_told_again_in_another_currency_is_asked_about() {
    let rows = |currency: &str, costs: [&str; 3]| {
        let charges: Vec<String> = costs
            .iter()
            .enumerate()
            .map(|(day, cost)| format!("{cost} {currency} 2026-05-0{}", day + 2))
            .collect();
        let parties = [SHOP, LAB, SHOP];
        let rows: Vec<(&str, &str)> = charges.iter().map(String::as_str).zip(parties).collect();
        focus(PARTIES, &rows)
    };
    let (dollars, euros) = (rows("USD", ["1", "2", "4"]), rows("EUR", ["0.5", "1", "2"]));
    let sums = |house: &House| [house.sum("amount", "USD"), house.sum("amount", "EUR")];
    let house = House::new();
    house.import(&dollars);
    let report = house.import(&euros);
    let decision = report.decision.expect("a question");
    assert_eq!((report.state, decision.reason.as_str()), (State::NeedsDecision, "told_otherwise"));
    let of = |choice: &str| {
        let found = decision.choices.iter().find(|one| one.choice == choice);
        let totals = &found.unwrap_or_else(|| panic!("{choice}: {:?}", decision.choices)).totals;
        totals
            .iter()
            .map(|total| format!("{} {}>{}", total.currency, total.before, total.after))
            .collect::<Vec<_>>()
    };
    assert_eq!(of("add"), ["EUR 0>3.5", "USD 7>7"]);
    assert_eq!(of("replace"), ["EUR 0>3.5", "USD 7>0"]);
    assert_eq!(decision.choices.len(), 2, "both have the same accounts");
    assert_eq!(sums(&house), ["7", "0"], "nothing is added silently");

    let report = house.import_as(RowsChoice::Replace, &euros);
    assert_eq!(
        (report.replaced.map(|replaced| replaced.rows), sums(&house)),
        (Some(3), ["0", "3.5"].map(str::to_owned))
    );
    let restated = rows("EUR", ["0.5", "1", "2.5"]);
    assert_eq!((house.import(&restated).state, sums(&house)), (State::Done, ["0", "4"].map(str::to_owned)));

    let house = House::new();
    house.import(&dollars);
    assert_eq!(house.import_as(RowsChoice::Add, &euros).state, State::Done);
    assert_eq!(sums(&house), ["7", "3.5"]);
}

#[test]
fn a_choice_of_accounts_in_another_currency_keeps_the_others() {
    let house = House::new();
    house.import(focus(PARTIES, &[("1 USD 2026-05-02", SHOP), ("2 USD 2026-05-02", LAB)]));
    let euros = focus(PARTIES, &[("0.5 EUR 2026-05-02", SHOP)]);
    assert_eq!(house.import(&euros).state, State::NeedsDecision);
    house.import_as(RowsChoice::ReplaceAccounts, &euros);
    assert_eq!([house.sum("amount", "USD"), house.sum("amount", "EUR")], ["2", "0.5"]);
}

#[test]
fn a_bill_of_two_currencies_is_no_month_told_again() {
    let both = [("1 USD 2026-05-02", SHOP), ("2 EUR 2026-05-03", SHOP), ("3 EUR 2026-05-02", SHOP)];
    let sums = |house: &House| [house.sum("amount", "USD"), house.sum("amount", "EUR")];
    let house = House::new();
    assert_eq!(house.import(focus(PARTIES, &both)).state, State::Done);
    let again = focus(PARTIES, &[("1.5 USD 2026-05-02", SHOP), both[1], both[2]]);
    assert_eq!((house.import(again).state, sums(&house)), (State::Done, ["1.5", "5"].map(str::to_owned)));
    let house = House::new();
    let parts = both.map(|row| focus(PARTIES, &[row]));
    assert!(house.import_together(&parts).iter().all(|report| report.state == State::Done));
    assert_eq!(sums(&house), ["1", "5"]);
}

#[test]
fn two_files_of_one_delivery_with_the_same_rows_in_two_currencies_are_asked_about() {
    let month = |currency: &str| {
        let days: Vec<String> = (10..22).map(|day| format!("1 {currency} 2026-05-{day}")).collect();
        focus(PARTIES, &days.iter().map(|day| (day.as_str(), SHOP)).collect::<Vec<_>>())
    };
    let reports = House::new().import_together(&[month("USD"), month("EUR")]);
    for report in reports {
        let decision = report.decision.expect("a question");
        assert_eq!(decision.reason, "two_versions");
        let replace = decision.choices.iter().find(|one| one.choice == "replace").unwrap();
        let after: Vec<&str> = replace.totals.iter().map(|total| total.after.as_str()).collect();
        assert_eq!(after, ["12", "0"], "the later file counts");
    }
}

#[test]
fn blanks_around_a_billing_account_name_no_other_source() {
    for padded in ["AWS,100 ,200,Shop", "AWS,\t100,200,Shop", " AWS,100\u{a0}, 200 ,Shop "] {
        let house = House::new();
        house.import(may("1"));
        let report = house.import(focus(PARTIES, &[("2 USD 2026-05-02", padded)]));
        assert_eq!((report.state, house.sum("amount", "USD").as_str()), (State::Done, "2"), "{padded:?}");
        assert_eq!(house.count("cloud_accounts"), 1, "{padded:?}");
    }
    let house = House::new();
    let report =
        house.import(focus(PARTIES, &[("1 USD 2026-05-02", "AWS,  ,200,Shop"), ("2 USD 2026-05-02", SHOP)]));
    assert_eq!((report.rows_skipped, house.sum("amount", "USD").as_str()), (1, "2"));
    let skipped = &report.skipped[0];
    assert_eq!((skipped.column.as_str(), skipped.reason.as_str()), ("BillingAccountId", "empty"));
}
