//! Splits an amount by weights, so that the parts add up to it exactly.
//!
//! The remainder rule: each part is first truncated to the last digit of the amount (at least the minor unit of its currency). The remainder is
//! fewer units of that digit than there are parts; its units go one each to the parts that lost most by truncation. Parts that lost equally take
//! turns, ordered by name, with a different first part every day. Of `n` such parts, counted from 0, the first on day `d` (days since 1970-01-01)
//! is number `((d · 2654435769 mod 2^32) · n) div 2^32`. The factor is 2^32 divided by the golden ratio, so that the turns are even for daily,
//! weekly and monthly costs alike. The same amount, weights and day always give the same parts.

use crate::forecast::minor_digits;
use catalogue::Decimal;

/// The part of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub target: String,
    pub weight: Decimal,
    pub amount: Decimal,
}

/// The reason why an amount cannot be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    #[error("there is nobody to split it among: every weight is zero")]
    NoWeight,
    #[error("a weight is below zero")]
    NegativeWeight,
    #[error("the amounts need more than 38 digits")]
    TooLarge,
}

/// Splits a day's amount in proportion to the weights (`day` in days since 1970). Targets with weight 0 get 0. A credit (a negative amount) is split
/// like the positive amount, with all signs reversed.
pub fn split(
    amount: Decimal,
    weights: &[(String, Decimal)],
    (currency, day): (&str, i32),
) -> Result<Vec<Part>, SplitError> {
    let digits = amount.scale().max(minor_digits(currency));
    let units = at_scale(amount, digits)?;
    let scale = weights.iter().map(|(_, weight)| weight.scale()).max().unwrap_or_default();
    let mut whole: u128 = 0;
    let mut scaled = Vec::with_capacity(weights.len());
    for (_, weight) in weights {
        if weight.is_negative() {
            return Err(SplitError::NegativeWeight);
        }
        let weight = at_scale(*weight, scale)?.unsigned_abs();
        whole = whole.checked_add(weight).ok_or(SplitError::TooLarge)?;
        scaled.push(weight);
    }
    if whole == 0 {
        return Err(SplitError::NoWeight);
    }
    let total = units.unsigned_abs();
    let mut left = total;
    let mut cut = Vec::with_capacity(scaled.len());
    for weight in scaled {
        let (quotient, remainder) = divided(total, weight, whole)?;
        left -= quotient;
        cut.push((quotient, remainder));
    }
    let mut order: Vec<usize> = (0..cut.len()).collect();
    order.sort_by(|one, other| {
        cut[*other].1.cmp(&cut[*one].1).then_with(|| weights[*one].0.cmp(&weights[*other].0))
    });
    for tied in order.chunk_by_mut(|one, other| cut[*one].1 == cut[*other].1) {
        tied.rotate_left(first_of(tied.len(), day));
    }
    for place in order.into_iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        cut[place].0 += 1;
    }
    weights
        .iter()
        .zip(cut)
        .map(|((target, weight), (units_of_part, _))| {
            let mantissa = i128::try_from(units_of_part).map_err(|_| SplitError::TooLarge)? * units.signum();
            let amount = Decimal::from_parts(mantissa, digits).ok_or(SplitError::TooLarge)?;
            Ok(Part { target: target.clone(), weight: *weight, amount })
        })
        .collect()
}

/// The index of the first of `count` equal parts on a day.
fn first_of(count: usize, day: i32) -> usize {
    let turn = u64::from(day.cast_unsigned().wrapping_mul(2_654_435_769));
    let count = u64::try_from(count).unwrap_or_default();
    usize::try_from(turn.wrapping_mul(count) >> 32).unwrap_or_default()
}

fn at_scale(number: Decimal, scale: u8) -> Result<i128, SplitError> {
    Decimal::raise(number.mantissa(), scale - number.scale()).ok_or(SplitError::TooLarge)
}

/// Quotient and remainder of `total · weight ÷ whole` without overflow of the product: long division in 128 bits.
fn divided(total: u128, weight: u128, whole: u128) -> Result<(u128, u128), SplitError> {
    if let Some(product) = total.checked_mul(weight) {
        return Ok((product / whole, product % whole));
    }
    // weight = q · whole + r, so the quotient is total · q + total · r ÷ whole; the second term is computed bit by bit.
    let (mut quotient, rest) =
        (total.checked_mul(weight / whole).ok_or(SplitError::TooLarge)?, weight % whole);
    let (mut part, mut remainder) = (0_u128, 0_u128);
    for bit in (0..128).rev() {
        part = part.checked_mul(2).ok_or(SplitError::TooLarge)?;
        remainder = remainder.checked_mul(2).ok_or(SplitError::TooLarge)?;
        if total >> bit & 1 == 1 {
            remainder = remainder.checked_add(rest).ok_or(SplitError::TooLarge)?;
        }
        part += remainder / whole;
        remainder %= whole;
    }
    quotient = quotient.checked_add(part).ok_or(SplitError::TooLarge)?;
    Ok((quotient, remainder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn parts(amount: &str, weights: &[(&str, &str)]) -> Vec<(String, String)> {
        parts_on(0, amount, weights)
    }

    fn parts_on(day: i32, amount: &str, weights: &[(&str, &str)]) -> Vec<(String, String)> {
        let weights: Vec<(String, Decimal)> =
            weights.iter().map(|(name, weight)| ((*name).to_owned(), number(weight))).collect();
        let parts = split(number(amount), &weights, ("USD", day)).unwrap();
        let sum = parts.iter().try_fold(Decimal::ZERO, |sum, part| sum.checked_add(part.amount)).unwrap();
        assert_eq!(sum, number(amount), "the parts add up");
        parts.into_iter().map(|part| (part.target, part.amount.to_string())).collect()
    }

    fn expected(parts: &[(&str, &str)]) -> Vec<(String, String)> {
        parts.iter().map(|(name, amount)| ((*name).to_owned(), (*amount).to_owned())).collect()
    }

    #[test]
    fn a_cent_that_is_left_goes_to_those_that_lost_most() {
        let even = [("c", "1"), ("a", "1"), ("b", "1")];
        assert_eq!(parts("100", &even), expected(&[("c", "33.33"), ("a", "33.34"), ("b", "33.33")]));
        assert_eq!(parts("-100", &even), expected(&[("c", "-33.33"), ("a", "-33.34"), ("b", "-33.33")]));
        // 60 · 0.05 = 3.0 and 40 · 0.05 = 2.0 cents: no remainder.
        assert_eq!(parts("0.05", &[("a", "60"), ("b", "40")]), expected(&[("a", "0.03"), ("b", "0.02")]));
        // 0.667 and 0.333 of a cent: the first lost more.
        assert_eq!(parts("0.01", &[("a", "1"), ("b", "2")]), expected(&[("a", "0"), ("b", "0.01")]));
    }

    /// Splitting 1 cent per day among the names: how many cents each gets over the days.
    fn turns(days: impl Iterator<Item = i32>, names: &[&str]) -> Vec<usize> {
        let weights: Vec<(&str, &str)> = names.iter().map(|name| (*name, "1")).collect();
        let mut got = vec![0; names.len()];
        for day in days {
            let parts = parts_on(day, "0.01", &weights);
            got[parts.iter().position(|(_, amount)| amount == "0.01").unwrap()] += 1;
        }
        got
    }

    #[test]
    fn those_that_lost_the_same_take_turns() {
        // 2026-11-20 is day 20,777: 20,777 · 2,654,435,769 mod 2^32 = 3,831,891,873, times 3 ÷ 2^32 = 2.68: the third by name.
        let even = [("c", "1"), ("a", "1"), ("b", "1")];
        assert_eq!(
            parts_on(20_777, "100", &even),
            expected(&[("c", "33.34"), ("a", "33.33"), ("b", "33.33")])
        );
        // Two cents: the third and, around the end, the first.
        assert_eq!(parts_on(20_777, "0.02", &even), expected(&[("c", "0.01"), ("a", "0.01"), ("b", "0")]));
        for names in [
            &["a", "b"][..],
            &["a", "b", "c"],
            &["a", "b", "c", "d", "e", "f", "g"],
            &["a", "b", "c", "d", "e", "f", "g", "h"],
        ] {
            for step in [1_i32, 7, 30, 365] {
                let got = turns((0..420).map(|turn| 20_454 + turn * step), names);
                let fair = 420 / names.len();
                assert!(got.iter().all(|count| count.abs_diff(fair) <= 5), "{names:?} by {step}: {got:?}");
            }
        }
    }

    #[test]
    fn the_last_digit_is_that_of_the_amount() {
        let thirds = [("a", "1"), ("b", "1"), ("c", "1")];
        assert_eq!(
            parts("0.0000000001", &thirds),
            expected(&[("a", "0.0000000001"), ("b", "0"), ("c", "0")])
        );
        assert_eq!(
            parts("12.3456789", &[("a", "0.5"), ("b", "1.25")]),
            expected(&[("a", "3.5273368"), ("b", "8.8183421")])
        );
    }

    #[test]
    fn products_beyond_38_digits_are_split_all_the_same() {
        let amount = "98765432109876543210.1234567890";
        let weights = [("a", "12345678901234567890.5"), ("b", "98765432109876543210.25"), ("c", "3")];
        assert_eq!(parts(amount, &weights).len(), 3);
    }

    #[test]
    fn what_cannot_be_split_says_why() {
        let none = [("a".to_owned(), Decimal::ZERO)];
        assert_eq!(split(number("1"), &none, ("USD", 0)), Err(SplitError::NoWeight));
        assert_eq!(split(number("1"), &[], ("USD", 0)), Err(SplitError::NoWeight));
        let below = [("a".to_owned(), number("-1")), ("b".to_owned(), number("2"))];
        assert_eq!(split(number("1"), &below, ("USD", 0)), Err(SplitError::NegativeWeight));
    }
}
