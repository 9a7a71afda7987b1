//! Formats numbers for display: `1,234.50`, `12.3%`.

use crate::Kind;
use catalogue::Decimal;

/// A cell formatted by its kind; text that is not a number is unchanged.
pub(crate) fn shown(cell: &str, kind: Kind) -> String {
    let number = Decimal::parse(cell).ok();
    match (kind, number) {
        (Kind::Amount, Some(number)) => {
            rounded(number, 2).map_or_else(|| cell.to_owned(), |text| grouped(&text))
        }
        (Kind::Share, Some(number)) => {
            let percent = number.checked_mul_int(100).and_then(|percent| rounded(percent, 1));
            percent.map_or_else(|| cell.to_owned(), |text| format!("{}%", grouped(&text)))
        }
        _ => cell.to_owned(),
    }
}

/// The number with `digits` decimal places, rounded half away from zero.
fn rounded(number: Decimal, digits: u8) -> Option<String> {
    let (mantissa, scale) = (number.mantissa(), number.scale());
    let mantissa = if scale > digits {
        let unit = 10_i128.checked_pow(u32::from(scale - digits))?;
        let half = unit / 2 * mantissa.signum();
        mantissa.checked_add(half)? / unit
    } else {
        mantissa.checked_mul(10_i128.checked_pow(u32::from(digits - scale))?)?
    };
    let sign = if mantissa < 0 { "-" } else { "" };
    let width = usize::from(digits) + 1;
    let text = format!("{:0>width$}", mantissa.unsigned_abs());
    let (whole, rest) = text.split_at(text.len() - usize::from(digits));
    Some(format!("{sign}{whole}.{rest}"))
}

/// Adds thousands separators and a typographic minus sign.
fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("\u{2212}", rest),
        None => ("", text),
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let mut found = String::from(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            found.push(',');
        }
        found.push(digit);
    }
    if !rest.is_empty() {
        found.push('.');
        found.push_str(rest);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::shown;
    use crate::Kind;

    #[test]
    fn numbers_are_rounded_and_grouped() {
        assert_eq!(shown("1234567.895", Kind::Amount), "1,234,567.90");
        assert_eq!(shown("-1234.5", Kind::Amount), "\u{2212}1,234.50");
        assert_eq!(shown("0.004", Kind::Amount), "0.00");
        assert_eq!(shown("-0.005", Kind::Amount), "\u{2212}0.01");
        assert_eq!(shown("0.1234", Kind::Share), "12.3%");
        assert_eq!(shown("", Kind::Amount), "");
        assert_eq!(shown("12", Kind::Text), "12");
    }
}
