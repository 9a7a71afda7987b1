//! Compares imports of the real sample files with independently computed totals: `../shared/data/EXPECTED.md`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::value::RawValue;

use crate::support::exact::{amount, at};
use crate::support::programs::run;
use crate::support::service::Service;
use crate::support::shared_data;

/// The four costs: their names in a FOCUS file, in EXPECTED.md, and in our columns.
pub const COSTS: [(&str, &str); 4] = [
    ("BilledCost", "billed_cost"),
    ("EffectiveCost", "effective_cost"),
    ("ListCost", "list_cost"),
    ("ContractedCost", "contracted_cost"),
];

/// Files without a cost, currency or period in some rows: refused, or imported without these rows, with reasons.
const DAMAGED: [&str; 6] = [
    "focus/negative/duplicate-header.csv",
    "focus/negative/null-chargeperiodstart.csv",
    "focus/negative/unknown-header.csv",
    "focus/spec-examples/commitment_discount_purchase_scenario_1.csv",
    "focus/spec-examples/commitment_discount_usage_scenario_1.csv",
    "focus/negative/literal-null.csv",
];

#[tokio::test]
async fn every_cost_file_of_the_house_ends_in_its_expected_totals() {
    let Some(data) = shared_data() else {
        println!("not checked: there is no ../shared/data beside this project");
        return;
    };
    let service = Service::start();
    let client = service.client().await;
    let expected = expectations(&data.join("EXPECTED.md"), "focus/");
    assert!(expected.len() > 20, "EXPECTED.md lists {} FOCUS files", expected.len());

    for (name, truth) in &expected {
        let outcome = run(service.data_dir(), &["import", data.join(name).to_str().unwrap(), "--json"]);
        let report = at(&outcome.stdout, &["0"]);
        if DAMAGED.contains(&name.as_str()) {
            assert_says_why(name, report);
            continue;
        }
        assert_eq!(outcome.code, 0, "{name}: {outcome:#?}");
        assert_eq!(at(report, &["rows_written"]), at(truth, &["rows"]), "{name}: {report}");
        let sha256 = at(report, &["sha256"]);
        for (currency, _) in fields(at(truth, &["BilledCost"])) {
            let question = format!("{{ imports(where: {{ sha256: {{ _eq: {sha256} }} }}) {{ id }} }}");
            let id = at(&client.data(&question).await, &["imports", "0", "id"]).to_owned();
            let question = format!(
                r#"{{ spends_aggregate(where: {{ import_id: {{ _eq: {id} }}, unit: {{ _eq: "{currency}" }} }}) {{
                    aggregate {{ sum {{ amount billed_cost effective_cost list_cost contracted_cost }} }} }} }}"#
            );
            let answer = client.data(&question).await;
            let sums = at(&answer, &["spends_aggregate", "aggregate", "sum"]);
            for (theirs, ours) in COSTS {
                let truth = at(truth, &[theirs, &currency]);
                assert_eq!(
                    amount(at(sums, &[ours])),
                    amount(truth),
                    "{name}: {ours} in {currency} through the API"
                );
                let printed = total(report, &currency, ours);
                assert_eq!(
                    amount(&printed),
                    amount(truth),
                    "{name}: {ours} in {currency} on the command line"
                );
            }
        }
    }
}

#[tokio::test]
async fn every_recommendation_file_of_the_house_ends_in_its_expected_savings_or_says_why_not() {
    let Some(data) = shared_data() else {
        println!("not checked: there is no ../shared/data beside this project");
        return;
    };
    let service = Service::start();
    for (name, truth) in expectations(&data.join("EXPECTED.md"), "aws-compute-optimizer/") {
        let outcome =
            run(service.data_dir(), &["import", data.join(&name).to_str().unwrap(), "--json"]).succeeded();
        let report = at(&outcome.stdout, &["0"]);
        assert_eq!(at(report, &["rows_read"]), at(&truth, &["rows"]), "{name}: {report}");
        let savings = at(&truth, &["sum recommendationOptions_1_estimatedMonthlySavings_value"]);
        let counted = at(report, &["savings", "0", "estimated_monthly_savings"]);
        let says_why = at(report, &["notes"]).contains(&format!("{} USD", amount(savings)));
        assert!(amount(counted) == amount(savings) || says_why, "{name}: {report}");
    }
}

/// Checks that a report that skips rows, or the whole file, gives reasons.
fn assert_says_why(name: &str, report: &str) {
    let reasons = at(report, &["reasons"]);
    let error = at(report, &["error"]);
    let notes = at(report, &["notes"]);
    assert!(error != "null" || reasons != "[]" || notes != "[]", "{name} was read without a word: {report}");
}

/// The total of `cost` in `currency` as printed in the report.
fn total(report: &str, currency: &str, cost: &str) -> String {
    let totals: Vec<&RawValue> = serde_json::from_str(at(report, &["totals"])).unwrap();
    let quoted = format!("\"{currency}\"");
    let total = totals.iter().find(|total| at(total.get(), &["currency"]) == quoted);
    let total = total.unwrap_or_else(|| panic!("no total in {currency}: {report}"));
    at(total.get(), &[cost]).to_owned()
}

/// File names that begin with `prefix`, with their content in EXPECTED.md: its table has a name and JSON in each line.
pub fn expectations(file: &Path, prefix: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter_map(|line| {
        let (name, truth) = line.strip_prefix("| ")?.split_once(" | ")?;
        let truth = truth.trim().strip_prefix('`')?.strip_suffix("` |")?;
        name.starts_with(prefix).then(|| (name.to_owned(), truth.to_owned()))
    });
    lines.collect()
}

pub fn fields(json: &str) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(json).unwrap()
}
