//! Helpers of rules that judge by the kind of use alone.

use crate::savings::bill::Bill;
use crate::savings::finding::{Figure, Finding, Saving};
use crate::savings::rule::Rule;
use crate::savings::subject::{Subject, subjects};
use catalogue::Decimal;

/// Parses a number of a rule; invalid text counts as 0, which tests exclude.
pub fn number(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_default()
}

/// The rule's threshold at that index.
pub fn threshold(rule: &Rule, place: usize) -> Decimal {
    rule.thresholds.get(place).map_or(Decimal::ZERO, |threshold| number(threshold.value))
}

/// A finding for every subject that is billed for such usage up to the end of the period, with the fraction that is saved.
pub fn by_usage(
    bill: &Bill,
    rule: &'static Rule,
    share: &str,
    reads: fn(&str) -> bool,
    words: impl Fn(&Subject<'_>) -> (String, String),
) -> Vec<Finding> {
    let share = number(share);
    let found = subjects(bill, |line| reads(&line.usage));
    let still = found.iter().filter(|subject| subject.is_billed_still(1));
    let finding =
        |subject: &Subject<'_>| subject.finding(rule, Saving::Share(share), words(subject), figures(subject));
    still.filter_map(finding).collect()
}

/// The number of billed days, and cost and quantity of each kind of use.
pub fn figures(subject: &Subject<'_>) -> Vec<Figure> {
    let (first, last) = subject.days();
    let mut figures = vec![Figure::whole("Days billed", i64::from(last - first + 1), "days")];
    for line in &subject.lines {
        let unit = line.unit.clone().unwrap_or_default();
        figures.push(Figure::new(format!("{}: quantity", line.usage), line.quantity, unit));
        figures.push(Figure::new(format!("{}: cost", line.usage), line.cost, line.currency.clone()));
    }
    figures
}
