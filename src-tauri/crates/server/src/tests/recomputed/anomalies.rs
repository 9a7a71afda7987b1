//! Anomalies: the verdict of the first day, the range of each day, the impact, and its drivers.

use super::{Client, data, number, rows, same, text};
use serde_json::Value;
use std::collections::BTreeMap;

const ANOMALIES: &str = "{ anomaly(where: { rule_version: { _is_null: false } }) {
    id scope name current_value started_on ended_on impact currency reference_value
} }";

pub async fn check(there: &Client) {
    let found = data(there, ANOMALIES).await;
    let mut rules = Vec::new();
    for anomaly in rows(&found, "anomaly") {
        verdict(anomaly);
        rules.push(text(&anomaly["reference_value"], "rule").to_owned());
        if anomaly["currency"].is_string() {
            drivers(there, anomaly).await;
        }
    }
    for rule in ["A: same weekday", "A: new service", "A: same hour"] {
        assert!(rules.iter().any(|found| found == rule), "nothing of {rule}: {rules:?}");
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { f64::midpoint(numbers[middle - 1], numbers[middle]) }
}

/// Recomputes the verdict like a person with a calculator.
fn verdict(anomaly: &Value) {
    let card = &anomaly["reference_value"];
    let weighed: Vec<f64> =
        rows(card, "values").iter().map(|one| number(one, "value") * number(one, "weight")).collect();
    let expected = median(weighed.clone());
    same(expected, number(card, "expected"), card);
    let mad = median(weighed.iter().map(|value| (value - expected).abs()).collect());
    same(mad, number(card, "mad"), card);
    let spread = (1.4826 * mad).max(number(card, "floor"));
    same(spread, number(card, "spread"), card);

    let run = rows(card, "run");
    let (first, newest) = (&run[0], &run[run.len() - 1]);
    let actual = number(first, "actual");
    same(actual, number(anomaly, "current_value"), card);
    same(expected, number(first, "expected"), card);
    assert_eq!((&first["date"], &newest["date"]), (&card["from"], &card["to"]));
    let day = |step: &Value| step.as_str().unwrap_or_default()[..10].to_owned();
    assert_eq!(
        (day(&card["from"]), day(&card["to"])),
        (day(&anomaly["started_on"]), day(&anomaly["ended_on"]))
    );

    let least = (number(card, "min_percent") / 100.0 * expected.abs()).max(number(card, "min_amount"));
    let far = (actual - expected).abs();
    assert!(far >= least, "{card}");
    let rule = text(card, "rule");
    let (low, high) = if rule.starts_with('A') {
        assert!(far > number(card, "factor") * spread, "{card}");
        let far = (number(card, "factor") * spread).max(least);
        if rule.ends_with("new service") {
            (0.0, number(card, "min_amount"))
        } else {
            (expected - far, expected + far)
        }
    } else {
        let (low, high) = (number(card, "low"), number(card, "high"));
        same(weighed.iter().copied().fold(f64::MAX, f64::min), low, card);
        same(weighed.iter().copied().fold(f64::MIN, f64::max), high, card);
        let margin = number(card, "margin");
        assert!(actual > high + margin || actual < low - margin, "{card}");
        ((low - margin).min(expected - least), (high + margin).max(expected + least))
    };
    same(low, number(first, "low"), card);
    same(high, number(first, "high"), card);
    for day in run.iter().filter(|day| day["low"].is_number()) {
        let actual = number(day, "actual");
        assert!(actual <= number(day, "low") || actual >= number(day, "high"), "{day}: {card}");
    }
    let demand = &card["reference"];
    if demand.is_object() {
        let buffer = number(demand, "value").abs() * number(demand, "buffer_percentage") / 100.0;
        let is_below = text(demand, "operator").starts_with('L');
        let bound = number(demand, "value") + if is_below { -buffer } else { buffer };
        same(bound, number(demand, "bound"), card);
        let is_beyond = |day: &Value| {
            if is_below { number(day, "actual") <= bound } else { number(day, "actual") >= bound }
        };
        assert!(run.iter().all(is_beyond), "{card}");
    }
    // The card of a metric contains the plotted values, including the evaluated steps.
    if anomaly["currency"].is_null() {
        let around = rows(card, "around");
        for step in run {
            let drawn = around.iter().find(|one| one["date"] == step["date"]);
            same(
                number(drawn.unwrap_or_else(|| panic!("{step} is not drawn: {card}")), "value"),
                number(step, "actual"),
                card,
            );
        }
        assert!(around.len() > run.len() + 24, "{card}");
    }
    // Only amounts of money are added up.
    assert_eq!(anomaly["impact"].is_number(), anomaly["currency"].is_string(), "{anomaly}");
    if anomaly["impact"].is_number() {
        let impact = run.iter().map(|day| number(day, "actual") - number(day, "expected")).sum();
        same(impact, number(anomaly, "impact"), card);
        same(impact, number(card, "impact"), card);
    }
}

/// Each dimension adds up to the impact, and the plotted series contains the evaluated days.
async fn drivers(there: &Client, anomaly: &Value) {
    let query = format!(
        "{{ spend_anomaly_drivers(request: {{ anomaly_id: {} }}) {{
            impact rows {{ dimension actual expected amount }} days {{ date amount }}
        }} }}",
        anomaly["id"]
    );
    let found = data(there, &query).await["spend_anomaly_drivers"].clone();
    let impact = number(anomaly, "impact");
    same(number(&found, "impact"), impact, &found);
    let mut dimensions: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows(&found, "rows") {
        same(number(row, "actual") - number(row, "expected"), number(row, "amount"), row);
        *dimensions.entry(text(row, "dimension")).or_default() += number(row, "amount");
    }
    assert!(dimensions.len() >= 4, "{found}");
    for sum in dimensions.values() {
        same(*sum, impact, &found);
    }
    let days: BTreeMap<&str, f64> =
        rows(&found, "days").iter().map(|day| (text(day, "date"), number(day, "amount"))).collect();
    for day in rows(&anomaly["reference_value"], "run") {
        if let Some(amount) = days.get(text(day, "date")) {
            same(*amount, number(day, "actual"), day);
        }
    }
}
