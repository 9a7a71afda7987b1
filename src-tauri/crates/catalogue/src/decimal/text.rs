//! Parses and formats decimals without allocation: both run for every amount of an import.

use super::{BOUND, Decimal, DecimalError, MAX_DIGITS, MAX_SCALE, power, raise};

/// Parses an optional sign, digits with at most one point, and an optional exponent.
pub(super) fn parse(bytes: &[u8]) -> Result<Decimal, DecimalError> {
    let (is_negative, bytes) = sign(bytes);
    let mut mantissa: i128 = 0;
    let mut digits = 0;
    // Zeros since the last non-zero digit. They count only if another digit follows; the mantissa therefore has no trailing zeros.
    let mut zeros: u32 = 0;
    let mut after_point: i64 = 0;
    let mut has_point = false;
    let mut has_digit = false;
    let mut rest = bytes;
    while let [byte, tail @ ..] = rest {
        match byte {
            b'0'..=b'9' => {
                has_digit = true;
                after_point += i64::from(has_point);
                if *byte == b'0' {
                    zeros += u32::from(mantissa != 0);
                } else {
                    digits += 1 + zeros;
                    if digits > MAX_DIGITS {
                        return validate_tail(tail, has_point).and(Err(DecimalError::TooLong));
                    }
                    mantissa = mantissa * power(zeros + 1) + i128::from(byte - b'0');
                    zeros = 0;
                }
            }
            b'.' if !has_point => has_point = true,
            _ => break,
        }
        rest = tail;
    }
    if !has_digit {
        return Err(DecimalError::NotANumber);
    }
    let exponent = exponent(rest)? + i64::from(zeros) - after_point;
    if mantissa == 0 {
        return Ok(Decimal::ZERO);
    }
    let (mantissa, scale) = place_point(mantissa, exponent).ok_or(DecimalError::TooLong)?;
    Ok(Decimal { mantissa: if is_negative { -mantissa } else { mantissa }, scale })
}

fn sign(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes {
        [b'-', tail @ ..] => (true, tail),
        [b'+', tail @ ..] => (false, tail),
        _ => (false, bytes),
    }
}

/// The number after `e` or `E`; 0 when nothing is left. The value is capped far beyond the limits.
fn exponent(bytes: &[u8]) -> Result<i64, DecimalError> {
    match bytes {
        [] => Ok(0),
        [b'e' | b'E', tail @ ..] => {
            let (is_negative, tail) = sign(tail);
            if tail.is_empty() || !tail.iter().all(u8::is_ascii_digit) {
                return Err(DecimalError::NotANumber);
            }
            let size =
                tail.iter().fold(0i64, |size, byte| (size * 10 + i64::from(byte - b'0')).min(1_000_000));
            Ok(if is_negative { -size } else { size })
        }
        _ => Err(DecimalError::NotANumber),
    }
}

/// Checks that the rest of a text with too many digits is still a number, so that the error names the right reason.
fn validate_tail(mut rest: &[u8], mut has_point: bool) -> Result<(), DecimalError> {
    while let [byte, tail @ ..] = rest {
        match byte {
            b'0'..=b'9' => {}
            b'.' if !has_point => has_point = true,
            _ => return exponent(rest).map(drop),
        }
        rest = tail;
    }
    Ok(())
}

/// `mantissa × 10^exponent` as mantissa and scale; `None` outside the limits.
fn place_point(mantissa: i128, exponent: i64) -> Option<(i128, u8)> {
    if exponent <= 0 {
        let scale = u8::try_from(-exponent).ok().filter(|scale| *scale <= MAX_SCALE)?;
        return Some((mantissa, scale));
    }
    let mantissa = raise(mantissa, u8::try_from(exponent).ok()?).filter(|mantissa| *mantissa < BOUND)?;
    Some((mantissa, 0))
}

/// Buffer size: a sign, `0.` and the digits after it, or the digits of an integer.
const ROOM: usize = 3 + MAX_SCALE as usize;

/// The text of a decimal, in a buffer on the stack.
#[derive(Debug, Clone, Copy)]
pub struct DecimalText {
    bytes: [u8; ROOM],
    /// Index of the first byte: the text occupies the end of `bytes`.
    start: usize,
}

impl DecimalText {
    pub(super) fn new(mantissa: i128, scale: u8) -> Self {
        let mut text = Self { bytes: [0; ROOM], start: ROOM };
        let mut left = mantissa.unsigned_abs();
        let mut written = 0;
        while left != 0 || written <= scale {
            if written == scale && scale > 0 {
                text.push(b'.');
            }
            // Most amounts fit 64 bits, where division is many times faster.
            let digit = if let Ok(small) = u64::try_from(left) {
                left = u128::from(small / 10);
                (small % 10) as u8
            } else {
                let digit = (left % 10) as u8;
                left /= 10;
                digit
            };
            text.push(b'0' + digit);
            written += 1;
        }
        if mantissa < 0 {
            text.push(b'-');
        }
        text
    }

    /// The text as a string slice.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.start..]).expect("only ASCII was written")
    }

    fn push(&mut self, byte: u8) {
        self.start -= 1;
        self.bytes[self.start] = byte;
    }
}

impl AsRef<str> for DecimalText {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Decimal, DecimalError};

    fn check(input: &str, expected: &str) {
        assert_eq!(
            Decimal::parse(input).map(|number| number.to_string()).as_deref(),
            Ok(expected),
            "{input:?}"
        );
    }

    #[test]
    fn every_spelling_of_an_amount_in_cost_files_is_read() {
        check("20.52022672899", "20.52022672899");
        check("-12.50", "-12.5");
        check("6.123E-7", "0.0000006123");
        check("-1.3877787807814457E-17", "-0.000000000000000013877787807814457");
        check("+.5", "0.5");
        check("5.", "5");
        check("1e3", "1000");
        check("1.5E+2", "150");
        check("0007", "7");
        check("100.00", "100");
        check("0.000000000000012345", "0.000000000000012345");
    }

    #[test]
    fn zero_has_one_spelling() {
        for text in ["0", "-0", "0.000", "-0.0e-9", "0e99999999999", "00"] {
            check(text, "0");
        }
    }

    #[test]
    fn thirty_eight_digits_are_kept_to_the_last() {
        let digits = "12345678901234567890123456789012345678";
        check(digits, digits);
        check(&format!("-0.{digits}"), &format!("-0.{digits}"));
        check(&format!("{digits}e-76"), &format!("0.{}{digits}", "0".repeat(38)));
        check("1e37", &format!("1{}", "0".repeat(37)));
    }

    #[test]
    fn more_than_38_digits_are_refused() {
        for text in [
            "123456789012345678901234567890123456789",
            "1e38",
            "1e-77",
            "1.00000000000000000000000000000000000001",
            "1e999999999999",
        ] {
            assert_eq!(Decimal::parse(text), Err(DecimalError::TooLong), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1.2.3", "abc", "1,5", " 1", "1 ", "NULL", "NaN", "inf", "0x10",
            "--1", "1_000",
        ] {
            assert_eq!(Decimal::parse(text), Err(DecimalError::NotANumber), "{text:?}");
        }
        assert_eq!(Decimal::parse("123456789012345678901234567890123456789x"), Err(DecimalError::NotANumber));
    }

    #[test]
    fn a_canonical_text_survives_a_round_trip() {
        for text in [
            "0",
            "-1",
            "0.1",
            "-0.0000001",
            "99999999999999999999999999999999999999",
            "18446744073709551616.5",
        ] {
            check(text, text);
        }
    }
}
