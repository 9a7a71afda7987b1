//! Judges one hour of a series by the same hour of earlier days.

use super::basis::{Basis, Limits, Rule, Unrest, WeightedValue};
use super::days::{is_month_start, is_weekend};
use super::grain::{Grain, HOURS};
use super::judge::Verdict;
use super::rules;
use super::series::Series;
use crate::numbers::{consistency, median, percent, product};
use catalogue::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// Judges an hour; `None` if there are too few hours to compare it with.
pub(super) fn judge(series: &Series, hour: i32, limits: Limits) -> Option<Verdict> {
    let value = series.at(hour)?;
    let day = Grain::Hour.day(hour);
    // The first hour of a month contains its monthly fees.
    if is_month_start(day) && hour.rem_euclid(HOURS) == 0 {
        return None;
    }
    let values = same_hours(series, hour)?;
    let draft = Basis::deviation(Rule::SameHour, values.clone(), Unrest::default(), limits)?;
    let ordinary = Some(Verdict { value, basis: None });
    // Most hours deviate little; this check avoids further computation for them.
    if !draft.condemns(value)? {
        return ordinary;
    }
    let basis = Basis::deviation(Rule::SameHour, values, unrest(series, hour)?, limits)?;
    if !basis.condemns(value)? || is_usual(series, hour, value, basis.expected) {
        return ordinary;
    }
    Some(Verdict { value, basis: Some(basis) })
}

/// The same hour of the last weekdays, or of the last weekends, oldest first.
fn same_hours(series: &Series, hour: i32) -> Option<Vec<WeightedValue>> {
    let from = series.history_from(hour);
    let is_alike = |other: &i32| is_weekend(Grain::Hour.day(*other)) == is_weekend(Grain::Hour.day(hour));
    let mut values: Vec<WeightedValue> = (1..=rules::SAME_HOUR_DAYS)
        .map(|days| hour - HOURS * days)
        .filter(|other| *other >= from && is_alike(other))
        .filter_map(|other| series.at(other).map(|value| WeightedValue::plain((other, value))))
        .take(rules::SAME_HOURS)
        .collect();
    values.reverse();
    (values.len() >= rules::FEWEST_SAME_HOURS).then_some(values)
}

/// The usual variation of hours around the median of the same hour and kind of day: 1.4826 times the median of the differences.
fn unrest(series: &Series, hour: i32) -> Option<Unrest> {
    let from = series.history_from(hour).max(hour - HOURS * rules::UNREST_DAYS);
    let mut alike: BTreeMap<(i32, bool), Vec<Decimal>> = BTreeMap::new();
    for other in from..hour {
        if let Some(value) = series.at(other) {
            let key = (other.rem_euclid(HOURS), is_weekend(Grain::Hour.day(other)));
            alike.entry(key).or_default().push(value);
        }
    }
    let mut differences = Vec::new();
    for values in alike.values().filter(|values| values.len() > 1) {
        let middle = median(values.clone())?;
        for value in values {
            differences.push(value.checked_sub(middle)?.abs());
        }
    }
    if differences.is_empty() {
        return Some(Unrest::default());
    }
    let amount = product(median(differences)?, consistency())?;
    Some(Unrest { amount, days: Some((from, hour)) })
}

/// Whether the series deviated nearly as far in the same direction at about the same time on several of the last days. A nightly job that starts
/// a little earlier or later is not an anomaly.
fn is_usual(series: &Series, hour: i32, value: Decimal, expected: Decimal) -> bool {
    let Some(deviation) = value.checked_sub(expected) else { return false };
    let Some(near) = percent(deviation.abs(), rules::NEARLY_PERCENT) else { return false };
    let is_far = |other: Decimal| {
        let goes = other.checked_sub(expected);
        goes.is_some_and(|goes| goes.is_negative() == deviation.is_negative() && goes.abs() >= near)
    };
    let from = series.history_from(hour);
    let had = |days: &i32| {
        let same = hour - HOURS * days;
        let around = same - rules::NEAR_HOURS..=same + rules::NEAR_HOURS;
        around.filter(|other| *other >= from).filter_map(|other| series.at(other)).any(is_far)
    };
    (1..=rules::UNREST_DAYS).filter(had).count() >= rules::USUAL_DAYS
}

/// Whether a series has hourly values: half of its days, without the first and the last, have values in enough hours.
pub(super) fn is_hourly(hours: impl Iterator<Item = i32>) -> bool {
    let mut days: BTreeMap<i32, BTreeSet<i32>> = BTreeMap::new();
    for hour in hours {
        days.entry(Grain::Hour.day(hour)).or_default().insert(hour);
    }
    days.pop_first();
    days.pop_last();
    let full = days.values().filter(|hours| hours.len() >= rules::FEWEST_HOURS).count();
    full > 0 && full * 2 >= days.len()
}
