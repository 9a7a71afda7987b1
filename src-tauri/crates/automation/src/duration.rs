//! Durations in workflow definitions: `30s`, `1h30m`, `500ms`, `7d`.

const SECOND: i64 = 1_000_000;

const UNITS: &[(&str, i64)] = &[
    ("us", 1),
    ("ms", SECOND / 1000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3600 * SECOND),
    ("d", 86_400 * SECOND),
];

/// Parses a duration into microseconds; `None` if it is invalid. Parts may have a fraction (`1.5h`) but may not be negative.
pub fn parse(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    let mut total = 0_i64;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, tail) = rest.split_at(digits);
        let length = tail.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(length);
        let micros = UNITS.iter().find(|(name, _)| *name == unit)?.1;
        total = total.checked_add(times(number, micros)?)?;
        rest = tail;
    }
    Some(total)
}

/// Multiplies `1.5` by a unit without floating point.
fn times(number: &str, micros: i64) -> Option<i64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = if whole.is_empty() && !fraction.is_empty() { 0 } else { whole.parse::<i64>().ok()? };
    let mut total = whole.checked_mul(micros)?;
    let mut place = micros;
    for digit in fraction.chars() {
        place /= 10;
        total = total.checked_add(i64::from(digit.to_digit(10)?) * place)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn spans_are_read_with_their_units() {
        assert_eq!(parse("1s"), Some(1_000_000));
        assert_eq!(parse("2h30m"), Some(9_000_000_000));
        assert_eq!(parse("500ms"), Some(500_000));
        assert_eq!(parse("1.5m"), Some(90_000_000));
        assert_eq!(parse("7d"), Some(604_800_000_000));
        assert_eq!(parse("0s"), Some(0));
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in ["", "10", "s", "1 s", "-1s", "1w", "1h30", "1..5s", "99999999999999999999s"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
