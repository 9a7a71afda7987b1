//! Judges one day of a series by the days before it. (Hours: `hours`.)

use super::basis::{Basis, Limits, Rule, Unrest, WeightedValue};
use super::days::{is_month_start, is_weekend, same_day_before};
use super::rules;
use super::series::Series;
use crate::numbers::{consistency, median, percent, product, ratio};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// The result for a day.
pub(super) struct Verdict {
    pub value: Decimal,
    /// `None` for an ordinary day.
    pub basis: Option<Basis>,
}

/// Judges a day; `None` if there are too few days to compare it with.
pub(super) fn judge(series: &Series, day: i32, limits: Limits) -> Option<Verdict> {
    let value = series.at(day)?;
    let by_deviation = deviation(series, day, limits)?;
    if is_month_start(day) {
        // Monthly fees are not anomalies: the day must also be unusual among month starts.
        let among_starts = month_starts(series, day, &by_deviation, limits)?;
        let is_out = by_deviation.condemns(value)?
            && among_starts.condemns(value)?
            && !is_usual(series, day, value, by_deviation.expected);
        let basis = is_out.then(|| Basis { ordinary: Some(Box::new(by_deviation)), ..among_starts });
        return Some(Verdict { value, basis });
    }
    if by_deviation.condemns(value)? {
        let basis = (!is_usual(series, day, value, by_deviation.expected)).then_some(by_deviation);
        return Some(Verdict { value, basis });
    }
    // A new extreme is not an anomaly if the value is as expected for the weekday.
    if !by_deviation.is_much(value)? {
        return Some(Verdict { value, basis: None });
    }
    let by_extreme = extreme(series, day, value, limits).filter(|basis| basis.condemns(value) == Some(true));
    Some(Verdict { value, basis: by_extreme })
}

/// Rule A: the same weekday, or the days just before if there are too few of the weekday.
fn deviation(series: &Series, day: i32, limits: Limits) -> Option<Basis> {
    let from = series.history_from(day);
    let same: Vec<(i32, Decimal)> = (1..=rules::WEEKS + 2)
        .map(|week| day - 7 * week)
        .filter(|earlier| *earlier >= from && !is_month_start(*earlier))
        .filter_map(|earlier| series.at(earlier).map(|value| (earlier, value)))
        .take(rules::WEEKS as usize)
        .collect();
    if same.len() >= rules::FEWEST_WEEKS {
        let values = same.into_iter().rev().map(WeightedValue::plain).collect();
        let unrest = unrest(series, from.max(day - 7 * rules::WEEKS), day)?;
        return Basis::deviation(Rule::SameWeekday, values, unrest, limits);
    }
    let before: Vec<(i32, Decimal)> = series.ordinary(from.max(day - rules::TRAILING_DAYS), day).collect();
    if before.len() < rules::FEWEST_TRAILING {
        return None;
    }
    let values = weekend_weights(before, is_weekend(day));
    let draft = Basis::deviation(Rule::TrailingDays, values.clone(), Unrest::default(), limits)?;
    let amount = percent(draft.expected.abs(), rules::TRAILING_FLOOR_PERCENT)?;
    Basis::deviation(Rule::TrailingDays, values, Unrest { amount, days: None }, limits)
}

/// Scales weekdays to the level of weekends or the reverse, by the medians of both.
fn weekend_weights(values: Vec<(i32, Decimal)>, is_for_weekend: bool) -> Vec<WeightedValue> {
    let level = |weekend: bool| {
        let of_kind = values.iter().filter(|(day, _)| is_weekend(*day) == weekend).map(|(_, value)| *value);
        median(of_kind.collect())
    };
    let (own, other) = (level(is_for_weekend), level(!is_for_weekend));
    let weight = own.zip(other).and_then(|(own, other)| ratio(own, other));
    let weight = weight.filter(|weight| *weight > Decimal::ZERO).unwrap_or(Decimal::from(1));
    let weighted = |one: (i32, Decimal)| {
        let is_other = is_weekend(one.0) != is_for_weekend;
        WeightedValue {
            weight: if is_other { weight } else { Decimal::from(1) },
            ..WeightedValue::plain(one)
        }
    };
    values.into_iter().map(weighted).collect()
}

/// Rule A among first days of months.
fn month_starts(series: &Series, day: i32, ordinary: &Basis, limits: Limits) -> Option<Basis> {
    let from = series.history_from(day).max(day - rules::HISTORY_DAYS);
    let mut starts: Vec<WeightedValue> = (from..day)
        .rev()
        .filter(|earlier| is_month_start(*earlier))
        .filter_map(|earlier| {
            series.at(earlier).map(|value| at_level(series, (earlier, value), ordinary, limits))
        })
        .take(rules::MONTH_STARTS)
        .collect();
    if starts.len() < rules::FEWEST_MONTH_STARTS {
        return None;
    }
    starts.reverse();
    // A month may begin on a weekend: half of the range of four weeks' days is therefore not unusual.
    let (mut low, mut high) = (ordinary.expected, ordinary.expected);
    let first = from.max(day - rules::MONTH_START_DAYS);
    for (_, value) in series.ordinary(first, day) {
        (low, high) = (low.min(value), high.max(value));
    }
    let half = percent(high.checked_sub(low)?, rules::MONTH_START_PERCENT)?;
    let unrest = if half > ordinary.floor {
        Unrest { amount: half, days: Some((first, day)) }
    } else {
        Unrest { amount: ordinary.floor, days: None }
    };
    Basis::deviation(Rule::MonthStarts, starts, unrest, limits)
}

/// Adjusts an earlier month start to today's level: the change of an ordinary day's cost since then is added. The fee itself is not scaled.
fn at_level(
    series: &Series,
    (day, value): (i32, Decimal),
    ordinary: &Basis,
    limits: Limits,
) -> WeightedValue {
    let weight = || {
        let then = deviation(series, day, limits)?.expected;
        let level = value.checked_add(ordinary.expected.checked_sub(then)?)?;
        ratio(level, value).filter(|weight| *weight > Decimal::ZERO)
    };
    WeightedValue { weight: weight().unwrap_or(Decimal::from(1)), ..WeightedValue::plain((day, value)) }
}

/// Rule B: outside the range of the last 90 days. `None` if the value is within it or too few days are known.
fn extreme(series: &Series, day: i32, value: Decimal, limits: Limits) -> Option<Basis> {
    let from = series.history_from(day).max(day - rules::EXTREME_DAYS);
    let (mut low, mut high, mut count) = (value, value, 0);
    for (_, other) in series.ordinary(from, day) {
        (low, high, count) = (low.min(other), high.max(other), count + 1);
    }
    // Most days are within the range; this check avoids further computation for them.
    let is_inside = low < value && high > value;
    if count < rules::FEWEST_EXTREME || is_inside {
        return None;
    }
    Basis::extreme(series.ordinary(from, day).map(WeightedValue::plain).collect(), limits)
}

/// The usual variation around the median of the weekday: 1.4826 times the median of the differences.
fn unrest(series: &Series, from: i32, until: i32) -> Option<Unrest> {
    let mut weekdays: BTreeMap<i32, Vec<Decimal>> = BTreeMap::new();
    for (day, value) in series.ordinary(from, until) {
        weekdays.entry(day.rem_euclid(7)).or_default().push(value);
    }
    let mut differences = Vec::new();
    for values in weekdays.values() {
        let middle = median(values.clone())?;
        for value in values {
            differences.push(value.checked_sub(middle)?.abs());
        }
    }
    let amount = product(median(differences)?, consistency())?;
    Some(Unrest { amount, days: Some((from, until)) })
}

/// Whether the series deviated nearly as far in the same direction several separate times in the last 90 days, or on the same day of earlier
/// months. An occasional job or a monthly fee is not an anomaly.
fn is_usual(series: &Series, day: i32, value: Decimal, expected: Decimal) -> bool {
    let Some(deviation) = value.checked_sub(expected) else { return false };
    let Some(near) = percent(deviation.abs(), rules::NEARLY_PERCENT) else { return false };
    let is_far = |other: Decimal| {
        let goes = other.checked_sub(expected);
        goes.is_some_and(|goes| goes.is_negative() == deviation.is_negative() && goes.abs() >= near)
    };
    let from = series.history_from(day).max(day - rules::EXTREME_DAYS);
    let (mut times, mut is_within) = (0, false);
    for (_, other) in series.ordinary(from, day) {
        let is_far = is_far(other);
        times += usize::from(is_far && !is_within);
        is_within = is_far;
    }
    times - usize::from(is_within && times > 0) >= rules::USUAL_TIMES || is_monthly(series, day, is_far)
}

/// Whether the series deviated as far on the same day of earlier months: a licence or a support fee.
fn is_monthly(series: &Series, day: i32, is_far: impl Fn(Decimal) -> bool) -> bool {
    let from = series.history_from(day);
    let had = |days: &Vec<i32>| {
        let known = days.iter().filter(|earlier| **earlier >= from);
        known.filter_map(|earlier| series.at(*earlier)).any(&is_far)
    };
    same_day_before(day).take(rules::MONTHS).filter(had).count() >= rules::USUAL_MONTHS
}
