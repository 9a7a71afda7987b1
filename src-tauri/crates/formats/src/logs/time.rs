//! Parses times in log lines.

use catalogue::{format_date, parse_timestamp};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The time at the beginning of a line, and the rest of the line.
pub fn leading(line: &str) -> Option<(i64, &str)> {
    let bytes = line.as_bytes();
    let is_dated = bytes.len() >= 19
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && matches!(bytes[4], b'-' | b'/')
        && bytes[7] == bytes[4]
        && matches!(bytes[10], b'T' | b' ' | b't');
    if !is_dated {
        return None;
    }
    // Digits, colons, a comma or full stop before the fraction, and the time zone.
    let mut end = 19;
    if bytes.get(end).is_some_and(|sign| matches!(sign, b'.' | b',')) {
        end += 1;
        while bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
    }
    let clock_end = end;
    match bytes.get(end) {
        Some(b'Z' | b'z') => end += 1,
        Some(b'+' | b'-') => {
            end += 1;
            while bytes.get(end).is_some_and(|sign| sign.is_ascii_digit() || *sign == b':') {
                end += 1;
            }
        }
        _ => {}
    }
    let clean = |text: &str| text.replace('/', "-").replace(',', ".");
    let text = line.get(..end)?;
    parse_timestamp(&clean(text))
        .map(|at| (at, &line[end..]))
        .or_else(|| parse_timestamp(&clean(line.get(..clock_end)?)).map(|at| (at, &line[clock_end..])))
}

/// The time of an access log, `[21/Dec/2022:09:42:40 +0100]`, or of `date`, `Wed Dec 21 09:42:42 UTC 2022`, anywhere in a line.
pub fn anywhere(line: &str) -> Option<i64> {
    access(line).or_else(|| of_date(line))
}

fn access(line: &str) -> Option<i64> {
    let inside = line.split_once('[')?.1.split_once(']')?.0;
    let (clock, zone) = inside.split_once(' ').unwrap_or((inside, "Z"));
    let (day, rest) = clock.split_once('/')?;
    let (month, rest) = rest.split_once('/')?;
    let (year, time) = rest.split_once(':')?;
    parse_timestamp(&format!("{year}-{:02}-{day:0>2}T{time}{zone}", month_number(month)?))
}

fn of_date(line: &str) -> Option<i64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(5).find_map(|words| {
        let [month, day, time, zone, year] = words else { return None };
        let is_utc = matches!(*zone, "UTC" | "GMT");
        let month = month_number(month)?;
        is_utc.then(|| parse_timestamp(&format!("{year}-{month:02}-{day:0>2}T{time}Z")))?
    })
}

/// The time of a klog line, `1221 09:43:29.498401`, which has no year: the latest such time that is at most one day after `before`.
pub fn without_year(month: u32, day: u32, clock: &str, before: i64) -> Option<i64> {
    let last_day = i32::try_from((before + DAY).div_euclid(DAY)).ok()?;
    let year: i32 = format_date(last_day).get(..4)?.parse().ok()?;
    let of = |year: i32| parse_timestamp(&format!("{year:04}-{month:02}-{day:02}T{clock}Z"));
    [year, year - 1].into_iter().filter_map(of).find(|at| *at <= before + DAY)
}

/// Converts a Unix time in seconds, milliseconds, microseconds or nanoseconds, distinguished by magnitude, to µs.
pub fn since_1970(number: f64) -> Option<i64> {
    let micros = match number {
        n if n < 1e8 => return None,
        n if n < 1e11 => n * 1e6,
        n if n < 1e14 => n * 1e3,
        n if n < 1e17 => n,
        n if n < 1e20 => n / 1e3,
        _ => return None,
    };
    #[allow(clippy::cast_possible_truncation)] // Far below 2^63.
    Some(micros.round() as i64)
}

fn month_number(name: &str) -> Option<usize> {
    MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name)).map(|place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_programs_write_them() {
        let at = |text: &str| parse_timestamp(text).unwrap();
        let noon = at("2026-01-02T12:00:00Z");
        assert_eq!(leading("2026-01-02T12:00:00Z hello"), Some((noon, " hello")));
        assert_eq!(leading("2026-01-02 12:00:00,250 INFO x"), Some((noon + 250_000, " INFO x")));
        assert_eq!(leading("2026/01/02 12:00:00 [error] x"), Some((noon, " [error] x")));
        assert_eq!(leading("2026-01-02T13:00:00.5+01:00 x"), Some((noon + 500_000, " x")));
        assert_eq!(leading("2026-01-02 hello"), None);
        assert_eq!(anywhere("1.2.3.4 - - [02/Jan/2026:13:00:00 +0100] \"GET /\""), Some(noon));
        assert_eq!(anywhere("Hello: Fri Jan  2 12:00:00 UTC 2026"), Some(noon));
        assert_eq!(anywhere("no time [here] at all"), None);
    }

    #[test]
    fn a_time_without_a_year_is_of_the_past() {
        let before = parse_timestamp("2026-01-02T12:00:00Z").unwrap();
        assert_eq!(without_year(12, 31, "23:00:00", before), parse_timestamp("2025-12-31T23:00:00Z"));
        assert_eq!(without_year(1, 2, "11:00:00", before), parse_timestamp("2026-01-02T11:00:00Z"));
        assert_eq!(without_year(13, 2, "11:00:00", before), None);
    }

    #[test]
    fn counts_are_told_apart_by_their_size() {
        let noon = parse_timestamp("2026-01-02T12:00:00Z");
        for number in
            [1_767_355_200.0, 1_767_355_200_000.0, 1_767_355_200_000_000.0, 1_767_355_200_000_000_000.0]
        {
            assert_eq!(since_1970(number), noon);
        }
        assert_eq!(since_1970(12.0), None);
    }
}
