//! Divides an amount among parts without loss.

use crate::numbers::{round, sum};
use catalogue::Decimal;

/// Decimal places of a share.
const DIGITS: u8 = 10;

/// Divides an amount in proportion to the parts. Shares are rounded; the largest part gets the rounding difference, so that the shares add up to
/// the amount exactly. `None` if the parts add up to 0.
pub fn shares(amount: Decimal, parts: &[Decimal]) -> Option<Vec<Decimal>> {
    let whole = |number: Decimal, digits: u8| {
        let number = round(number, digits)?;
        Decimal::raise(number.mantissa(), digits - number.scale())
    };
    let all = parts.iter().map(|part| whole(*part, 6)).collect::<Option<Vec<i128>>>()?;
    let total: i128 = all.iter().sum();
    let ten = whole(amount, DIGITS)?;
    if total == 0 {
        return None;
    }
    let share = |part: &i128| Decimal::from_parts(ten.checked_mul(*part)? / total, DIGITS);
    let mut shares = all.iter().map(share).collect::<Option<Vec<Decimal>>>()?;
    let left = amount.checked_sub(sum(shares.iter().copied())?)?;
    let largest = all.iter().enumerate().max_by_key(|(_, part)| part.abs()).map(|(place, _)| place)?;
    shares[largest] = shares[largest].checked_add(left)?;
    Some(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_last_digit() {
        let number = |text: &str| Decimal::parse(text).unwrap();
        let divided = shares(number("100"), &[number("1"), number("1"), number("1")]).unwrap();
        assert_eq!(divided[1], number("33.3333333333"));
        assert_eq!(sum(divided.into_iter()), Some(number("100")));
        assert_eq!(shares(number("5"), &[number("0")]), None);
        assert_eq!(shares(number("0"), &[number("3")]), Some(vec![number("0")]));
    }
}
