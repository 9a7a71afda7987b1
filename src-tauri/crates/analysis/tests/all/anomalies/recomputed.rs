//! Recalculates a verdict from its JSON alone, in a few lines that share no code with the rules.

use super::generator::bill;
use analysis::anomalies::{Feedback, Rule, Verdict, find};
use catalogue::{parse_date, parse_timestamp};
use serde_json::Value;
use std::collections::BTreeMap;

const DAY: i64 = 86_400_000_000;

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { f64::midpoint(numbers[middle - 1], numbers[middle]) }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-6 * left.abs().max(1.0)
}

/// Recalculates as with a calculator: the first day, then each later day from its own comparison.
pub fn recompute(reference: &Value, current: f64) {
    let run = reference["run"].as_array().unwrap();
    assert!(close(run[0]["actual"].as_f64().unwrap(), current));
    assert_eq!((&run[0]["date"], &run[run.len() - 1]["date"]), (&reference["from"], &reference["to"]));
    let days = reference["unrest_days"].as_array().map(Vec::as_slice).unwrap_or_default();
    verdict(reference, &run[0], days);
    for day in run.iter().skip(1).filter(|day| day["compared"].is_object()) {
        verdict(&day["compared"], day, days);
        assert!(
            day["compared"]["verdicts"].is_null(),
            "false alarms raise what the first day must surpass: {day}"
        );
    }
    let is_new = reference["rule"].as_str().unwrap().ends_with("new service");
    let left_out: Vec<&Value> =
        run.iter().skip(1).filter(|day| !is_new && !day["compared"].is_object()).collect();
    let ends = left_out.first().zip(left_out.last()).map(|(first, last)| (&first["date"], &last["date"]));
    let told = &reference["not_compared"];
    assert_eq!(told.is_object().then(|| (&told["from"], &told["to"])), ends, "{reference}");
    let difference = |day: &Value| day["actual"].as_f64().unwrap() - day["expected"].as_f64().unwrap();
    // Only costs have a sum.
    let impact = reference["impact"].as_f64();
    assert!(impact.is_none_or(|impact| close(run.iter().map(difference).sum(), impact)), "{reference}");
    assert_eq!(impact.is_some(), reference["currency"].is_string());
}

/// Checks one day and its comparison. `days` are those from which floors were computed.
fn verdict(reference: &Value, day: &Value, days: &[Value]) {
    numbers(reference, day["actual"].as_f64().unwrap(), days);
    let number = |name: &str| reference[name].as_f64().unwrap();
    assert!(close(day["expected"].as_f64().unwrap(), number("expected")), "{day}: {reference}");
    range(reference, number("spread"), day);
}

/// The floor of a spread: percentages of the reference values, the minimum, and the usual variation.
fn floor(reference: &Value, weighed: &[f64], expected: f64, days: &[Value]) -> f64 {
    let number = |name: &str| reference[name].as_f64().unwrap_or_else(|| panic!("{name}: {reference}"));
    let rule = reference["rule"].as_str().unwrap();
    let high = weighed.iter().copied().fold(f64::MIN, f64::max);
    let low = weighed.iter().copied().fold(f64::MAX, f64::min);
    let level = if rule.ends_with("14 days") { 0.05 } else { 0.04 };
    let least = (0.02 * (high - low)).max(level * expected.abs()).max(number("min_spread"));
    let ordinary = reference["ordinary"]["floor"].as_f64().unwrap_or(0.0);
    let unrest = reference["unrest"].is_object().then(|| {
        let amount = unrest(reference, days);
        assert!(close(amount, reference["unrest"]["amount"].as_f64().unwrap()), "{amount}: {reference}");
        amount
    });
    least.max(ordinary).max(unrest.unwrap_or(0.0))
}

/// The usual variation of the series on the days that the comparison names.
fn unrest(reference: &Value, days: &[Value]) -> f64 {
    let (from, to) = (&reference["unrest"]["from"], &reference["unrest"]["to"]);
    let is_own = |day: &&Value| (from.as_str()..=to.as_str()).contains(&day["date"].as_str());
    let own: Vec<(&str, f64)> = days
        .iter()
        .filter(is_own)
        .map(|day| (day["date"].as_str().unwrap(), day["value"].as_f64().unwrap()))
        .collect();
    assert!(!own.is_empty(), "{reference}");
    let rule = reference["rule"].as_str().unwrap();
    if rule.ends_with("month starts") {
        let usual = reference["ordinary"]["expected"].as_f64().unwrap();
        let high = own.iter().map(|(_, value)| *value).fold(usual, f64::max);
        let low = own.iter().map(|(_, value)| *value).fold(usual, f64::min);
        return (high - low) / 2.0;
    }
    // Grouped by weekday; hours by hour of the day, weekdays and weekends separately.
    let mut alike: BTreeMap<(i64, bool), Vec<f64>> = BTreeMap::new();
    for (date, value) in own {
        let key = if let Some(day) = parse_date(date) {
            (i64::from(day).rem_euclid(7), false)
        } else {
            let time = parse_timestamp(date).unwrap();
            let weekday = time.div_euclid(DAY).rem_euclid(7);
            (time.rem_euclid(DAY), weekday == 2 || weekday == 3)
        };
        alike.entry(key).or_default().push(value);
    }
    let is_hourly = rule.ends_with("same hour");
    let groups = alike.into_values().filter(|values| !is_hourly || values.len() > 1);
    let differences = groups.flat_map(|values| {
        let middle = median(values.clone());
        values.into_iter().map(move |value| (value - middle).abs())
    });
    1.4826 * median(differences.collect())
}

/// Checks every number of a comparison, and that the value exceeds it.
fn numbers(reference: &Value, current: f64, days: &[Value]) {
    let number = |name: &str| reference[name].as_f64().unwrap_or_else(|| panic!("{name}: {reference}"));
    let values = reference["values"].as_array().unwrap();
    let weighed: Vec<f64> =
        values.iter().map(|one| one["value"].as_f64().unwrap() * one["weight"].as_f64().unwrap()).collect();
    let expected = median(weighed.clone());
    assert!(close(expected, number("expected")), "{reference}");
    let mad = median(weighed.iter().map(|value| (value - expected).abs()).collect());
    assert!(close(mad, number("mad")), "{reference}");
    assert!(close(floor(reference, &weighed, expected, days), number("floor")), "{reference}");
    let spread = (1.4826 * mad).max(number("floor"));
    assert!(close(spread, number("spread")), "{reference}");
    let deviation = (current - expected).abs();
    assert!(deviation >= number("min_percent") / 100.0 * expected.abs() && deviation >= number("min_amount"));
    if reference["rule"].as_str().unwrap().starts_with('A') {
        assert!(deviation > number("factor") * spread, "{reference}");
    } else {
        let low = weighed.iter().copied().fold(f64::MAX, f64::min);
        let high = weighed.iter().copied().fold(f64::MIN, f64::max);
        assert!(close(low, number("low")) && close(high, number("high")), "{reference}");
        assert!(current > high + number("margin") || current < low - number("margin"), "{reference}");
    }
    let verdicts = &reference["verdicts"];
    for name in ["factor", "margin"].into_iter().filter(|name| verdicts[*name].is_number()) {
        let (plain, percent) = (verdicts[name].as_f64().unwrap(), verdicts["percent"].as_f64().unwrap());
        assert!(close(plain * percent / 100.0, number(name)), "{name}: {reference}");
        assert!(close(percent, 100.0 + 50.0 * verdicts["wrong"].as_f64().unwrap()), "{reference}");
    }
    // A first of the month must also be unusual among its weekdays.
    if reference["ordinary"].is_object() {
        numbers(&reference["ordinary"], current, days);
    }
}

/// Checks that the range of a day follows from its numbers, and that the day is outside it.
fn range(reference: &Value, spread: f64, day: &Value) {
    let number = |name: &str| reference[name].as_f64().unwrap_or_else(|| panic!("{name}: {reference}"));
    let expected = number("expected");
    let least = (number("min_percent") / 100.0 * expected.abs()).max(number("min_amount"));
    let rule = reference["rule"].as_str().unwrap();
    let (low, high) = match rule.split_once(": ").unwrap() {
        (_, "new service") => (0.0, number("min_amount")),
        ("A", _) => {
            let far = (number("factor") * spread).max(least);
            (expected - far, expected + far)
        }
        _ => {
            let margin = number("margin");
            ((number("low") - margin).min(expected - least), (number("high") + margin).max(expected + least))
        }
    };
    let bound = |name: &str| day[name].as_f64().unwrap_or_else(|| panic!("{name}: {day}: {reference}"));
    assert!(close(bound("low"), low) && close(bound("high"), high), "{day}: {reference}");
    let actual = day["actual"].as_f64().unwrap();
    assert!(actual <= low || actual >= high, "{day}: {reference}");
}

#[test]
fn what_false_alarms_have_raised_stands_beside_what_is_usual() {
    let costs = bill(3, &[0.6, 2.0]).costs;
    let found = find(&costs, &[]).findings;
    let wrong = |one: &analysis::anomalies::Finding| Feedback {
        key: one.key.clone(),
        started_on: one.first_day() - 1,
        verdict: Verdict::Wrong,
        expected_until: None,
    };
    let feedback: Vec<Feedback> = found.iter().map(wrong).collect();
    let again = find(&costs, &feedback).findings;
    assert!(!again.is_empty() && again.len() <= found.len());
    let mut raised = 0;
    for finding in again {
        let card = finding.reference_value().unwrap();
        recompute(&card, finding.days[0].actual.to_f64());
        raised += usize::from(card["verdicts"]["wrong"] == 1);
    }
    assert!(raised > 0);
}

#[test]
fn every_verdict_is_recomputed_from_its_own_json() {
    let (mut rules, mut later, mut floors) = (Vec::new(), 0, [0, 0]);
    for seed in 0..8 {
        for finding in find(&bill(seed, &[0.3, 0.6, 2.0, -0.8]).costs, &[]).findings {
            let card = finding.reference_value().unwrap();
            recompute(&card, finding.days[0].actual.to_f64());
            let later_days = card["run"].as_array().unwrap().iter().skip(1);
            floors[0] += usize::from(card["unrest"].is_object());
            floors[1] += later_days.filter(|day| day["compared"]["unrest"].is_object()).count();
            rules.push(finding.basis.rule);
            later += finding.days.iter().filter(|day| day.basis.is_some()).count();
        }
    }
    assert!(rules.contains(&Rule::SameWeekday) && rules.contains(&Rule::NewExtreme), "{rules:?}");
    assert!(floors.iter().all(|count| *count > 5), "floors that come from unrest: {floors:?}");
    assert!(later > 20, "of {later} later days it is told what they were compared with");
}
