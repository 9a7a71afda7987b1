//! Monthly and daily recurring charges: their amounts are known, so they are not forecast by a method.

use super::calendar::{day_of, first_of_next, month_before, parts, start_of_month};
use crate::numbers::{median, percent};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// Whole days before the last one that determine the daily charge.
const WEEK: i32 = 7;
/// Days before and after a day that determine the usual daily charge around it.
const BESIDE: i32 = 3;
/// The variation of a daily charge that is tolerated, in percent.
const WAVERING: i64 = 25;

/// Forecasts the recurring charges of the last month up to `last`, through `until`. A charge on most days of the last week, such as an hourly
/// savings plan, is expected every day; other charges are expected on their day of the month. If a month has no such day, the charge is expected
/// on its last day, in addition to that day's own charges.
pub fn expected(charges: &BTreeMap<i32, Decimal>, last: i32, until: i32) -> BTreeMap<i32, Decimal> {
    let every_day = usual(charges, last - WEEK..last).unwrap_or_default();
    let mut days: BTreeMap<i32, Decimal> = BTreeMap::new();
    if !every_day.is_zero() {
        days.extend((last + 1..=until).map(|date| (date, every_day)));
    }
    let by_day = fees(charges, last);
    let mut month = start_of_month(last);
    while month <= until {
        let next = first_of_next(month);
        let (year, number, _) = parts(month);
        for (day, amount) in &by_day {
            let date = day_of(year, number, *day);
            if date > last && date <= until {
                let sum = days.entry(date).or_default();
                *sum = sum.checked_add(*amount).unwrap_or(*sum);
            }
        }
        month = next;
    }
    days
}

/// Charges on single days of the last month, by day of the month: the amount above the usual charge of the surrounding days.
fn fees(charges: &BTreeMap<i32, Decimal>, last: i32) -> BTreeMap<u32, Decimal> {
    let begin = month_before(last) + 1;
    let fee = |(date, amount): (&i32, &Decimal)| {
        let around = usual(charges, date - BESIDE..last.min(date + BESIDE) + 1)?;
        let fee = amount.checked_sub(around)?;
        (!fee.is_zero() && (around.is_zero() || is_far(fee, around))).then(|| (parts(*date).2, fee))
    };
    charges.range(begin..=last.max(begin)).filter(|(date, _)| **date <= last).filter_map(fee).collect()
}

/// Whether the amount exceeds the tolerated variation of the daily charge.
fn is_far(fee: Decimal, usual: Decimal) -> bool {
    fee.is_negative() == usual.is_negative()
        && percent(usual.abs(), WAVERING).is_some_and(|wavering| fee.abs() > wavering)
}

/// The median of the days; days without a charge count as 0.
fn usual(charges: &BTreeMap<i32, Decimal>, days: std::ops::Range<i32>) -> Option<Decimal> {
    median(days.map(|day| charges.get(&day).copied().unwrap_or_default()).collect())
}
