//! Converts `numeric` between its binary form and the canonical text of a decimal.
//!
//! The binary form (PostgreSQL, `src/backend/utils/adt/numeric.c`, `numeric_send`) is four 16-bit numbers (number of digits, weight of the
//! first digit, sign, scale) and digits in base 10,000.

const NEGATIVE: u16 = 0x4000;
const NOT_A_NUMBER: u16 = 0xC000;
/// Decimal digits per digit of the binary form.
const WIDTH: usize = 4;

/// The text, without trailing zeros in the fraction.
pub(super) fn decode(bytes: &[u8]) -> Option<String> {
    let mut words = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    let (count, weight) = (words.next()?, words.next()?.cast_signed());
    let sign = words.next()?;
    words.next()?;
    if sign >= NOT_A_NUMBER {
        return Some("NaN".to_owned());
    }
    let digits: Vec<u16> = words.take(usize::from(count)).collect();
    let digit = |place: i32| {
        usize::try_from(place).ok().and_then(|place| digits.get(place)).copied().unwrap_or_default()
    };
    let mut text = String::with_capacity(digits.len() * WIDTH + 2);
    if weight < 0 {
        text.push('0');
    }
    for place in 0..=i32::from(weight) {
        text.push_str(&format!("{:0WIDTH$}", digit(place)));
    }
    let whole = text.trim_start_matches('0');
    let mut text = if whole.is_empty() { "0".to_owned() } else { whole.to_owned() };
    let last = i32::try_from(digits.len()).ok()?;
    let mut fraction = String::new();
    for place in i32::from(weight) + 1..last {
        fraction.push_str(&format!("{:0WIDTH$}", digit(place)));
    }
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    if sign == NEGATIVE && text != "0" {
        text.insert(0, '-');
    }
    Some(text)
}

/// The binary form of a decimal text, with or without exponent.
pub(super) fn encode(text: &str) -> Option<Vec<u8>> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // The number of digits before the point.
    let mut point = i32::try_from(whole.len()).ok()?.checked_add(exponent)?;
    if !(-4_000..=4_000).contains(&point) {
        return None;
    }
    let significant = all.trim_start_matches('0');
    point -= i32::try_from(all.len() - significant.len()).ok()?;
    let significant = significant.trim_end_matches('0');
    let places = i32::try_from(significant.len()).ok()? - point;
    let scale = u16::try_from(places.max(0)).ok()?;
    let width = i32::try_from(WIDTH).ok()?;
    // Pads with zeros so that the point falls between two base-10,000 digits.
    let lead = usize::try_from((width - point.rem_euclid(width)) % width).ok()?;
    let weight = point.div_euclid(width) + i32::from(point.rem_euclid(width) > 0) - 1;
    let mut padded = "0".repeat(lead);
    padded.push_str(significant);
    while padded.len() % WIDTH > 0 {
        padded.push('0');
    }
    let mut digits: Vec<u16> = padded
        .as_bytes()
        .chunks(WIDTH)
        .map(|chunk| chunk.iter().fold(0, |number, byte| number * 10 + u16::from(byte - b'0')))
        .collect();
    if significant.is_empty() {
        digits.clear();
    }
    let weight = if digits.is_empty() { 0 } else { i16::try_from(weight).ok()? };
    let sign = if is_negative && !digits.is_empty() { NEGATIVE } else { 0 };
    let head = [u16::try_from(digits.len()).ok()?, weight.cast_unsigned(), sign, scale];
    Some(head.into_iter().chain(digits).flat_map(u16::to_be_bytes).collect())
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn decimals_go_and_come_back_in_their_canonical_form() {
        for (given, wanted) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("1", "1"),
            ("10", "10"),
            ("9999", "9999"),
            ("10000", "10000"),
            ("12345678.9", "12345678.9"),
            ("-12345.678900", "-12345.6789"),
            ("0.1", "0.1"),
            ("0.0001", "0.0001"),
            ("0.00001", "0.00001"),
            ("-0.000000000123", "-0.000000000123"),
            ("100000000000000000000000000000000000000", "100000000000000000000000000000000000000"),
            ("12345678901234567890.12345678901234567890", "12345678901234567890.1234567890123456789"),
            ("1.5e3", "1500"),
            ("25e-3", "0.025"),
            ("+7.10", "7.1"),
        ] {
            assert_eq!(decode(&encode(given).unwrap()).as_deref(), Some(wanted), "{given}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_not_encoded() {
        for text in ["", "-", "a", "1.2.3", "1e", "NaN"] {
            assert_eq!(encode(text), None, "{text}");
        }
    }
}
