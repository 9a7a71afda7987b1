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
    let difference = |day: &Value| day["actual"].as_f64().unwrap() - day["expected"].as_f64().unwrap();
    assert!(close(run.iter().map(difference).sum(), number("impact")), "{reference}");
}

#[test]
fn every_verdict_is_recomputed_from_its_own_json() {
    let mut rules = Vec::new();
    for seed in 0..8 {
        for finding in find(&bill(seed, &[0.3, 0.6, 2.0, -0.8]).costs, &[]).findings {
            recompute(&finding.reference_value().unwrap(), finding.days[0].actual.to_f64());
            rules.push(finding.basis.rule);
        }
    }
    assert!(rules.contains(&Rule::SameWeekday) && rules.contains(&Rule::NewExtreme), "{rules:?}");
}
