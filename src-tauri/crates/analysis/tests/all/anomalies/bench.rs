//! Measures how many planted anomalies are found, and how many findings are false alarms. `make bench-analysis` prints the result.

use super::generator::{ACCOUNTS, Bill, Label, SERVICES, bill};
use crate::seeds;
use analysis::anomalies::{Finding, find};
use catalogue::format_date;

fn meets(finding: &Finding, label: &Label) -> bool {
    let days = finding.days.iter().any(|day| (label.from..label.until).contains(&day.day));
    let is_named = |account, name: &str| account == Some(label.account) && name == label.service;
    let part = |part: &analysis::anomalies::Part| is_named(part.key.account, &part.key.name);
    days && (is_named(finding.key.account, &finding.key.name) || finding.parts.iter().any(part))
}

/// Whether a finding belongs to a planted event: it is in the same series, or in the total on the same days.
fn is_of(finding: &Finding, labels: &[Label]) -> bool {
    labels.iter().any(|label| {
        let days = finding.days.iter().any(|day| (label.from..label.until).contains(&day.day));
        let is_same = finding.key.account == Some(label.account) && finding.key.name == label.service;
        days && (is_same || finding.key.account.is_none())
    })
}

struct Score {
    planted: usize,
    found: usize,
    alarms: usize,
    on_month_starts: usize,
    series_months: f64,
}

fn score(shares: &[f64]) -> Score {
    let mut score = Score { planted: 0, found: 0, alarms: 0, on_month_starts: 0, series_months: 0.0 };
    for seed in 0..seeds() {
        let Bill { costs, labels, days } = bill(seed, shares);
        let findings = find(&costs, &[]).findings;
        let counted: Vec<&Label> = labels.iter().filter(|label| label.amount >= 10.0).collect();
        score.planted += counted.len();
        score.found +=
            counted.iter().filter(|label| findings.iter().any(|finding| meets(finding, label))).count();
        let wrong = findings.iter().filter(|finding| !is_of(finding, &labels));
        for finding in wrong {
            score.alarms += 1;
            score.on_month_starts += usize::from(format_date(finding.first_day()).ends_with("-01"));
        }
        score.series_months += (ACCOUNTS * SERVICES + 1) as f64 * f64::from(days) / 30.0;
    }
    score
}

#[test]
fn what_is_planted_is_found_and_little_else() {
    println!("planted               recall     alarms a series and month   on month starts");
    let lines: [(&str, &[f64], f64); 6] = [
        ("+50% to +300%", &[0.5, 1.0, 3.0], 0.95),
        ("-50 % to -100 %", &[-0.5, -0.75, -1.0], 0.95),
        ("just +50%", &[0.5, 0.5, 0.5], 0.95),
        ("+25% to +50%", &[0.25, 0.35, 0.45], 0.8),
        ("just +25%", &[0.25, 0.25, 0.25], 0.0),
        ("nothing", &[], 0.0),
    ];
    // Print all figures before a failure.
    let mut missed = Vec::new();
    for (name, shares, least) in lines {
        let score = score(shares);
        let recall = score.found as f64 / score.planted.max(1) as f64;
        let alarms = score.alarms as f64 / score.series_months;
        println!(
            "{name:20} {:>4}/{:<4} {recall:.3}   {alarms:>10.4} ({})   {:>10}",
            score.found, score.planted, score.alarms, score.on_month_starts
        );
        if recall < least && score.planted > 0 {
            missed.push(format!("{name}: {recall} is found of what was planted"));
        }
        if alarms > 0.1 {
            missed.push(format!("{name}: {alarms} false alarms a series and month"));
        }
        if score.on_month_starts > 0 {
            missed.push(format!("{name}: {} false alarms on month starts", score.on_month_starts));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
