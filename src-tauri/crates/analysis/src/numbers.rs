//! Exact decimal arithmetic that can be reproduced with a calculator: products are rounded half away from zero to ten decimal places. `None`
//! means that a number exceeds 38 digits, which does not occur in bills.

use catalogue::Decimal;

/// Decimal places of a product.
const DIGITS: u8 = 10;

/// `1.4826`: converts a median of deviations to a standard deviation.
pub(crate) fn consistency() -> Decimal {
    decimal(14_826, 4)
}

/// `mantissa × 10^-scale`, for constants.
pub(crate) fn decimal(mantissa: i128, scale: u8) -> Decimal {
    Decimal::from_parts(mantissa, scale).unwrap_or(Decimal::ZERO)
}

/// The product, rounded.
pub(crate) fn product(left: Decimal, right: Decimal) -> Option<Decimal> {
    let (left, right) = (round(left, 12)?, round(right, 6)?);
    let mantissa = left.mantissa().checked_mul(right.mantissa())?;
    round(Decimal::from_parts(mantissa, left.scale() + right.scale())?, DIGITS)
}

/// A percentage of a number, rounded.
pub(crate) fn percent(number: Decimal, hundredths: i64) -> Option<Decimal> {
    product(number, Decimal::from_parts(i128::from(hundredths), 2)?)
}

/// `left / right`, rounded to four decimal places; `None` if `right` is 0.
pub(crate) fn ratio(left: Decimal, right: Decimal) -> Option<Decimal> {
    let whole = |number: Decimal| {
        let number = round(number, 8)?;
        Decimal::raise(number.mantissa(), 8 - number.scale())
    };
    let (left, right) = (whole(left)?.checked_mul(10_000)?, whole(right)?);
    if right == 0 {
        return None;
    }
    let half = right.abs() / 2 * left.signum();
    Decimal::from_parts((left + half) / right, 4)
}

/// `left ÷ right` with `digits` decimal places, rounded half away from zero; `None` if `right` is 0.
pub(crate) fn quotient(left: Decimal, right: Decimal, digits: u8) -> Option<Decimal> {
    let (left, right) = (round(left, 12)?, round(right, 12)?);
    let surplus = (digits + right.scale()).checked_sub(left.scale());
    let (left, right) = match surplus {
        Some(surplus) => (Decimal::raise(left.mantissa(), surplus)?, right.mantissa()),
        None => (left.mantissa(), Decimal::raise(right.mantissa(), left.scale() - digits - right.scale())?),
    };
    if right == 0 {
        return None;
    }
    let half = right.abs() / 2 * left.signum();
    Decimal::from_parts(left.checked_add(half)? / right, digits)
}

/// Truncates towards zero to at most `digits` decimal places.
pub(crate) fn floor(number: Decimal, digits: u8) -> Option<Decimal> {
    if number.scale() <= digits {
        return Some(number);
    }
    let unit = Decimal::raise(1, number.scale() - digits)?;
    Decimal::from_parts(number.mantissa() / unit, digits)
}

/// The smallest whole number not less than `left ÷ right`; both must not be negative. `None` if `right` is 0.
pub(crate) fn ceiling(left: Decimal, right: Decimal) -> Option<u32> {
    let scale = left.scale().max(right.scale());
    let whole = |number: Decimal| Decimal::raise(number.mantissa(), scale - number.scale());
    let (left, right) = (u128::try_from(whole(left)?).ok()?, u128::try_from(whole(right)?).ok()?);
    if right == 0 {
        return None;
    }
    u32::try_from(left.div_ceil(right)).ok()
}

/// Rounds half away from zero to at most `digits` decimal places.
pub(crate) fn round(number: Decimal, digits: u8) -> Option<Decimal> {
    if number.scale() <= digits {
        return Some(number);
    }
    let unit = Decimal::raise(1, number.scale() - digits)?;
    let mantissa = number.mantissa();
    let rounded = (mantissa.checked_add(unit / 2 * mantissa.signum())?) / unit;
    Decimal::from_parts(rounded, digits)
}

/// The median; for an even count, the mean of the two in the middle. `None` for an empty list.
pub(crate) fn median(mut numbers: Vec<Decimal>) -> Option<Decimal> {
    numbers.sort_unstable();
    let middle = numbers.len() / 2;
    let upper = *numbers.get(middle)?;
    if numbers.len() % 2 == 1 {
        return Some(upper);
    }
    Some(numbers[middle - 1].checked_add(upper)?.divided_by(2))
}

/// The exact sum.
pub(crate) fn sum(numbers: impl Iterator<Item = Decimal>) -> Option<Decimal> {
    let mut sum = catalogue::DecimalSum::new();
    numbers.for_each(|number| sum.add(number));
    sum.total()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn products_and_ratios_are_rounded_half_away_from_zero() {
        assert_eq!(product(number("2"), consistency()), Some(number("2.9652")));
        assert_eq!(product(number("-0.00000000005"), number("1")), Some(number("-0.0000000001")));
        assert_eq!(ratio(number("72"), number("100")), Some(number("0.72")));
        assert_eq!(ratio(number("1"), number("-3")), Some(number("-0.3333")));
        assert_eq!(ratio(number("1"), number("0")), None);
        assert_eq!(percent(number("200"), 2), Some(number("4")));
    }

    #[test]
    fn the_median_of_an_even_count_lies_halfway() {
        let numbers = |list: &[&str]| list.iter().map(|text| number(text)).collect::<Vec<_>>();
        assert_eq!(median(numbers(&["3", "1", "2"])), Some(number("2")));
        assert_eq!(median(numbers(&["98", "102", "98", "102"])), Some(number("100")));
        assert_eq!(median(Vec::new()), None);
    }
}
