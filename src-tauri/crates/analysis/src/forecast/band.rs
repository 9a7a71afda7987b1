//! The band around a forecast, from the errors that forecasts of the same series had.

use super::Refused;
use catalogue::Decimal;

/// Factors of the lower and the upper bound.
pub(super) type Band = (Decimal, Decimal);

/// The band lies between the errors of which 5% are smaller and 5% larger. Held-out sums share days and are few, so they differ less than
/// sums to come: of these, 80% lie within (`docs/measured/analysis.md`).
const BELOW_TWENTIETHS: usize = 1;
const ABOVE_TWENTIETHS: usize = 19;
/// Factors are kept to the millionth.
const MILLION: f64 = 1_000_000.0;

/// `part ÷ whole`; `None` when the whole is zero.
pub(super) fn ratio(part: Decimal, whole: Decimal) -> Option<f64> {
    (!whole.is_zero()).then(|| part.to_f64() / whole.to_f64())
}

/// The factors by which a forecast is multiplied: 1 + the quantiles of relative errors. The forecast itself is always within.
pub(super) fn band(errors: &[f64]) -> Option<Band> {
    let (low, high) = bounds(errors)?;
    Some((factor(low.min(0.0))?, factor(high.max(0.0))?))
}

/// The relative errors between which nine in ten of these lie.
pub(super) fn bounds(errors: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some((quantile(&sorted, BELOW_TWENTIETHS)?, quantile(&sorted, ABOVE_TWENTIETHS)?))
}

/// The value so many twentieths of the way through sorted values, between two of them in proportion.
fn quantile(sorted: &[f64], twentieths: usize) -> Option<f64> {
    let way = twentieths * sorted.len().checked_sub(1)?;
    let before = sorted[way / 20];
    let after = sorted.get(way / 20 + 1).copied().unwrap_or(before);
    let rest = u8::try_from(way % 20).unwrap_or_default();
    Some(before + (after - before) * f64::from(rest) / 20.0)
}

fn factor(error: f64) -> Option<Decimal> {
    Decimal::from_f64(((1.0 + error) * MILLION).round() / MILLION)
}

/// The amount times a factor of millionths.
pub(super) fn scaled(amount: Decimal, factor: Decimal) -> Result<Decimal, Refused> {
    let millionths = factor.checked_mul_int(1_000_000).and_then(Decimal::to_i64).ok_or(Refused::TooLarge)?;
    // A mean has up to 20 digits after the point; six fewer leave room for the factor and are far below any minor unit.
    let amount = super::rounding::to_digits(amount, 12);
    Ok(amount.checked_mul_int(millionths).ok_or(Refused::TooLarge)?.divided_by(1_000_000))
}
