//! Parses single cells: empty values, numbers and times.

use catalogue::{Decimal, parse_timestamp};

/// The trimmed cell, or `None` when it means no value: empty, blanks only, `NULL` in any case, or two quotes left over from double quoting.
pub fn filled(cell: &[u8]) -> Option<&[u8]> {
    let cell = trimmed(cell);
    match cell.len() {
        0 => None,
        2 if cell == b"\"\"" => None,
        4 if cell.eq_ignore_ascii_case(b"null") => None,
        _ => Some(cell),
    }
}

/// Removes surrounding white space, including the no-break space (U+00A0) that spreadsheets write.
fn trimmed(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    if [cell.first(), cell.last()].into_iter().flatten().all(u8::is_ascii) {
        return cell;
    }
    std::str::from_utf8(cell).map_or(cell, |text| text.trim().as_bytes())
}

/// The number in a cell, or the reason it is not one.
pub fn number(cell: &[u8]) -> Result<Decimal, &'static str> {
    let text = std::str::from_utf8(cell.trim_ascii()).map_err(|_| NOT_TEXT)?;
    Decimal::parse(text).map_err(|error| match error {
        catalogue::DecimalError::NotANumber => "not a number",
        catalogue::DecimalError::TooLong => "more than 38 digits",
    })
}

/// A time, and whether the cell stated a time zone. Without one the time is UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// µs since 1970 UTC.
    pub micros: i64,
    pub is_zoned: bool,
}

/// Parses an ISO 8601 time.
pub fn time(cell: &[u8]) -> Option<Time> {
    let cell = cell.trim_ascii();
    let micros = parse_timestamp(std::str::from_utf8(cell).ok()?)?;
    let tail = cell.get(10..).unwrap_or_default();
    // The separator `T` is not a time zone; a letter after it may be.
    let is_zoned = tail.iter().skip(1).any(|byte| matches!(byte, b'+' | b'-') || byte.is_ascii_alphabetic());
    Some(Time { micros, is_zoned })
}

/// The local clock time of an ISO 8601 time with an offset from UTC, as µs since 1970; `None` without an offset.
pub fn local_clock(cell: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(cell.trim_ascii()).ok()?;
    let zone = text.get(10..)?.find(['+', '-'])? + 10;
    let clock = parse_timestamp(text.get(..zone)?.trim_end())?;
    (parse_timestamp(text)? != clock).then_some(clock)
}

/// The reason for a cell that is not valid UTF-8.
pub const NOT_TEXT: &str = "not UTF-8 text";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_nulls_and_empty_quotes_are_nothing() {
        for cell in ["", "NULL", "null", "Null", "\"\"", " ", "\t \u{a0}", " NULL "] {
            assert_eq!(filled(cell.as_bytes()), None, "{cell:?}");
        }
        for cell in ["0", "nulls", "{}", "a b", "é", "\u{ff}"] {
            assert_eq!(filled(cell.as_bytes()), Some(cell.as_bytes()));
            let padded = format!(" {cell}\t\u{a0}");
            assert_eq!(filled(padded.as_bytes()), Some(cell.as_bytes()), "{cell:?}");
        }
    }

    #[test]
    fn a_clock_is_local_where_an_offset_is_named() {
        for text in ["2026-05-01T00:00:00+02:00", "2026-05-01 00:00 -0500", "2026-05-01T00:00:00.000+02"] {
            assert_eq!(local_clock(text.as_bytes()), Some(1_777_593_600_000_000), "{text}");
        }
        for text in
            ["2026-05-01", "2026-05-01T00:00:00Z", "2026-05-01T00:00:00+00:00", "2026-05-01T00:00+x", "+"]
        {
            assert_eq!(local_clock(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn exponents_and_blanks_around_a_number_are_read() {
        assert_eq!(number(b" 6.123E-7 ").unwrap().to_string(), "0.0000006123");
        assert_eq!(number(b"-12.50").unwrap().to_string(), "-12.5");
        assert_eq!(number(b"1,50"), Err("not a number"));
    }

    #[test]
    fn a_time_says_whether_it_named_its_zone() {
        for (text, is_zoned) in [
            ("2026-05-01 00:00:00", false),
            ("2026-05-01T00:00:00", false),
            ("2026-05-01", false),
            ("2026-05-01T00:00Z", true),
            ("2026-05-01 00:00:00 UTC", true),
            ("2026-05-01T02:00:00+0200", true),
        ] {
            assert_eq!(
                time(text.as_bytes()),
                Some(Time { micros: 1_777_593_600_000_000, is_zoned }),
                "{text}"
            );
        }
    }
}
