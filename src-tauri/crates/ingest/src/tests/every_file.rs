//! Tests every real file against facts that were counted independently (EXPECTED.md): a table of files and facts. A second import changes
//! nothing, and an undo leaves nothing.

use super::kit::{House, decimal, format_id};
use crate::{FormAnswers, Report, State};
use serde_json::Value as Json;
use std::path::Path;
use std::rc::Rc;

const FOLDER: &str = "/work/shared/data";

/// The format of each folder.
const FORMATS: [(&str, &str); 23] = [
    ("alerts/", "alerts"),
    ("aws-compute-optimizer/", "aws-compute-optimizer"),
    ("aws-cur/", "aws-cur"),
    ("aws-security-hub/", "aws-security-hub"),
    ("azure-cost/", "azure-cost"),
    ("focus/", "focus"),
    ("gcp-billing/", "gcp-billing"),
    ("iac/", "checkov"),
    ("infracost/", "infracost"),
    ("krr/", "krr"),
    ("kube-bench/", "kube-bench"),
    ("kubernetes/support-bundle", "support-bundle"),
    ("kubernetes/", "kubernetes"),
    ("kubescape/", "kubescape"),
    ("opencost/", "opencost"),
    ("openshift-metering/", "openshift-metering"),
    ("polaris/", "polaris"),
    ("popeye/", "popeye"),
    ("prowler/", "prowler"),
    ("terraform/", "terraform"),
    ("trivy/", "trivy"),
    ("azure-advisor/", ""),
    ("", ""),
];

/// Files that are refused or of which nothing is written, with the reason; each is covered by another test.
const REFUSED: [(&str, &str); 6] = [
    ("focus/negative/duplicate-header.csv", "has BilledCost twice"),
    ("focus/negative/unknown-header.csv", "lacks BillingAccountId"),
    ("focus/negative/literal-null.csv", "empty"),
    ("focus/negative/null-chargeperiodstart.csv", "empty"),
    ("focus/spec-examples/commitment_discount_purchase_scenario_1.csv", "lacks BillingCurrency"),
    ("focus/spec-examples/commitment_discount_usage_scenario_1.csv", "lacks BillingCurrency"),
];

/// A header with a row that does not match it.
const NOTHING_READ: [&str; 1] = ["azure-cost/headersets/BOM.csv"];

/// Tables that an import may fill; all are empty after its undo.
const TABLES: [&str; 11] = [
    "spends",
    "event_rules",
    "recommendation",
    "events",
    "logs",
    "insight",
    "cloud_resource_metrics",
    "cloud_resourses",
    "cloud_accounts",
    "spend_tag_keys",
    "import_changes",
];

fn imported(house: &House, path: &Path) -> Report {
    house.forms.set(FormAnswers::default());
    let mut report = house.import_file(path);
    if report.decision.as_ref().is_some_and(|decision| decision.reason == "currency") {
        house.forms.set(FormAnswers::default().with("currency_usd").unwrap());
        report = house.import_file(path);
    }
    report
}

/// Expected and actual values of the facts that a report or the tables can show.
fn facts(name: &str, house: &House, report: &Report, truth: &Json) -> Vec<(String, String, String)> {
    let mut facts = Vec::new();
    let mut check =
        |fact: &str, expected: String, found: String| facts.push((fact.to_owned(), expected, found));
    let findings = || report.rows_read.to_string();
    for (fact, expected) in truth.as_object().expect("facts") {
        if NOTHING_READ.contains(&name) && report.state == State::NothingRead {
            println!("{name}: no row is read: {:?}", report.reasons);
            continue;
        }
        let number = || decimal(expected.as_str().expect("a sum")).to_string();
        match fact.as_str() {
            "rows" | "findings" | "alerts" | "items" | "allocations" => {
                check(fact, expected.to_string(), findings());
            }
            "resources" if truth.get("controls").is_none() => check(fact, expected.to_string(), findings()),
            "BilledCost" | "EffectiveCost" | "ListCost" | "ContractedCost" => {
                let column = match fact.as_str() {
                    "BilledCost" => "billed_cost",
                    "EffectiveCost" => "effective_cost",
                    "ListCost" => "list_cost",
                    _ => "contracted_cost",
                };
                for (currency, sum) in expected.as_object().into_iter().flatten() {
                    let sum = decimal(sum.as_str().expect("a sum")).to_string();
                    check(&format!("{fact} {currency}"), sum, house.sum(column, currency));
                }
            }
            // In a bundle, the kinds that have their own tables.
            "pods" | "nodes" | "namespaces" | "events" if expected["items"].is_u64() => {
                let found = match fact.as_str() {
                    "events" => house.count("events"),
                    kind => house.rows(&format!("k8s_{kind}"), &["cloud_account_id"], &[]).len(),
                };
                check(fact, expected["items"].to_string(), found.to_string());
            }
            "results" if expected.is_object() => check("results", sum_of(expected), findings()),
            "severity" | "SEVERITY"
                if name.starts_with("prowler/") || name.starts_with("aws-security-hub/") =>
            {
                check(fact, sum_of(expected), findings());
            }
            rows if rows.contains(".csv") => {
                let all = truth.as_object().into_iter().flatten().filter(|(file, _)| file.contains(".csv"));
                // The facts count lines, including the header.
                let all: u64 = all.filter_map(|(_, lines)| lines.as_u64()).map(|lines| lines - 1).sum();
                check("rows of all files", all.to_string(), findings());
            }
            "totalCost" => check(fact, number(), house.sum("amount", "USD")),
            "totalMonthlyCost" => {
                // The estimates of two projects exceed the total stated in this file: the note contains both.
                let stated = |note: &String| {
                    Some(note.split("the file states ").nth(1)?.split(')').next()?.to_owned())
                };
                let said = report.notes.iter().find_map(stated);
                check(fact, number(), said.unwrap_or_default());
            }
            "vulnerabilities" | "misconfigurations" if truth["vulnerabilities"].is_object() => {
                let all = |of: &Json| {
                    of.as_object().map_or(0, |map| map.values().filter_map(Json::as_u64).sum::<u64>())
                };
                let secrets = truth["secrets"].as_u64().unwrap_or_default();
                let expected = all(&truth["vulnerabilities"]) + all(&truth["misconfigurations"]) + secrets;
                if fact == "vulnerabilities" {
                    check("findings", expected.to_string(), house.count("recommendation").to_string());
                }
            }
            sum if sum.starts_with("sum ") && sum.to_lowercase().contains("cost") => {
                check(fact, number(), house.sum("amount", "USD"));
            }
            _ => {}
        }
    }
    facts
}

/// The sum of the counts in an object.
fn sum_of(counts: &Json) -> String {
    counts.as_object().into_iter().flatten().filter_map(|(_, count)| count.as_u64()).sum::<u64>().to_string()
}

#[test]
fn every_file_arrives_with_its_facts_once_and_can_be_taken_back() {
    all_arrive(|| Rc::new(House::new()));
}

#[test]
fn every_file_arrives_and_is_taken_back_with_postgresql() {
    // An undo leaves nothing: one database serves all files.
    let Some(house) = House::on_postgresql().map(Rc::new) else { return };
    all_arrive(|| Rc::clone(&house));
}

fn all_arrive(house: impl Fn() -> Rc<House>) {
    let Ok(table) = std::fs::read_to_string(Path::new(FOLDER).join("EXPECTED.md")) else {
        println!("{FOLDER} is not here: nothing was tried");
        return;
    };
    let mut wrong = Vec::new();
    for line in table.lines() {
        let Some((name, truth)) =
            line.strip_prefix("| ").and_then(|line| line.strip_suffix("` |")?.split_once(" | `"))
        else {
            continue;
        };
        let truth: Json = serde_json::from_str(truth).expect("the expectations are JSON");
        let house = house();
        let report = imported(&house, &Path::new(FOLDER).join(name));
        let expected_format =
            FORMATS.iter().find(|(folder, _)| name.starts_with(folder)).map_or("", |(_, id)| id);
        if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            let said = format!("{:?} {:?}", report.error, report.reasons);
            println!("{name}: refused, {why}");
            if report.rows_written > 0 || !said.contains(why) {
                wrong.push(format!("{name}: {said}"));
            }
            continue;
        }
        let facts = facts(name, &house, &report, &truth);
        let told: Vec<String> = facts.iter().map(|(fact, _, found)| format!("{fact} {found}")).collect();
        println!("{name}: {} {:?} | {}", format_id(&report), report.state, told.join(", "));
        for (fact, expected, found) in &facts {
            if expected != found {
                wrong.push(format!("{name}: {fact} is {found}, expected {expected}; {:?}", report.reasons));
            }
        }
        if format_id(&report) != expected_format
            || report.rows_read != report.rows_written + report.rows_skipped
        {
            wrong.push(format!("{name}: {} {:?} {:?}", format_id(&report), report.state, report.error));
        }
        if NOTHING_READ.contains(&name) && report.state == State::NothingRead {
            continue;
        }
        let number = house.imports.get();
        let again = house.import_file(&Path::new(FOLDER).join(name));
        if !matches!(report.state, State::Done | State::DoneWithSkips) || again.state != State::Unchanged {
            wrong.push(format!("{name}: first {:?}, again {:?}", report.state, again.state));
            continue;
        }
        house.take_back(number);
        let left: Vec<&str> = TABLES.into_iter().filter(|table| count(&house, table) > 0).collect();
        if !left.is_empty() {
            wrong.push(format!("{name}: undo leaves {left:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn count(house: &House, table: &str) -> usize {
    let column = if table == "spend_tag_keys" { "key" } else { "id" };
    house.rows(table, &[column], &[]).len()
}
