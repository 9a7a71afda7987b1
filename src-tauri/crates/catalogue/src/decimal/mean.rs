//! The mean of decimals, identical to the last digit on SQLite and PostgreSQL.

use super::DecimalSum;

/// Minimum number of digits after the point in a mean.
const PLACES: usize = 20;

impl DecimalSum {
    /// The total divided by `count`, rounded half away from zero to 20 digits after the point, or to the scale of the total if that is
    /// larger. Plain notation; may have more digits than a [`Decimal`](super::Decimal). `count` must not be zero.
    pub fn mean(&self, count: u32) -> String {
        let total = self.to_string();
        let (minus, digits) = total.strip_prefix('-').map_or(("", &*total), |digits| ("-", digits));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let places = fraction.len().max(PLACES);
        let zeros = std::iter::repeat_n(b'0', places - fraction.len());
        let divisor = u64::from(count);
        let mut rest = 0;
        let mut quotient: Vec<u8> = Vec::with_capacity(whole.len() + places);
        for digit in whole.bytes().chain(fraction.bytes()).chain(zeros) {
            rest = rest * 10 + u64::from(digit - b'0');
            quotient.push(b'0' + u8::try_from(rest / divisor).unwrap_or_default());
            rest %= divisor;
        }
        if rest * 2 >= divisor {
            round_up(&mut quotient);
        }
        let quotient = String::from_utf8(quotient).unwrap_or_default();
        let (whole, fraction) = quotient.split_at(quotient.len() - places);
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let whole = if whole.is_empty() { "0" } else { whole };
        match fraction {
            "" if whole == "0" => "0".to_owned(),
            "" => format!("{minus}{whole}"),
            _ => format!("{minus}{whole}.{fraction}"),
        }
    }
}

/// Adds one to the last digit, with carry.
fn round_up(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

#[cfg(test)]
mod tests {
    use crate::{Decimal, DecimalSum};

    fn check(numbers: &[&str], count: u32, expected: &str) {
        let mut sum = DecimalSum::new();
        for number in numbers {
            sum.add(Decimal::parse(number).unwrap());
        }
        assert_eq!(sum.mean(count), expected, "{numbers:?} / {count}");
    }

    #[test]
    fn a_mean_has_20_places_or_those_of_the_total() {
        check(&["10"], 4, "2.5");
        check(&["0"], 3, "0");
        check(&["1"], 3, "0.33333333333333333333");
        check(&["-2"], 3, "-0.66666666666666666667");
        check(&["1e-30"], 2, "0.000000000000000000000000000001");
        check(&["1e-30"], 3, "0");
        check(&["-1e-30"], 3, "0");
        check(&["1e-20"], 2, "0.00000000000000000001");
    }

    #[test]
    fn a_mean_is_exact_beyond_38_digits() {
        let nines = "9".repeat(38);
        check(&[&nines, &nines], 2, &nines);
        check(&[&nines, "0.5"], 2, &format!("4{}.75", "9".repeat(37)));
    }
}
