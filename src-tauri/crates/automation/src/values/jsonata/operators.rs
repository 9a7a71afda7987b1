//! Binary operators.

use super::machine::Evaluation;
use super::tree::Operator;
use super::value::{Fuel, Val};
use std::cmp::Ordering;

pub(super) fn negated<'e>(value: &Val<'e>) -> Evaluation<'e> {
    match value {
        Val::Nothing => Ok(Val::Nothing),
        value => match value.as_f64() {
            Some(number) => Val::number(-number),
            None => Err(format!("- stands before {}: expected a number", value.kind())),
        },
    }
}

/// Arithmetic and comparisons.
pub(super) fn binary<'e>(operator: Operator, left: &Val<'e>, right: &Val<'e>) -> Evaluation<'e> {
    let has_nothing = left.is_nothing() || right.is_nothing();
    match operator {
        Operator::Equal => return Ok(Val::Bool(!has_nothing && left.is_same(right))),
        Operator::NotEqual => return Ok(Val::Bool(!has_nothing && !left.is_same(right))),
        Operator::In => {
            return Ok(Val::Bool(!has_nothing && right.items().iter().any(|one| one.is_same(left))));
        }
        _ if has_nothing => return Ok(Val::Nothing),
        _ => {}
    }
    if let Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual = operator {
        let order = order(left, right)?;
        return Ok(Val::Bool(match operator {
            Operator::Less => order == Ordering::Less,
            Operator::LessOrEqual => order != Ordering::Greater,
            Operator::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }));
    }
    let (Some(one), Some(other)) = (left.as_f64(), right.as_f64()) else {
        return Err(format!(
            "{} and {} are calculated with: expected two numbers",
            left.kind(),
            right.kind()
        ));
    };
    if other == 0.0 && matches!(operator, Operator::Divide | Operator::Remainder) {
        return Err("a number is divided by 0".to_owned());
    }
    Val::number(match operator {
        Operator::Add => one + other,
        Operator::Subtract => one - other,
        Operator::Multiply => one * other,
        Operator::Divide => one / other,
        _ => one % other,
    })
}

pub(super) fn order(left: &Val<'_>, right: &Val<'_>) -> Result<Ordering, String> {
    match (left, right) {
        (Val::Text(left), Val::Text(right)) => Ok(left.cmp(right)),
        (Val::Number(left), Val::Number(right)) => {
            Ok(left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal))
        }
        _ => Err(format!(
            "{} and {} cannot be compared: expected two numbers or two texts",
            left.kind(),
            right.kind()
        )),
    }
}

/// The order of sort keys: undefined keys come last.
pub(super) fn order_of_keys(left: &Val<'_>, right: &Val<'_>) -> Result<Ordering, String> {
    match (left.is_nothing(), right.is_nothing()) {
        (true, true) => Ok(Ordering::Equal),
        (true, false) => Ok(Ordering::Greater),
        (false, true) => Ok(Ordering::Less),
        (false, false) => order(left, right),
    }
}

/// `1..5`
pub(super) fn range<'e>(left: &Val<'e>, right: &Val<'e>, fuel: &mut Fuel) -> Evaluation<'e> {
    if left.is_nothing() || right.is_nothing() {
        return Ok(Val::Nothing);
    }
    let whole = |value: &Val<'_>| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within 2^53")]
        let number = number.map(|number| number as i64);
        number.ok_or_else(|| format!("a range has {} as its end: expected a whole number", value.kind()))
    };
    let (first, last) = (whole(left)?, whole(right)?);
    if first > last {
        return Ok(Val::Nothing);
    }
    fuel.burn(usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1))?;
    Val::list((first..=last).map(|number| Val::Number(number.into())).collect())
}
