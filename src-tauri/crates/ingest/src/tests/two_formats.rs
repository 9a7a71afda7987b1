//! A month in two formats: restated charges cause a question.

use super::kit::{House, PARTIES, focus};
use crate::{Report, RowsChoice, State};

/// Twelve charges of each account.
fn bill(payer: &str, cost: &str, accounts: &[&str]) -> String {
    bill_with(("", ""), payer, cost, accounts)
}

/// Twelve charges of each account, with additional columns and their cells.
fn bill_with((columns, cells): (&str, &str), payer: &str, cost: &str, accounts: &[&str]) -> String {
    let days: Vec<String> = (2..14).map(|day| format!("{cost} USD 2026-05-{day:02}")).collect();
    let parties: Vec<String> =
        accounts.iter().map(|account| format!("AWS,{payer},{account},{account}{cells}")).collect();
    let rows: Vec<(&str, &str)> =
        parties.iter().flat_map(|party| days.iter().map(move |day| (day.as_str(), party.as_str()))).collect();
    focus(&format!("{PARTIES}{columns}"), &rows)
}

/// The same charges as a Cost and Usage Report.
fn report(cost: &str, accounts: &[&str]) -> String {
    let mut text = "bill_payer_account_id,bill_billing_period_start_date,line_item_usage_account_id,line_item_line_item_type,\
                    line_item_usage_start_date,line_item_usage_end_date,line_item_product_code,line_item_usage_type,line_item_currency_code,\
                    line_item_unblended_cost\n"
        .to_owned();
    for account in accounts {
        for day in 2..14 {
            text += &format!(
                "100,2026-05-01T00:00:00Z,{account},Usage,2026-05-{day:02}T00:00:00Z,2026-05-{day:02}T23:00:00Z,EC2,Box,USD,{cost}\n"
            );
        }
    }
    text
}

fn reason(report: Report) -> String {
    assert_eq!(report.state, State::NeedsDecision, "{report:#?}");
    report.decision.unwrap().reason
}

#[test]
fn an_account_that_another_kind_of_file_tells_is_asked_about_when_a_file_replaces_its_own_part() {
    let house = House::new();
    house.import(report("1", &["200", "201"]));
    house.import_as(RowsChoice::ReplaceAccounts, bill("100", "2", &["200"]));
    assert_eq!(house.sum("amount", "USD"), "36");
    for both in [bill("100", "3", &["200", "201"]), report("4", &["200", "201"])] {
        assert_eq!(reason(house.import(&both)), "told_otherwise");
        assert_eq!(house.sum("amount", "USD"), "36");
    }
    // The earlier file contains the account whose rows the other file replaced.
    assert_eq!(reason(house.import(report("1", &["200", "201"]))), "told_otherwise");
    house.import_as(RowsChoice::Replace, bill("100", "3", &["200", "201"]));
    assert_eq!((house.sum("amount", "USD").as_str(), house.count("spends")), ("72", 24));
}

#[test]
fn charges_that_stand_beside_those_of_another_kind_of_file_come_again_unasked() {
    let house = House::new();
    house.import(report("1", &["200"]));
    house.import_as(RowsChoice::Add, bill("100", "2", &["200"]));
    assert_eq!(house.import(bill("100", "3", &["200"])).state, State::Done);
    assert_eq!(house.sum("amount", "USD"), "48");
}

#[test]
fn an_account_that_is_told_under_another_billing_account_is_asked_about_when_a_file_replaces_its_own_part() {
    let house = House::new();
    house.import(bill("100", "2", &["200"]));
    house.import(bill("999", "1", &["201"]));
    let both = bill("100", "3", &["200", "201"]);
    assert_eq!(reason(house.import(&both)), "told_otherwise");
    house.import_as(RowsChoice::Replace, &both);
    assert_eq!((house.sum("amount", "USD").as_str(), house.count("spends")), ("72", 24));
}

#[test]
fn a_month_that_another_version_of_focus_tells_in_other_words_is_asked_about() {
    let older = bill_with((",SkuId", ",sku-1"), "100", "1", &["200", "201"]);
    let newer = bill_with((",SkuId,InvoiceId", ",SKU.1,inv-7"), "100", "1.25", &["200", "201"]);
    let house = House::new();
    house.import(&older);
    assert_eq!(reason(house.import(&newer)), "told_otherwise");
    assert_eq!(house.sum("amount", "USD"), "24");
    house.import_as(RowsChoice::Replace, &newer);
    assert_eq!((house.sum("amount", "USD").as_str(), house.count("spends")), ("30", 24));
    // A file that fits several versions is not certainly of another version.
    let house = House::new();
    house.import(bill("100", "1", &["200"]));
    assert_eq!(house.import(bill_with((",SkuId", ",sku-1"), "100", "1.25", &["200"])).state, State::Done);
    assert_eq!(house.sum("amount", "USD"), "27");
    // Both in one delivery.
    let reports = House::new().import_together(&[older, newer]);
    let reasons = reports.into_iter().map(reason).collect::<Vec<_>>();
    assert_eq!(reasons, ["two_versions", "two_versions"]);
}

/// Daily or hourly charges of one account for a range of days of May.
fn report_of(days: std::ops::RangeInclusive<u32>, is_by_hour: bool, cost: &str) -> String {
    let mut text = report("1", &[]);
    for day in days {
        let hours = if is_by_hour { 0..24 } else { 0..1 };
        for hour in hours {
            let end = if is_by_hour { format!("{hour:02}:59:59") } else { "23:59:59".to_owned() };
            text += &format!(
                "100,2026-05-01T00:00:00Z,200,Usage,2026-05-{day:02}T{hour:02}:00:00Z,2026-05-{day:02}T{end}Z,EC2,Box,USD,{cost}\n"
            );
        }
    }
    text
}

#[test]
fn hours_after_days_are_asked_about_at_another_cost_too() {
    let (by_day, by_hour) = (report_of(1..=20, false, "24"), report_of(1..=20, true, "1.25"));
    for [first, second] in [[&by_day, &by_hour], [&by_hour, &by_day]] {
        let house = House::new();
        let before = house.import(first).totals[0].billed_cost.clone().unwrap();
        let asked = house.import(second).decision.unwrap();
        assert_eq!(asked.reason, "told_otherwise");
        assert!(asked.question.contains("by the hour or by the day"), "{}", asked.question);
        assert_eq!(house.sum("amount", "USD"), before);
        let reports = House::new().import_together(&[first.clone(), second.clone()]);
        assert_eq!(reports.into_iter().map(reason).collect::<Vec<_>>(), ["two_versions", "two_versions"]);
    }
    // The rest of the month may be hourly.
    let house = House::new();
    house.import(&by_day);
    assert_eq!(house.import(report_of(21..=31, true, "1")).state, State::Done);
    assert_eq!(house.sum("amount", "USD"), "744");
}

#[test]
fn a_few_days_that_another_kind_of_file_tells_again_are_asked_about() {
    // FOCUS covers the 2nd to the 13th.
    let house = House::new();
    house.import(bill("100", "2", &["200"]));
    assert_eq!(reason(house.import(report_of(13..=31, false, "1"))), "told_otherwise");
    assert_eq!(house.import(report_of(14..=31, false, "1")).state, State::Done);
    assert_eq!(house.sum("amount", "USD"), "42");
    // A restatement that covers more of these days causes a question too; one that overlaps as before does not.
    assert_eq!(house.import(report_of(14..=31, false, "3")).state, State::Done);
    assert_eq!(reason(house.import(report_of(12..=31, false, "3"))), "told_otherwise");
    assert_eq!(house.sum("amount", "USD"), "78");
}
