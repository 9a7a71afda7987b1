//! Days as whole numbers since 1970, UTC.

/// Whether it is the first day of a month, which carries monthly fees.
pub(super) fn is_month_start(day: i32) -> bool {
    // Counted from 1 March of the year 0, months lie at fixed places of the year and a leap day is the last one.
    let since = (day + 719_468).rem_euclid(146_097);
    let year = (since - since / 1_460 + since / 36_524 - since / 146_096) / 365;
    let of_year = since - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    of_year == (153 * month + 2) / 5
}

/// Saturday or Sunday. 1970 began on a Thursday.
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
}
