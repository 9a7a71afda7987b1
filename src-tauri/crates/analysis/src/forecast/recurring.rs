//! Charges that come every month on the same day: known, so nothing is to be learned of them.

use super::calendar::{day_of, first_of_next, month_before, parts, start_of_month};
use catalogue::Decimal;
use std::collections::BTreeMap;

/// The recurring charges of the last month up to `last`, expected on their days of the month after `last`, through `until`. A day that a
/// month does not have is its last one, unless that has a charge of its own.
pub fn expected(charges: &BTreeMap<i32, Decimal>, last: i32, until: i32) -> BTreeMap<i32, Decimal> {
    let begin = month_before(last);
    let mut by_day: BTreeMap<u32, Decimal> = BTreeMap::new();
    for (date, amount) in charges.range(begin + 1..=last.max(begin + 1)) {
        if *date <= last {
            by_day.insert(parts(*date).2, *amount);
        }
    }
    let mut days = BTreeMap::new();
    let mut month = start_of_month(last);
    while month <= until {
        let next = first_of_next(month);
        let (year, number, _) = parts(month);
        for (day, amount) in &by_day {
            let date = day_of(year, number, *day);
            let is_moved = parts(date).2 != *day;
            if date > last && date <= until && !(is_moved && by_day.contains_key(&parts(date).2)) {
                days.insert(date, *amount);
            }
        }
        month = next;
    }
    days
}
