//! Charges that come again by themselves, every month or every day: known, so nothing is to be learned of them.

use super::calendar::{day_of, first_of_next, month_before, parts, start_of_month};
use crate::numbers::{median, percent};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// Whole days before the last one that tell what is charged every day.
const WEEK: i32 = 7;
/// Days before and after a day that tell whether it is one of many.
const BESIDE: i32 = 3;
/// By so many hundredths of itself, what is charged every day may waver.
const WAVERING: i64 = 25;

/// The recurring charges of the last month up to `last`, expected through `until`. What was charged on most days of the last week, as a savings
/// plan by the hour, is expected every day; other charges on their days of the month. Those of days that a month does not have come on its last
/// one, beside what is charged there anyway.
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

/// What was charged on single days of the last month, by the day of the month: above what the days around it were charged.
fn fees(charges: &BTreeMap<i32, Decimal>, last: i32) -> BTreeMap<u32, Decimal> {
    let begin = month_before(last) + 1;
    let fee = |(date, amount): (&i32, &Decimal)| {
        let around = usual(charges, date - BESIDE..last.min(date + BESIDE) + 1)?;
        let fee = amount.checked_sub(around)?;
        (!fee.is_zero() && (around.is_zero() || is_far(fee, around))).then(|| (parts(*date).2, fee))
    };
    charges.range(begin..=last.max(begin)).filter(|(date, _)| **date <= last).filter_map(fee).collect()
}

/// Whether it is no wavering of what is charged every day.
fn is_far(fee: Decimal, usual: Decimal) -> bool {
    fee.is_negative() == usual.is_negative()
        && percent(usual.abs(), WAVERING).is_some_and(|wavering| fee.abs() > wavering)
}

/// The median of the days, of which those without a charge are 0.
fn usual(charges: &BTreeMap<i32, Decimal>, days: std::ops::Range<i32>) -> Option<Decimal> {
    median(days.map(|day| charges.get(&day).copied().unwrap_or_default()).collect())
}
