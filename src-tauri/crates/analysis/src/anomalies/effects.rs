//! Splits the difference between actual and expected cost into the effects of quantity and price.

use super::shares;
use crate::numbers::{product, quotient, sum};
use catalogue::Decimal;

/// Decimal places of an amount.
const DIGITS: u8 = 10;

/// One kind of use in one unit: its cost and quantity on the analysed days, and on the reference days.
#[derive(Debug, Clone, Copy, Default)]
pub struct KindOfUse {
    pub cost: Decimal,
    pub quantity: Decimal,
    pub cost_before: Decimal,
    pub quantity_before: Decimal,
}

/// A part of the difference: from `expected` to `actual`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effect {
    pub expected: Decimal,
    pub actual: Decimal,
}

/// The parts of a difference; they add up to it exactly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects {
    /// From the expected cost to the cost of the actual quantity at the earlier price.
    pub quantity: Effect,
    /// From there to the actual cost.
    pub price: Effect,
    /// Use without a known quantity.
    pub unknown: Effect,
}

/// Splits the difference between the cost of `kinds` and their total `expected` cost, which is divided among them in proportion to their earlier
/// cost. `None` if a number has too many digits.
pub fn effects(kinds: &[KindOfUse], expected: Decimal) -> Option<Effects> {
    let before: Vec<Decimal> = kinds.iter().map(|kind| kind.cost_before).collect();
    let divided = shares(expected, &before);
    let mut effects = Effects::default();
    if divided.is_none() {
        // No kind had cost before, so none has a basis for the expected cost.
        effects.unknown.expected = expected;
    }
    let divided = divided.unwrap_or_else(|| vec![Decimal::ZERO; kinds.len()]);
    for (kind, expected) in kinds.iter().zip(divided) {
        match kind.at_price_before() {
            Some(amount) => {
                add(&mut effects.quantity, expected, amount)?;
                add(&mut effects.price, amount, kind.cost)?;
            }
            None => add(&mut effects.unknown, expected, kind.cost)?,
        }
    }
    Some(effects)
}

impl KindOfUse {
    /// The cost of the actual quantity at the earlier price; `None` if a quantity is unknown.
    fn at_price_before(&self) -> Option<Decimal> {
        let is_nothing = |cost: Decimal, quantity: Decimal| cost.is_zero() && quantity.is_zero();
        if is_nothing(self.cost, self.quantity) {
            return Some(Decimal::ZERO);
        }
        // New use has no earlier price.
        if is_nothing(self.cost_before, self.quantity_before) {
            return (!self.quantity.is_zero()).then_some(self.cost);
        }
        let has_price = |cost: Decimal, quantity: Decimal| {
            !quantity.is_zero() && !quantity.is_negative() && !cost.is_negative()
        };
        let is_known =
            has_price(self.cost, self.quantity) && has_price(self.cost_before, self.quantity_before);
        if !is_known {
            return None;
        }
        quotient(product(self.cost_before, self.quantity)?, self.quantity_before, DIGITS)
    }
}

fn add(effect: &mut Effect, expected: Decimal, actual: Decimal) -> Option<()> {
    effect.expected = sum([effect.expected, expected].into_iter())?;
    effect.actual = sum([effect.actual, actual].into_iter())?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn kind(cost: &str, quantity: &str, cost_before: &str, quantity_before: &str) -> KindOfUse {
        KindOfUse {
            cost: number(cost),
            quantity: number(quantity),
            cost_before: number(cost_before),
            quantity_before: number(quantity_before),
        }
    }

    fn effect(expected: &str, actual: &str) -> Effect {
        Effect { expected: number(expected), actual: number(actual) }
    }

    #[test]
    fn what_was_used_and_what_it_cost_are_told_apart() {
        // Before, eight days of 10 hours at 2; now 15 hours at 3: 5 hours more, and 1 more for each hour.
        let found = effects(&[kind("45", "15", "160", "80")], number("20")).unwrap();
        assert_eq!((found.quantity, found.price), (effect("20", "30"), effect("30", "45")));
        assert_eq!(found.unknown, Effect::default());
    }

    #[test]
    fn use_that_is_new_or_gone_is_a_matter_of_quantity_and_without_quantity_nothing_is_known() {
        let kinds = [kind("9", "3", "0", "0"), kind("0", "0", "40", "20"), kind("7", "0", "40", "0")];
        let found = effects(&kinds, number("10")).unwrap();
        assert_eq!((found.quantity, found.price), (effect("5", "9"), effect("9", "9")));
        assert_eq!(found.unknown, effect("5", "7"));
        let found = effects(&[kind("9", "3", "0", "0")], number("2")).unwrap();
        assert_eq!((found.quantity, found.unknown), (effect("0", "9"), effect("2", "0")));
    }

    #[test]
    fn effects_add_up_to_the_last_digit() {
        let kinds = [kind("10.01", "7", "13.333", "9"), kind("3", "1.5", "1", "3"), kind("5", "0", "2", "1")];
        let found = effects(&kinds, number("11.7")).unwrap();
        let parts = [found.quantity, found.price, found.unknown];
        let amounts = parts.map(|part| part.actual.checked_sub(part.expected).unwrap());
        assert_eq!(sum(amounts.into_iter()), Some(number("6.31")));
    }
}
