//! The band around a forecast, from the errors that forecasts of the same series had.

use super::Refused;
use catalogue::Decimal;

/// Factors of the lower and the upper bound.
pub(super) type Band = (Decimal, Decimal);

/// The band holds 80 % of the errors: 10 % are below it, 10 % above.
const BELOW_TENTHS: usize = 1;
const ABOVE_TENTHS: usize = 9;
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

/// The relative errors between which 80 % of these lie.
pub(super) fn bounds(errors: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some((quantile(&sorted, BELOW_TENTHS)?, quantile(&sorted, ABOVE_TENTHS)?))
}

/// The value so many tenths of the way through sorted values, between two of them in proportion.
fn quantile(sorted: &[f64], tenths: usize) -> Option<f64> {
    let way = tenths * sorted.len().checked_sub(1)?;
    let before = sorted[way / 10];
    let after = sorted.get(way / 10 + 1).copied().unwrap_or(before);
    let rest = u8::try_from(way % 10).unwrap_or_default();
    Some(before + (after - before) * f64::from(rest) / 10.0)
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
