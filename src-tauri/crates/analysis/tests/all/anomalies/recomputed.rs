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

/// What a person with a calculator does.
pub fn recompute(reference: &Value, current: f64) {
    let number = |name: &str| reference[name].as_f64().unwrap_or_else(|| panic!("{name}: {reference}"));
    let values = reference["values"].as_array().unwrap();
    let weighed: Vec<f64> =
        values.iter().map(|one| one["value"].as_f64().unwrap() * one["weight"].as_f64().unwrap()).collect();
    let expected = median(weighed.clone());
    assert!(close(expected, number("expected")), "{reference}");
    let mad = median(weighed.iter().map(|value| (value - expected).abs()).collect());
    assert!(close(mad, number("mad")), "{reference}");
    let spread = (1.4826 * mad).max(number("floor"));
    assert!(close(spread, number("spread")), "{reference}");
    let run = reference["run"].as_array().unwrap();
    assert!(close(run[0]["actual"].as_f64().unwrap(), current));
    assert!(close(run[0]["expected"].as_f64().unwrap(), expected));
    assert_eq!((&run[0]["date"], &run[run.len() - 1]["date"]), (&reference["from"], &reference["to"]));
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
    ranges(reference, spread);
    let difference = |day: &Value| day["actual"].as_f64().unwrap() - day["expected"].as_f64().unwrap();
    // Only costs are added up.
    let impact = reference["impact"].as_f64();
    assert!(impact.is_none_or(|impact| close(run.iter().map(difference).sum(), impact)), "{reference}");
    assert_eq!(impact.is_some(), reference["currency"].is_string());
}

/// The range of the first day follows from its numbers, and no day that was judged by itself lies within its own.
fn ranges(reference: &Value, spread: f64) {
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
    for (place, day) in reference["run"].as_array().unwrap().iter().enumerate() {
        let Some(range) = day["low"].as_f64().zip(day["high"].as_f64()) else {
            assert!(place > 0 && rule.ends_with("new service"), "{reference}");
            continue;
        };
        let actual = day["actual"].as_f64().unwrap();
        assert!(actual <= range.0 || actual >= range.1, "{day}: {reference}");
        assert!(place > 0 || close(range.0, low) && close(range.1, high), "{day}: {reference}");
    }
}

#[test]
fn every_verdict_is_recomputed_from_its_own_json() {
    let (mut rules, mut has_own_range) = (Vec::new(), false);
    for seed in 0..8 {
        for finding in find(&bill(seed, &[0.3, 0.6, 2.0, -0.8]).costs, &[]).findings {
            recompute(&finding.reference_value().unwrap(), finding.days[0].actual.to_f64());
            rules.push(finding.basis.rule);
            has_own_range |= finding.days.iter().any(|day| day.normal != finding.days[0].normal);
        }
    }
    assert!(rules.contains(&Rule::SameWeekday) && rules.contains(&Rule::NewExtreme), "{rules:?}");
    assert!(has_own_range, "no later day has a range of its own");
}
