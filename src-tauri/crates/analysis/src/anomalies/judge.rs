//! One day of a series beside the days before it. (Hours: `hours`.)

use super::basis::{Basis, Limits, Rule, Unrest, WeightedValue};
use super::days::{is_month_start, is_weekend, same_day_before};
use super::rules;
use super::series::Series;
use crate::numbers::{consistency, median, percent, product, ratio};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// A day that was judged.
pub(super) struct Verdict {
    pub value: Decimal,
    /// None where the day is ordinary.
    pub basis: Option<Basis>,
}

/// Judges a day; `None` where too little is known to compare it with.
pub(super) fn judge(series: &Series, day: i32, limits: Limits) -> Option<Verdict> {
    let value = series.at(day)?;
    let by_deviation = deviation(series, day, limits)?;
    if is_month_start(day) {
        // A fee of the month is no news: the day must be out of the ordinary among month starts as well.
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
    // An extreme of all days is none where it is what the weekday leads one to expect.
    if !by_deviation.is_much(value)? {
        return Some(Verdict { value, basis: None });
    }
    let by_extreme = extreme(series, day, value, limits).filter(|basis| basis.condemns(value) == Some(true));
    Some(Verdict { value, basis: by_extreme })
}

/// Rule A: the same weekday, or the days just before where there are too few of it.
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

/// Brings weekdays to the level of weekends, or the other way round: by the medians of both.
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
    // A month may begin on a weekend: half of what days of four weeks differ by is no news either.
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

/// Brings an earlier month start to the level of today: what an ordinary day costs more, or less, than then is added to it. A fee stays as
/// it was.
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

/// Rule B: beyond everything of the last 90 days. `None` where the value is within it or too little is known.
fn extreme(series: &Series, day: i32, value: Decimal, limits: Limits) -> Option<Basis> {
    let from = series.history_from(day).max(day - rules::EXTREME_DAYS);
    let (mut low, mut high, mut count) = (value, value, 0);
    for (_, other) in series.ordinary(from, day) {
        (low, high, count) = (low.min(other), high.max(other), count + 1);
    }
    // Most days lie among the others; for these nothing more is worked out.
    let is_inside = low < value && high > value;
    if count < rules::FEWEST_EXTREME || is_inside {
        return None;
    }
    Basis::extreme(series.ordinary(from, day).map(WeightedValue::plain).collect(), limits)
}

/// How much the series usually differs from the median of its weekday: 1.4826 times the median of these differences.
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

/// Whether the series has gone nearly as far the same way on several separate times of the last 90 days, or on the same day of earlier months: a job
/// that runs now and then, or a fee of every month, is nothing to be told.
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

/// Whether the series went as far on the same day of earlier months: a licence or a support fee.
fn is_monthly(series: &Series, day: i32, is_far: impl Fn(Decimal) -> bool) -> bool {
    let from = series.history_from(day);
    let had = |days: &Vec<i32>| {
        let known = days.iter().filter(|earlier| **earlier >= from);
        known.filter_map(|earlier| series.at(*earlier)).any(&is_far)
    };
    same_day_before(day).take(rules::MONTHS).filter(had).count() >= rules::USUAL_MONTHS
}
