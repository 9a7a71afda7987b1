//! Parses and formats times. A timestamp counts microseconds, a date counts days, since 1970-01-01 UTC.
//!
//! Written by hand, byte by byte: an import parses two to four times per row, for up to a million rows.

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Parses ISO 8601 with `T` or blank, with or without zone (no zone means UTC), or a bare date. Returns µs since 1970.
///
/// Zones are `Z`, `UTC`, `GMT`, `+02:00`, `+0200`, `+02`, with or without a blank before them. Digits after the microsecond are dropped.
/// Years are 0001 to 9999; `24:00` and second 60 mean the next day and minute.
pub fn parse_timestamp(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let (date, rest) = bytes.split_at_checked(10)?;
    let midnight = i64::from(days(date)?) * DAY;
    let [separator, rest @ ..] = rest else {
        return Some(midnight);
    };
    if !matches!(separator, b'T' | b't' | b' ') {
        return None;
    }
    let (clock, rest) = clock(rest)?;
    let offset = offset(rest)?;
    Some(midnight + clock - offset)
}

/// Parses `2026-11-20`. Returns days since 1970-01-01.
pub fn parse_date(text: &str) -> Option<i32> {
    days(text.as_bytes())
}

/// Formats as `2026-11-20T06:38:00`, with as many fractional digits as needed: the `timestamp` of GraphQL.
pub fn format_timestamp(micros: i64) -> String {
    let mut text = String::with_capacity(26);
    write_timestamp(&mut text, micros);
    text
}

/// Formats as `2026-11-20T06:38:00+00:00`: the `timestamptz` of GraphQL.
pub fn format_timestamptz(micros: i64) -> String {
    let mut text = String::with_capacity(32);
    write_timestamp(&mut text, micros);
    text.push_str("+00:00");
    text
}

/// Formats as `2026-11-20`.
pub fn format_date(days: i32) -> String {
    let mut text = String::with_capacity(10);
    write_date(&mut text, days);
    text
}

/// Appends the text of [`format_timestamp`].
pub fn write_timestamp(text: &mut String, micros: i64) {
    let day = i32::try_from(micros.div_euclid(DAY))
        .expect("64 bits of microseconds are fewer days than 32 bits hold");
    let within = micros.rem_euclid(DAY);
    write_date(text, day);
    let seconds = within / SECOND;
    text.push('T');
    push_two(text, seconds / 3600);
    text.push(':');
    push_two(text, seconds / 60 % 60);
    text.push(':');
    push_two(text, seconds % 60);
    let mut fraction = within % SECOND;
    if fraction != 0 {
        text.push('.');
        let mut place = SECOND / 10;
        while fraction != 0 {
            push_digit(text, fraction / place);
            fraction %= place;
            place /= 10;
        }
    }
}

/// Appends the text of [`format_date`].
pub fn write_date(text: &mut String, days: i32) {
    let (year, month, day) = civil(days);
    if !(0..=9999).contains(&year) {
        text.push(if year < 0 { '-' } else { '+' });
    }
    let mut place = if year.abs() > 9999 { 100_000 } else { 1000 };
    while place > 0 {
        push_digit(text, year.abs() / place % 10);
        place /= 10;
    }
    text.push('-');
    push_two(text, month);
    text.push('-');
    push_two(text, day);
}

fn push_two(text: &mut String, number: i64) {
    push_digit(text, number / 10);
    push_digit(text, number % 10);
}

fn push_digit(text: &mut String, digit: i64) {
    text.push(char::from(b'0' + u8::try_from(digit).expect("a digit is below 10")));
}

/// Parses hours, minutes, optional seconds and fraction; returns µs and the remaining bytes.
fn clock(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let (hour, rest) = two(bytes)?;
    let [b':', rest @ ..] = rest else { return None };
    let (minute, rest) = two(rest)?;
    let (second, fraction, rest) = match rest {
        [b':', rest @ ..] => {
            let (second, rest) = two(rest)?;
            let (fraction, rest) = fraction(rest)?;
            (second, fraction, rest)
        }
        _ => (0, 0, rest),
    };
    let is_midnight = hour == 24 && minute == 0 && second == 0 && fraction == 0;
    if (hour > 23 && !is_midnight) || minute > 59 || second > 60 {
        return None;
    }
    Some(((hour * 3600 + minute * 60 + second) * SECOND + fraction, rest))
}

/// Parses the digits after `.` or `,` as µs; 0 when there is neither.
fn fraction(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.' | b',', rest @ ..] = bytes else {
        return Some((0, bytes));
    };
    let mut rest = rest;
    let mut micros = 0;
    let mut place = SECOND / 10;
    let mut has_digit = false;
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        micros += i64::from(digit - b'0') * place;
        place /= 10;
        has_digit = true;
        rest = tail;
    }
    has_digit.then_some((micros, rest))
}

/// Parses the zone as µs east of UTC; 0 when there is none.
fn offset(bytes: &[u8]) -> Option<i64> {
    let bytes = if let [b' ', tail @ ..] = bytes { tail } else { bytes };
    let (is_west, rest) = match bytes {
        [] | [b'Z' | b'z'] => return Some(0),
        [b'+', rest @ ..] => (false, rest),
        [b'-', rest @ ..] => (true, rest),
        zone if zone.eq_ignore_ascii_case(b"UTC") || zone.eq_ignore_ascii_case(b"GMT") => return Some(0),
        _ => return None,
    };
    let (hours, rest) = two(rest)?;
    let minutes = match rest {
        [] => 0,
        [b':', rest @ ..] | rest => {
            let (minutes, rest) = two(rest)?;
            if !rest.is_empty() {
                return None;
            }
            minutes
        }
    };
    if hours > 15 || minutes > 59 {
        return None;
    }
    let micros = (hours * 60 + minutes) * 60 * SECOND;
    Some(if is_west { -micros } else { micros })
}

fn two(bytes: &[u8]) -> Option<(i64, &[u8])> {
    match bytes {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => {
            Some((i64::from(tens - b'0') * 10 + i64::from(ones - b'0'), rest))
        }
        _ => None,
    }
}

/// Parses exactly `YYYY-MM-DD` as days since 1970.
fn days(bytes: &[u8]) -> Option<i32> {
    let (century, rest) = two(bytes)?;
    let (year, rest) = two(rest)?;
    let [b'-', rest @ ..] = rest else { return None };
    let (month, rest) = two(rest)?;
    let [b'-', rest @ ..] = rest else { return None };
    let (day, rest) = two(rest)?;
    let year = century * 100 + year;
    if !rest.is_empty() || year == 0 || !(1..=12).contains(&month) || day == 0 || day > length_of(year, month)
    {
        return None;
    }
    i32::try_from(day_number(year, month, day)).ok()
}

fn length_of(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a date of the Gregorian calendar. Years are counted from March, which puts the leap day last (Howard Hinnant,
/// "chrono-compatible low-level date algorithms").
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day of a day number: the inverse of [`day_number`].
fn civil(days: i32) -> (i64, i64, i64) {
    let shifted = i64::from(days) + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: &str) {
        assert_eq!(parse_timestamp(input).map(format_timestamp).as_deref(), Some(expected), "{input:?}");
    }

    #[test]
    fn every_spelling_of_a_time_in_cost_files_is_read() {
        check("2024-09-18 23:00:00", "2024-09-18T23:00:00");
        check("2024-09-18T23:00:00Z", "2024-09-18T23:00:00");
        check("2026-05-01T00:00Z", "2026-05-01T00:00:00");
        check("2024-09-18T23:00:00+02:00", "2024-09-18T21:00:00");
        check("2024-09-18 23:00:00-0530", "2024-09-19T04:30:00");
        check("2024-09-18 23:00:00+00", "2024-09-18T23:00:00");
        check("2024-09-18 23:00:00 UTC", "2024-09-18T23:00:00");
        check("2024-09-18 23:00:00.000 UTC", "2024-09-18T23:00:00");
        check("2024-09-18 23:00:00 +0000", "2024-09-18T23:00:00");
        check("2024-09-18T23:00:00.123456789Z", "2024-09-18T23:00:00.123456");
        check("2024-09-18T23:00:00.5", "2024-09-18T23:00:00.5");
        check("2024-09-18", "2024-09-18T00:00:00");
        check("2024-12-31T24:00:00Z", "2025-01-01T00:00:00");
        check("1969-12-31T23:59:59.75", "1969-12-31T23:59:59.75");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "NULL",
            "2024-9-18",
            "9/18/2024",
            "2024-02-30",
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "0000-01-01",
            "2024-09-18T",
            "2024-09-18T25:00",
            "2024-09-18T23",
            "2024-09-18T23:60",
            "2024-09-18T23:00:00.",
            "2024-09-18T23:00:00+",
            "2024-09-18T23:00:00 CET",
            "2024-09-18T23:00:00Zx",
            "2024-09-18T23:00:00+16:00",
            "2024-09-18x23:00",
            "2024-09-18é",
        ] {
            assert_eq!(parse_timestamp(text), None, "{text:?}");
        }
    }

    #[test]
    fn dates_agree_with_the_calendar() {
        assert_eq!(parse_date("1970-01-01"), Some(0));
        assert_eq!(parse_date("2000-02-29"), Some(11_016));
        assert_eq!(parse_date("1900-02-29"), None);
        assert_eq!(parse_date("2026-11-20T00:00"), None);
        assert_eq!(format_date(-1), "1969-12-31");
    }

    #[test]
    fn every_day_of_eight_centuries_survives_a_round_trip() {
        let last = parse_date("2400-12-31").unwrap();
        for day in parse_date("1600-01-01").unwrap()..=last {
            assert_eq!(parse_date(&format_date(day)), Some(day));
        }
        assert_eq!(format_date(last), "2400-12-31");
    }

    #[test]
    fn a_zoned_timestamp_says_that_it_means_utc() {
        assert_eq!(format_timestamptz(0), "1970-01-01T00:00:00+00:00");
    }

    #[test]
    fn the_ends_of_the_range_can_be_printed() {
        assert_eq!(format_timestamp(i64::MAX), "+294247-01-10T04:00:54.775807");
        assert_eq!(format_timestamp(i64::MIN), "-290308-12-21T19:59:05.224192");
    }
}
