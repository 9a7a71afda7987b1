//! Commitments, proposals, allocation of shared cost, unit costs and the weekly digest.

use super::{Client, data, number, rows, same, same_share, text};
use catalogue::{format_date, parse_date};
use serde_json::Value;
use std::collections::BTreeMap;

const FIGURES: &str = r#"{
    spend_commitments(request: { from: "FROM", to: "UNTIL" }) {
        rows { utilization used_cost unused_cost }
        totals {
            effective_savings_rate list_cost effective_cost negotiated_savings commitment_savings unused_cost utilization left_out_charges
        }
    }
    spend_commitment_proposals(request: { upfront: 0.5, term_months: 12, discount: 0.3 }) { rows {
        hours eligible_cost discount break_even_utilization
        recommended { hourly commitment_cost used_cost covered_cost cost saving utilization coverage term_cost upfront_cost }
    } }
    allocated_cost(where: { date: { _gte: "FROM" } }) { rule_id date currency target source_amount weight weight_total amount }
    unit_costs(request: { name: "orders", from: "FROM", to: "UNTIL" }) { rows { cost value unit_cost } }
    insight { rule }
}"#;

pub async fn check(there: &Client) {
    let known =
        data(there, "{ spend_forecast(request: {}) { known_until } }").await["spend_forecast"].clone();
    let until = text(&known, "known_until");
    let from = format_date(parse_date(until).unwrap() - 40);
    let query = FIGURES.replace("FROM", &from).replace("UNTIL", until);
    let found = data(there, &query).await;
    commitments(&found["spend_commitments"]);
    for row in rows(&found["spend_commitment_proposals"], "rows") {
        proposal(row);
    }
    receipts(rows(&found, "allocated_cost"));
    for row in rows(&found["unit_costs"], "rows") {
        same(number(row, "cost") / number(row, "value"), number(row, "unit_cost"), row);
    }
    digest(rows(&found, "insight"));
}

fn commitments(found: &Value) {
    let mut unused = 0.0;
    for row in rows(found, "rows") {
        let (used, idle) = (number(row, "used_cost"), number(row, "unused_cost"));
        same_share(used / (used + idle), &row["utilization"], row);
        unused += idle;
    }
    let totals = &found["totals"];
    assert_eq!(totals["left_out_charges"], 0, "{totals}");
    let (list, effective) = (number(totals, "list_cost"), number(totals, "effective_cost"));
    same(unused, number(totals, "unused_cost"), totals);
    same_share((list - effective) / list, &totals["effective_savings_rate"], totals);
    // Total savings are those by price and by commitments, less the unused part of the commitments.
    let saved = number(totals, "negotiated_savings") + number(totals, "commitment_savings");
    same(saved - unused, list - effective, totals);
}

fn proposal(row: &Value) {
    let discount = number(row, "discount");
    same_share(1.0 - discount, &row["break_even_utilization"], row);
    let best = &row["recommended"];
    if best.is_null() {
        return;
    }
    let (eligible, hourly) = (number(row, "eligible_cost"), number(best, "hourly"));
    let (cost, used, covered) =
        (number(best, "commitment_cost"), number(best, "used_cost"), number(best, "covered_cost"));
    same(hourly * number(row, "hours"), cost, row);
    assert!((used / (1.0 - discount) - covered).abs() < 0.01, "{row}");
    same(covered - cost, number(best, "saving"), row);
    same(eligible - number(best, "saving"), number(best, "cost"), row);
    same_share(used / cost, &best["utilization"], row);
    same_share(covered / eligible, &best["coverage"], row);
    same(number(best, "term_cost") / 2.0, number(best, "upfront_cost"), row);
    // A year from the day after the last known one.
    let days = number(best, "term_cost") / (hourly * 24.0);
    assert!((days - 365.5).abs() < 0.6, "{days}: {row}");
}

/// The shares of a day add up to the allocated amount, each in proportion to its weight, up to a remaining cent.
fn receipts(shares: &[Value]) {
    let mut days: BTreeMap<(&str, &str, &str), Vec<&Value>> = BTreeMap::new();
    for share in shares {
        let key = (text(share, "rule_id"), text(share, "date"), text(share, "currency"));
        days.entry(key).or_default().push(share);
    }
    for parts in days.values() {
        let first = parts[0];
        let (source, whole) = (number(first, "source_amount"), number(first, "weight_total"));
        same(parts.iter().map(|part| number(part, "amount")).sum(), source, first);
        for part in parts {
            same(source, number(part, "source_amount"), part);
            if whole > 0.0 {
                let by_weight = source * number(part, "weight") / whole;
                assert!((by_weight - number(part, "amount")).abs() < 0.010_001, "{part}");
            }
        }
    }
}

fn digest(insights: &[Value]) {
    let mut sentences = 0;
    for rule in insights.iter().map(|insight| &insight["rule"]).filter(|rule| rule["change"].is_number()) {
        same(number(rule, "cost") - number(rule, "cost_before"), number(rule, "change"), rule);
        for driver in rule["drivers"].as_array().into_iter().flatten() {
            same(number(driver, "cost") - number(driver, "cost_before"), number(driver, "change"), driver);
        }
        sentences += 1;
    }
    assert!(sentences > 0, "nothing is said of the week");
}
