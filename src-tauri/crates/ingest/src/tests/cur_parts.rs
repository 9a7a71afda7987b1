//! Cost and Usage Reports without a manifest: parts of one report count side by side; for other reports without a common charge the user is asked.

use super::bill_aws_cur::report;
use super::kit::House;
use crate::{Report, RowsChoice, State};

/// A month with these costs, all of one service and account.
fn month(service: &str, costs: &[&str]) -> String {
    let rows: Vec<(&str, &str, &str)> = costs.iter().map(|cost| ("Usage", *cost, "")).collect();
    report("", &rows).replace("AmazonEC2", service).replace(",i-", &format!(",{service}-"))
}

fn first() -> String {
    month("AmazonEC2", &["10", "11", "12"])
}

fn second() -> String {
    month("AmazonRDS", &["5", "6", "7"])
}

fn import(house: &House, name: &str, text: &str) -> Report {
    house.import_file(&house.file(name, text.as_bytes()))
}

#[track_caller]
fn asks(report: &Report) {
    assert_eq!(report.state, State::NeedsDecision, "{report:#?}");
    let decision = report.decision.as_ref().unwrap();
    assert_eq!(decision.reason, "unknown_parts");
    let choices: Vec<&str> = decision.choices.iter().map(|choice| choice.choice.as_str()).collect();
    assert_eq!(choices, ["add", "replace"], "{decision:#?}");
}

#[test]
fn two_reports_of_a_month_without_a_charge_in_common_are_asked_about() {
    let house = House::new();
    assert_eq!(import(&house, "costs.csv", &first()).state, State::Done);
    asks(&import(&house, "other.csv", &second()));
    assert_eq!(house.sum("amount", "USD"), "33");
    let replaced = house.import_as(RowsChoice::Replace, second());
    assert_eq!((replaced.state, house.sum("amount", "USD")), (State::Done, "18".to_owned()));
    let added = house.import_as(RowsChoice::Add, first());
    assert_eq!((added.state, house.sum("amount", "USD")), (State::Done, "51".to_owned()));
    // A restatement is not a further part.
    assert_eq!(import(&house, "costs.csv", &first().replace(",12,", ",13,")).state, State::Done);
    assert_eq!(house.sum("amount", "USD"), "52");
}

#[test]
fn parts_that_are_numbered_and_reports_of_other_days_or_accounts_count_side_by_side() {
    let house = House::new();
    assert_eq!(import(&house, "costs-00001.csv", &first()).state, State::Done);
    assert_eq!(import(&house, "costs-00002.csv", &second()).state, State::Done);
    assert_eq!(import(&house, "other.csv", &second().replace(",222,", ",333,")).state, State::Done);
    let days = month("AmazonS3", &["1", "2", "3"]).replace("2026-05-0", "2026-05-2");
    let days = days.replace("111,2026-05-21", "111,2026-05-01");
    assert_eq!(import(&house, "days.csv", &days).state, State::Done);
    assert_eq!(house.sum("amount", "USD"), "75");
}

#[test]
fn two_reports_of_one_delivery_are_asked_about() {
    let house = House::new();
    let reports = house.import_together(&[first(), second()]);
    reports.iter().for_each(asks);
    assert_eq!(house.count("spends"), 0);
    for (choice, sum) in [(RowsChoice::Add, "51"), (RowsChoice::Replace, "18")] {
        let house = House::new();
        let paths = [house.file("0.csv", first().as_bytes()), house.file("1.csv", second().as_bytes())];
        let never = std::sync::atomic::AtomicBool::new(false);
        let reports = house.deliver(&paths, Some(choice), false, &never).unwrap();
        assert!(reports.iter().flatten().all(|report| report.state == State::Done), "{reports:#?}");
        assert_eq!(house.sum("amount", "USD"), sum);
    }
}
