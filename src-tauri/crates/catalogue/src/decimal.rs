//! Exact decimal numbers, used for money.
//!
//! Limits: at most 38 significant digits (leading zeros and zeros between the point and the first non-zero digit do not count), at most 76
//! digits after the point. A number outside the limits is refused, never rounded. [`DecimalSum`] adds up totals and has no such limit for
//! the amounts that files can hold.

mod mean;
mod sum;
mod text;

pub use sum::DecimalSum;
pub use text::DecimalText;

use std::cmp::Ordering;

/// Maximum digits of the mantissa.
const MAX_DIGITS: u32 = 38;
/// Maximum digits after the point.
const MAX_SCALE: u8 = 76;
/// The largest mantissa plus one.
const BOUND: i128 = power(MAX_DIGITS);

/// `10^digits` for up to 38 digits.
const fn power(digits: u32) -> i128 {
    POWERS[digits as usize]
}

/// The powers of ten as a table: one is needed for every digit of every amount.
const POWERS: [i128; MAX_DIGITS as usize + 1] = {
    let mut powers = [1; MAX_DIGITS as usize + 1];
    let mut digits = 1;
    while digits < powers.len() {
        powers[digits] = powers[digits - 1] * 10;
        digits += 1;
    }
    powers
};

/// An exact decimal: `mantissa × 10^-scale`, at most 38 significant digits. Always canonical: no trailing zeros, `-0` is `0`. Equal
/// numbers therefore have equal fields and equal text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    mantissa: i128,
    scale: u8,
}

/// Why a text is not a valid decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    #[error("not a number")]
    NotANumber,
    #[error("more than 38 digits")]
    TooLong,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0, scale: 0 };

    /// Parses `-12.50`, `6.123E-7`, `+.5`. Blanks and grouping separators are not allowed.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        text::parse(text.as_bytes())
    }

    /// The decimal of the float's shortest text form: `0.1` gives 0.1. `None` for infinities, NaN and numbers that need more than 38 digits.
    pub fn from_f64(number: f64) -> Option<Self> {
        // The shortest form in scientific notation has at most 17 digits, which avoids a buffer for long runs of zeros.
        Self::parse(&format!("{number:e}")).ok()
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.to_text().as_str().parse().unwrap_or(f64::NAN)
    }

    /// The number in plain notation (`-0.0000001`), valid JSON, without allocation. [`Display`](std::fmt::Display) writes the same text.
    pub fn to_text(self) -> DecimalText {
        DecimalText::new(self.mantissa, self.scale)
    }

    /// The sum; `None` when it needs more than 38 digits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let (left, right, scale) = align(self, other)?;
        Self::canonical(left.checked_add(right)?, scale)
    }

    /// The difference; `None` when it needs more than 38 digits.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(-other)
    }

    /// The product with an integer; `None` when it needs more than 38 digits.
    pub fn checked_mul_int(self, factor: i64) -> Option<Self> {
        Self::canonical(self.mantissa.checked_mul(i128::from(factor))?, self.scale)
    }

    /// The quotient, rounded half away from zero to 20 digits after the point, or to this number's scale if that is larger. Uses fewer
    /// digits where 38 are not enough. `divisor` must not be zero.
    #[must_use]
    pub fn divided_by(self, divisor: u32) -> Self {
        let (mut mantissa, mut scale) = (self.mantissa, self.scale);
        while scale < 20 && mantissa.abs() < BOUND / 10 {
            mantissa *= 10;
            scale += 1;
        }
        let divisor = i128::from(divisor);
        let half = divisor / 2 * mantissa.signum();
        Self::canonical((mantissa + half) / divisor, scale)
            .expect("a quotient is no longer than its dividend")
    }

    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    pub fn is_negative(self) -> bool {
        self.mantissa < 0
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { mantissa: self.mantissa.abs(), scale: self.scale }
    }

    /// The number as an integer; `None` if it has digits after the point or does not fit.
    pub fn to_i64(self) -> Option<i64> {
        if self.scale == 0 { i64::try_from(self.mantissa).ok() } else { None }
    }

    /// `mantissa × 10^-scale`; `None` when it needs more than 38 digits or 76 after the point.
    pub fn from_parts(mantissa: i128, scale: u8) -> Option<Self> {
        Self::canonical(mantissa, scale)
    }

    /// The significant digits as an integer: the mantissa of `12.5` is 125.
    pub fn mantissa(self) -> i128 {
        self.mantissa
    }

    /// The number of digits after the point.
    pub fn scale(self) -> u8 {
        self.scale
    }

    /// `mantissa × 10^digits`, which is the same number with `digits` more digits after the point; `None` if it does not fit.
    pub fn raise(mantissa: i128, digits: u8) -> Option<i128> {
        raise(mantissa, digits)
    }

    /// The canonical form of `mantissa × 10^-scale`; `None` outside the limits.
    fn canonical(mut mantissa: i128, mut scale: u8) -> Option<Self> {
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        (mantissa.abs() < BOUND && scale <= MAX_SCALE).then_some(Self { mantissa, scale })
    }
}

/// Both mantissas converted to the larger of the two scales; `None` if one no longer fits.
fn align(left: Decimal, right: Decimal) -> Option<(i128, i128, u8)> {
    match left.scale.cmp(&right.scale) {
        Ordering::Equal => Some((left.mantissa, right.mantissa, left.scale)),
        Ordering::Less => {
            Some((raise(left.mantissa, right.scale - left.scale)?, right.mantissa, right.scale))
        }
        Ordering::Greater => {
            Some((left.mantissa, raise(right.mantissa, left.scale - right.scale)?, left.scale))
        }
    }
}

/// `mantissa × 10^digits`; `None` if it does not fit.
fn raise(mantissa: i128, digits: u8) -> Option<i128> {
    match digits {
        0 => Some(mantissa),
        _ if mantissa == 0 => Some(0),
        _ => mantissa.checked_mul(*POWERS.get(usize::from(digits))?),
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.mantissa.signum().cmp(&other.mantissa.signum());
        if by_sign != Ordering::Equal {
            return by_sign;
        }
        if let Some((left, right, _)) = align(*self, *other) {
            return left.cmp(&right);
        }
        // `align` failed: the number with the smaller scale exceeds 38 digits at the other's scale, and the other number has at most 38
        // digits. Therefore the number with the smaller scale has the larger absolute value.
        let larger_in_size = if self.scale < other.scale { Ordering::Greater } else { Ordering::Less };
        if self.is_negative() { larger_in_size.reverse() } else { larger_in_size }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::ops::Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self { mantissa: -self.mantissa, scale: self.scale }
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Self { mantissa: i128::from(number), scale: 0 }
    }
}

impl std::str::FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::parse(text)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.to_text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_ordered_by_value_and_not_by_spelling() {
        let sorted = ["-1e30", "-2", "-1.999", "-1e-70", "0", "1e-70", "0.1", "0.11", "9", "10", "1e30"];
        for pair in sorted.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{} < {}", pair[0], pair[1]);
        }
        assert_eq!(decimal("1.50"), decimal("15e-1"));
    }

    #[test]
    fn a_sum_of_unlike_scales_is_exact() {
        assert_eq!(decimal("0.1").checked_add(decimal("0.2")), Some(decimal("0.3")));
        assert_eq!(decimal("9.995").checked_add(decimal("0.005")), Some(decimal("10")));
        assert_eq!(decimal("1").checked_sub(decimal("1.000000000001")), Some(decimal("-0.000000000001")));
    }

    #[test]
    fn a_sum_beyond_38_digits_is_refused_and_not_rounded() {
        assert_eq!(decimal("1e20").checked_add(decimal("1e-20")), None);
        assert_eq!(decimal("1e37").checked_mul_int(10), None);
        assert_eq!(decimal("1.5").checked_mul_int(-4), Some(decimal("-6")));
    }

    #[test]
    fn a_float_becomes_what_it_is_written_as() {
        assert_eq!(Decimal::from_f64(0.1), Some(decimal("0.1")));
        assert_eq!(Decimal::from_f64(1e-7), Some(decimal("0.0000001")));
        assert_eq!(Decimal::from_f64(f64::NAN), None);
        assert!((decimal("20.52022672899").to_f64() - 20.520_226_728_99).abs() < f64::EPSILON);
    }

    #[test]
    fn a_whole_number_is_told_from_a_broken_one() {
        assert_eq!(decimal("12.0").to_i64(), Some(12));
        assert_eq!(decimal("12.5").to_i64(), None);
        assert_eq!(decimal("1e30").to_i64(), None);
    }
}
