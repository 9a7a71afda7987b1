//! Functions of numbers, and conversions to numbers.

use super::{number as number_of, text, whole};
use crate::values::jsonata::machine::{Evaluation, Machine};
use crate::values::jsonata::value::Val;
use catalogue::{format_timestamp, parse_timestamp};

fn of<'e>(value: &Val<'e>, change: impl FnOnce(f64) -> f64) -> Evaluation<'e> {
    number_of(value)?.map_or(Ok(Val::Nothing), |number| Val::number(change(number)))
}

pub(super) fn abs<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    of(&arguments[0], f64::abs)
}

pub(super) fn ceil<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    of(&arguments[0], f64::ceil)
}

pub(super) fn floor<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    of(&arguments[0], f64::floor)
}

pub(super) fn sqrt<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    of(&arguments[0], f64::sqrt)
}

pub(super) fn power<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(exponent) = number_of(&arguments[1])? else { return Ok(Val::Nothing) };
    of(&arguments[0], |base| base.powf(exponent))
}

/// Rounds half to even, as JSONata does.
pub(super) fn round<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let places = whole(&arguments[1])?.unwrap_or_default().clamp(-300, 300);
    let factor = 10_f64.powi(i32::try_from(places).unwrap_or_default());
    of(&arguments[0], |number| {
        let scaled = number * factor;
        if scaled.is_finite() { scaled.round_ties_even() / factor } else { number }
    })
}

/// All numbers of a list; `None` if it is undefined.
fn all(value: &Val<'_>) -> Result<Option<Vec<f64>>, String> {
    if value.is_nothing() {
        return Ok(None);
    }
    let numbers = value.items().iter().map(|item| number_of(item).map(Option::unwrap_or_default));
    numbers.collect::<Result<_, _>>().map(Some)
}

pub(super) fn sum<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    all(&arguments[0])?.map_or(Ok(Val::Nothing), |numbers| Val::number(numbers.iter().sum()))
}

fn folded<'e>(value: &Val<'e>, fold: fn(f64, f64) -> f64) -> Evaluation<'e> {
    let numbers = all(value)?.unwrap_or_default();
    numbers.into_iter().reduce(fold).map_or(Ok(Val::Nothing), Val::number)
}

pub(super) fn max<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    folded(&arguments[0], f64::max)
}

pub(super) fn min<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    folded(&arguments[0], f64::min)
}

pub(super) fn average<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let numbers = all(&arguments[0])?.unwrap_or_default();
    if numbers.is_empty() {
        return Ok(Val::Nothing);
    }
    #[expect(clippy::cast_precision_loss, reason = "no list has 2^52 items")]
    let count = numbers.len() as f64;
    Val::number(numbers.iter().sum::<f64>() / count)
}

pub(super) fn number<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    match &arguments[0] {
        Val::Nothing => Ok(Val::Nothing),
        Val::Number(number) => Ok(Val::Number(number.clone())),
        Val::Bool(is_true) => Val::number(f64::from(u8::from(*is_true))),
        Val::Text(text) => {
            let hex = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if let Some(hex) = hex {
                return Val::number(hex.into());
            }
            // Only JSON numbers: names such as "inf" are not numbers.
            match serde_json::from_str(text.trim()) {
                Ok(number) => Ok(Val::Number(number)),
                Err(_) => Err(format!("\"{text}\" is no number")),
            }
        }
        other => Err(format!("{} is no number", other.kind())),
    }
}

pub(super) fn from_millis<'e>(machine: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(millis) = whole(&arguments[0])? else { return Ok(Val::Nothing) };
    machine.fuel.text(30)?;
    let micros = millis.checked_mul(1000).filter(|micros| micros.abs() < 250_000_000_000_000_000);
    let micros = micros.ok_or_else(|| format!("{millis} is no time of this millennium"))?;
    Ok(Val::text(format!("{}Z", format_timestamp(micros).trim_end_matches('Z'))))
}

pub(super) fn to_millis<'e>(_: &mut Machine<'e>, arguments: Vec<Val<'e>>) -> Evaluation<'e> {
    let Some(given) = text(&arguments[0])? else { return Ok(Val::Nothing) };
    let micros = parse_timestamp(given)
        .ok_or_else(|| format!("\"{given}\" is no time such as 2026-11-20T06:38:00Z"))?;
    Ok(Val::Number(micros.div_euclid(1000).into()))
}
