//! A verdict is worked out again from its JSON alone, in a few lines that share nothing with the rules.

use super::generator::bill;
use analysis::anomalies::{Rule, find};
use serde_json::Value;

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { f64::midpoint(numbers[middle - 1], numbers[middle]) }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-6 * left.abs().max(1.0)
}

/// What a person with a calculator does: for the first day, then for each later one with what stands beside it.
pub fn recompute(reference: &Value, current: f64) {
    let run = reference["run"].as_array().unwrap();
    assert!(close(run[0]["actual"].as_f64().unwrap(), current));
    assert_eq!((&run[0]["date"], &run[run.len() - 1]["date"]), (&reference["from"], &reference["to"]));
    verdict(reference, &run[0]);
    for day in run.iter().skip(1).filter(|day| day["compared"].is_object()) {
        verdict(&day["compared"], day);
    }
    let is_new = reference["rule"].as_str().unwrap().ends_with("new service");
    let left_out: Vec<&Value> =
        run.iter().skip(1).filter(|day| !is_new && !day["compared"].is_object()).collect();
    let ends = left_out.first().zip(left_out.last()).map(|(first, last)| (&first["date"], &last["date"]));
    let told = &reference["not_compared"];
    assert_eq!(told.is_object().then(|| (&told["from"], &told["to"])), ends, "{reference}");
    let difference = |day: &Value| day["actual"].as_f64().unwrap() - day["expected"].as_f64().unwrap();
    // Only costs are added up.
    let impact = reference["impact"].as_f64();
    assert!(impact.is_none_or(|impact| close(run.iter().map(difference).sum(), impact)), "{reference}");
    assert_eq!(impact.is_some(), reference["currency"].is_string());
}

/// One day with what it was compared with.
fn verdict(reference: &Value, day: &Value) {
    let number = |name: &str| reference[name].as_f64().unwrap_or_else(|| panic!("{name}: {reference}"));
    let current = day["actual"].as_f64().unwrap();
    let values = reference["values"].as_array().unwrap();
    let weighed: Vec<f64> =
        values.iter().map(|one| one["value"].as_f64().unwrap() * one["weight"].as_f64().unwrap()).collect();
    let expected = median(weighed.clone());
    assert!(close(expected, number("expected")), "{reference}");
    let mad = median(weighed.iter().map(|value| (value - expected).abs()).collect());
    assert!(close(mad, number("mad")), "{reference}");
    let spread = (1.4826 * mad).max(number("floor"));
    assert!(close(spread, number("spread")), "{reference}");
    assert!(close(day["expected"].as_f64().unwrap(), expected), "{day}: {reference}");
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
    range(reference, spread, day);
}

/// The range of a day follows from its numbers, and the day does not lie within it.
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
fn every_verdict_is_recomputed_from_its_own_json() {
    let (mut rules, mut later) = (Vec::new(), 0);
    for seed in 0..8 {
        for finding in find(&bill(seed, &[0.3, 0.6, 2.0, -0.8]).costs, &[]).findings {
            recompute(&finding.reference_value().unwrap(), finding.days[0].actual.to_f64());
            rules.push(finding.basis.rule);
            later += finding.days.iter().filter(|day| day.basis.is_some()).count();
        }
    }
    assert!(rules.contains(&Rule::SameWeekday) && rules.contains(&Rule::NewExtreme), "{rules:?}");
    assert!(later > 20, "of {later} later days it is told what they were compared with");
}
