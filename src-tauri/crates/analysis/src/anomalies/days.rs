//! Calendar days as days since 1970, UTC.

use crate::forecast::{first_of_next, start_of_month};

/// Whether it is the first day of a month, on which monthly fees are charged.
pub(super) fn is_month_start(day: i32) -> bool {
    // In a year that starts on 1 March, months start on fixed days and a leap day is the last day.
    let since = (day + 719_468).rem_euclid(146_097);
    let year = (since - since / 1_460 + since / 36_524 - since / 146_096) / 365;
    let of_year = since - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    of_year == (153 * month + 2) / 5
}

/// The same day of each earlier month, newest first, with the days before and after it, because monthly charges shift by a day now and then. For
/// the last day of a month, also the last days of other months.
pub(super) fn same_day_before(day: i32) -> impl Iterator<Item = Vec<i32>> {
    let mut first = start_of_month(day);
    let offset = day - first;
    let is_last = first_of_next(day) == day + 1;
    std::iter::repeat_with(move || {
        let last = first - 1;
        first = start_of_month(last);
        let same = (first + offset).min(last);
        let mut days: Vec<i32> = (same - 1..=same + 1).collect();
        if is_last && !days.contains(&last) {
            days.push(last);
        }
        days
    })
}

/// Saturday or Sunday. 1970-01-01 was a Thursday.
pub(super) fn is_weekend(day: i32) -> bool {
    matches!(day.rem_euclid(7), 2 | 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::{format_date, parse_date};

    #[test]
    fn the_calendar_is_right() {
        let day = |text: &str| parse_date(text).unwrap();
        assert!(is_month_start(day("2026-06-01")) && !is_month_start(day("2026-06-11")));
        for day in day("1999-01-01")..day("2101-01-01") {
            assert_eq!(is_month_start(day), format_date(day).ends_with("-01"), "{}", format_date(day));
        }
        assert!(is_weekend(day("2026-06-13")) && is_weekend(day("2026-06-14")));
        assert!(!is_weekend(day("2026-06-12")) && !is_weekend(day("2026-06-15")));
    }

    #[test]
    fn the_same_day_of_months_before_has_its_neighbours() {
        let before = |text: &str, months: usize| -> Vec<Vec<String>> {
            let days = same_day_before(parse_date(text).unwrap()).take(months);
            days.map(|days| days.into_iter().map(format_date).collect()).collect()
        };
        assert_eq!(
            before("2026-05-31", 2),
            [vec!["2026-04-29", "2026-04-30", "2026-05-01"], vec!["2026-03-30", "2026-03-31", "2026-04-01"]]
        );
        assert_eq!(before("2026-02-28", 1), [["2026-01-27", "2026-01-28", "2026-01-29", "2026-01-31"]]);
        assert_eq!(before("2026-01-15", 1), [["2025-12-14", "2025-12-15", "2025-12-16"]]);
    }
}
