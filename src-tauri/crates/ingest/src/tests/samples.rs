//! Tests every real sample file against sums computed independently. The files are shared among the developers and are not part of the
//! repository: without them, these tests print a message and pass.

use super::kit::{House, decimal};
use crate::{FormAnswers, Report, State};
use catalogue::{format_timestamp, parse_timestamp};
use serde_json::Value;
use std::path::{Path, PathBuf};

const FOLDER: &str = "/work/shared/data";

/// The samples below a folder, with their expected results.
fn samples(below: &str) -> Vec<(String, PathBuf, Value)> {
    let root = Path::new(FOLDER);
    let Ok(table) = std::fs::read_to_string(root.join("EXPECTED.md")) else {
        println!("{FOLDER} is not here: the samples of {below} were not tried");
        return Vec::new();
    };
    let rows = table.lines().filter_map(|line| {
        let (name, truth) = line.strip_prefix("| ")?.strip_suffix("` |")?.split_once(" | `")?;
        name.starts_with(below).then(|| {
            (
                name.to_owned(),
                root.join(name),
                serde_json::from_str(truth).expect("the expectations are JSON"),
            )
        })
    });
    let samples: Vec<_> = rows.collect();
    assert!(!samples.is_empty(), "EXPECTED.md lists nothing below {below}");
    samples
}

/// Files that are refused or not completely imported, with a part of the reason in the report.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("focus/negative/duplicate-header.csv", "has BilledCost twice"),
    ("focus/negative/unknown-header.csv", "lacks BillingAccountId"),
    ("focus/negative/literal-null.csv", "BilledCost: empty"),
    ("focus/negative/null-chargeperiodstart.csv", "ChargePeriodStart: empty"),
    ("focus/spec-examples/commitment_discount_purchase_scenario_1.csv", "lacks BillingCurrency"),
    ("focus/spec-examples/commitment_discount_usage_scenario_1.csv", "lacks BillingCurrency"),
];

#[test]
fn every_focus_sample_ends_in_its_totals_or_says_why_not() {
    for (name, path, truth) in samples("focus/") {
        let house = House::new();
        let report = house.import_file(&path);
        if let Some((_, reason)) = EXCEPTIONS.iter().find(|(exception, _)| *exception == name) {
            let mut said: Vec<String> =
                report.reasons.iter().map(|reason| format!("{}: {}", reason.column, reason.reason)).collect();
            said.extend(report.error.iter().map(|error| error.message.clone()));
            assert!(said.iter().any(|said| said.contains(reason)), "{name}: {said:?}");
            assert_eq!((report.rows_written, house.count("spends")), (0, 0), "{name}");
            continue;
        }
        assert_eq!(report.state, State::Done, "{name}: {report:#?}");
        assert_eq!(report.rows_read, truth["rows"], "{name}");
        assert_eq!(report.rows_written, truth["rows"], "{name}");
        check_costs(&name, &house, &report, &truth);
        check_period(&name, &report, &truth);
        check_values(&name, &house, &truth);
    }
}

fn check_costs(name: &str, house: &House, report: &Report, truth: &Value) {
    for (column, stored, told) in [
        ("BilledCost", "billed_cost", 0),
        ("BilledCost", "amount", 0),
        ("EffectiveCost", "effective_cost", 1),
        ("ListCost", "list_cost", 2),
        ("ContractedCost", "contracted_cost", 3),
    ] {
        let expected = truth[column].as_object().expect("a sum per currency");
        assert_eq!(report.totals.len(), expected.len(), "{name}");
        for total in &report.totals {
            let sum = decimal(expected[&total.currency].as_str().expect("a sum"));
            let costs = [&total.billed_cost, &total.effective_cost, &total.list_cost, &total.contracted_cost];
            let reported = costs[told].as_deref().map(decimal);
            assert_eq!(reported, Some(sum), "{name}: {column} in the report");
            assert_eq!(house.sum(stored, &total.currency), sum.to_string(), "{name}: {stored} in the table");
        }
    }
}

fn check_period(name: &str, report: &Report, truth: &Value) {
    let expected = truth["period"].as_array().expect("a start and an end");
    // The expected values are the smallest and largest text in the file. With several spellings of times or spreadsheet dates, these are not the
    // first and last time.
    let is_sortable = |text: &Value| text.as_str().is_some_and(|text| parse_timestamp(text).is_some());
    if name.contains("lenient") || name.contains("azure-export") || !expected.iter().all(is_sortable) {
        return;
    }
    let period = report.period.as_ref().expect("rows have a period");
    let expected: Vec<String> = expected
        .iter()
        .map(|text| format!("{}Z", format_timestamp(parse_timestamp(text.as_str().unwrap()).unwrap())))
        .collect();
    assert_eq!([period.start.clone(), period.end.clone()], expected[..], "{name}");
}

fn check_values(name: &str, house: &House, truth: &Value) {
    for (column, stored) in [("ChargeCategory", "charge_category"), ("ProviderName", "provider_name")] {
        let Some(expected) = truth[column].as_object() else { continue };
        let rows = house.rows("spends", &[stored], &[]);
        for (value, count) in expected {
            assert_eq!(rows.iter().filter(|row| *row == value).count(), *count, "{name}: {column} {value}");
        }
    }
    if let Some(without) = truth["rows_without_tags"].as_u64() {
        let rows = house.rows("spends", &["tags"], &[]);
        assert_eq!(
            rows.iter().filter(|row| *row == "-").count() as u64,
            without,
            "{name}: rows without tags"
        );
    }
}

#[test]
fn every_compute_optimizer_sample_accounts_for_all_its_rows_and_savings() {
    for (name, path, truth) in samples("aws-compute-optimizer/") {
        let house = House::new();
        let report = house.import_file(&path);
        assert_eq!(report.rows_read, truth["rows"], "{name}");
        assert_eq!(report.rows_read, report.rows_written + report.rows_skipped, "{name}");
        let all = truth["sum recommendationOptions_1_estimatedMonthlySavings_value"].as_str().expect("a sum");
        let note = format!("add up to {} USD a month", decimal(all));
        assert!(report.notes.iter().any(|told| told.contains(&note)), "{name}: {:?}", report.notes);
        let stored = house
            .rows("recommendation", &["estimated_savings"], &[])
            .iter()
            .map(|savings| decimal(savings))
            .fold(decimal("0"), |sum, savings| sum.checked_add(savings).unwrap());
        assert_eq!(report.savings[0].estimated_monthly_savings, stored.to_string(), "{name}");
        let expected = if name.ends_with("ec2.csv") { ("47.58", 2) } else { ("6.2", 2) };
        assert_eq!((stored.to_string().as_str(), report.rows_written), expected, "{name}");
    }
}

#[test]
fn the_same_sample_twice_changes_nothing() {
    for (name, path, _) in samples("focus/aws-1.2/").into_iter().chain(samples("aws-compute-optimizer/")) {
        let house = House::new();
        let first = house.import_file(&path);
        let before = (house.count("spends"), house.rows("recommendation", &["id", "updated_at"], &[]));
        let second = house.import_file(&path);
        assert_eq!((second.state, second.rows_written), (State::Unchanged, 0), "{name}");
        assert_eq!((second.totals, second.savings), (first.totals, first.savings), "{name}");
        assert_eq!(
            (house.count("spends"), house.rows("recommendation", &["id", "updated_at"], &[])),
            before,
            "{name}"
        );
    }
}

#[test]
fn the_restated_sample_replaces_the_first() {
    let samples = samples("focus/versions/focus-1.4");
    let find = |end: &str| samples.iter().find(|(name, ..)| name.ends_with(end));
    let (Some(first), Some(restated)) = (find("1.4.csv"), find("restated.csv")) else { return };
    let house = House::new();
    house.import_file(&first.1);
    let report = house.import_file(&restated.1);
    let replaced = report.replaced.clone().unwrap_or_else(|| panic!("rows were replaced: {report:?}"));
    assert_eq!((replaced.rows, replaced.periods), (4, vec!["2026-05".to_owned(), "2026-06".to_owned()]));
    assert_eq!(house.sum("amount", "USD"), "23");
}

/// Bills of other providers: the column whose sum is expected, and the answer that is needed first.
#[test]
fn every_sample_of_a_provider_bill_ends_in_its_total() {
    for (below, format, column) in [
        ("aws-cur/", "aws-cur", "line"),
        ("azure-cost/", "azure-cost", "cost"),
        ("gcp-billing/", "gcp-billing", "cost"),
    ] {
        for (name, path, truth) in samples(below) {
            let house = House::new();
            if name == "azure-cost/opencost_template.csv" {
                assert_eq!(
                    house.import_file(&path).decision.expect("a question").reason,
                    "currency",
                    "{name}"
                );
                house.forms.set(FormAnswers::default().with("currency_usd").expect("a code"));
            }
            let report = house.import_file(&path);
            assert_eq!(
                report.format.as_ref().map(|format| format.id.as_str()),
                Some(format),
                "{name}: {report:#?}"
            );
            assert_eq!(report.rows_read, truth["rows"], "{name}: {report:#?}");
            assert_eq!(report.rows_read, report.rows_written + report.rows_skipped, "{name}");
            println!(
                "{name}: {:?} {} rows, {:?} {:?}",
                report.state, report.rows_written, report.totals, report.reasons
            );
            let sums = truth.as_object().expect("facts").iter();
            for (fact, sum) in
                sums.filter(|(fact, _)| fact.starts_with("sum ") && fact.to_lowercase().contains(column))
            {
                let expected = decimal(sum.as_str().expect("a sum")).to_string();
                assert_eq!(house.sum("billed_cost", "USD"), expected, "{name}: {fact}");
                assert_eq!(house.sum("amount", "USD"), expected, "{name}: {fact}");
            }
        }
    }
}

#[test]
fn a_zipped_report_is_the_report_in_it() {
    let Some((name, path, _)) = samples("aws-cur/cur1").pop() else { return };
    let house = House::new();
    let report = house.import_file(&path.with_file_name("MockTestReport-00001.csv.zip"));
    assert_eq!(
        (report.state, report.format.as_ref().map(|format| format.id.as_str())),
        (State::Done, Some("aws-cur")),
        "{name}: {report:#?}"
    );
    assert_eq!((report.rows_written, house.sum("billed_cost", "USD").as_str()), (3, "0.045152"));
}
