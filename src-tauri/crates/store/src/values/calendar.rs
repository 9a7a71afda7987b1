//! Starts of calendar units, in UTC, as microseconds since 1970.

use crate::query::TimeUnit;

const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The start of the unit that contains `micros`.
pub(crate) fn start_of(micros: i64, unit: TimeUnit) -> i64 {
    let day = micros.div_euclid(DAY);
    match unit {
        TimeUnit::Minute => micros.div_euclid(MINUTE) * MINUTE,
        TimeUnit::Hour => micros.div_euclid(HOUR) * HOUR,
        TimeUnit::Day => day * DAY,
        // 1970-01-01 was a Thursday; weeks start on Monday.
        TimeUnit::Week => ((day + 3).div_euclid(7) * 7 - 3) * DAY,
        TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year => {
            let (year, month) = year_and_month(day);
            let month = match unit {
                TimeUnit::Month => month,
                TimeUnit::Quarter => (month - 1) / 3 * 3 + 1,
                _ => 1,
            };
            first_day(year, month) * DAY
        }
    }
}

/// The start of the unit after the one that starts at `start`; `None` beyond the range of times.
pub(crate) fn next(start: i64, unit: TimeUnit) -> Option<i64> {
    let longest = match unit {
        TimeUnit::Minute => MINUTE,
        TimeUnit::Hour => HOUR,
        TimeUnit::Day => DAY,
        TimeUnit::Week => 7 * DAY,
        TimeUnit::Month => 31 * DAY,
        TimeUnit::Quarter => 92 * DAY,
        TimeUnit::Year => 366 * DAY,
    };
    Some(start_of(start.checked_add(longest)?, unit))
}

/// Gregorian year and month of a day counted from 1970 (Hinnant, "chrono-compatible low-level date algorithms").
fn year_and_month(day: i64) -> (i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month)
}

fn first_day(year: i64, month: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = (month + 9) % 12;
    let of_year = (153 * shifted_month + 2) / 5;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::{next, start_of};
    use crate::query::TimeUnit;
    use catalogue::{format_timestamp, parse_timestamp};

    #[test]
    fn units_begin_where_the_calendar_says() {
        for (time, unit, start) in [
            ("2024-09-18T23:15:59.5", TimeUnit::Minute, "2024-09-18T23:15:00"),
            ("2024-09-18T23:15:00", TimeUnit::Hour, "2024-09-18T23:00:00"),
            ("2024-09-18T23:15:00", TimeUnit::Day, "2024-09-18T00:00:00"),
            ("2024-09-18T23:15:00", TimeUnit::Week, "2024-09-16T00:00:00"),
            ("2024-09-16T00:00:00", TimeUnit::Week, "2024-09-16T00:00:00"),
            ("2024-02-29T12:00:00", TimeUnit::Month, "2024-02-01T00:00:00"),
            ("2024-02-29T12:00:00", TimeUnit::Quarter, "2024-01-01T00:00:00"),
            ("2024-12-31T23:59:59", TimeUnit::Year, "2024-01-01T00:00:00"),
            ("1969-12-31T23:00:00", TimeUnit::Day, "1969-12-31T00:00:00"),
            ("1900-03-01T00:00:00", TimeUnit::Month, "1900-03-01T00:00:00"),
        ] {
            let micros = parse_timestamp(time).unwrap();
            assert_eq!(format_timestamp(start_of(micros, unit)), start, "{time} {unit:?}");
        }
    }

    #[test]
    fn a_unit_ends_where_the_next_begins() {
        for (start, unit, end) in [
            ("2024-09-18T23:59:00", TimeUnit::Minute, "2024-09-19T00:00:00"),
            ("2024-09-18T23:00:00", TimeUnit::Hour, "2024-09-19T00:00:00"),
            ("2024-02-29T00:00:00", TimeUnit::Day, "2024-03-01T00:00:00"),
            ("2024-09-16T00:00:00", TimeUnit::Week, "2024-09-23T00:00:00"),
            ("2024-02-01T00:00:00", TimeUnit::Month, "2024-03-01T00:00:00"),
            ("2023-02-01T00:00:00", TimeUnit::Month, "2023-03-01T00:00:00"),
            ("2023-01-01T00:00:00", TimeUnit::Quarter, "2023-04-01T00:00:00"),
            ("2023-01-01T00:00:00", TimeUnit::Year, "2024-01-01T00:00:00"),
            ("2024-01-01T00:00:00", TimeUnit::Year, "2025-01-01T00:00:00"),
        ] {
            let end_of = next(parse_timestamp(start).unwrap(), unit).unwrap();
            assert_eq!(format_timestamp(end_of), end, "{start} {unit:?}");
        }
        assert_eq!(next(i64::MAX - 5, TimeUnit::Minute), None);
    }
}
