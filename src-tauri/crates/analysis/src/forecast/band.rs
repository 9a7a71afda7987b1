//! The prediction band of a forecast, from the errors of earlier forecasts of the same series.

use super::Refused;
use catalogue::Decimal;

/// Factors for the lower and the upper bound.
pub(super) type Band = (Decimal, Decimal);

/// The band lies between the 5% and the 95% quantile of the errors. Held-out sums overlap and are few, so they vary less than future sums: of
/// these, 80% lie within the band (`docs/measured/analysis.md`).
const BELOW_TWENTIETHS: usize = 1;
const ABOVE_TWENTIETHS: usize = 19;
/// Factors are rounded to six decimal places.
const MILLION: f64 = 1_000_000.0;

/// `part ÷ whole`; `None` if `whole` is 0.
pub(super) fn ratio(part: Decimal, whole: Decimal) -> Option<f64> {
    (!whole.is_zero()).then(|| part.to_f64() / whole.to_f64())
}

/// The factors by which a forecast is multiplied: 1 + the quantiles of the relative errors. The band always includes the forecast itself.
pub(super) fn band(errors: &[f64]) -> Option<Band> {
    let (low, high) = bounds(errors)?;
    Some((factor(low.min(0.0))?, factor(high.max(0.0))?))
}

/// The 5% and 95% quantiles of the errors.
pub(super) fn bounds(errors: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = errors.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some((quantile(&sorted, BELOW_TWENTIETHS)?, quantile(&sorted, ABOVE_TWENTIETHS)?))
}

/// The quantile at `twentieths` × 5% of sorted values, with linear interpolation.
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

/// The amount times a factor with six decimal places.
pub(super) fn scaled(amount: Decimal, factor: Decimal) -> Result<Decimal, Refused> {
    let millionths = factor.checked_mul_int(1_000_000).and_then(Decimal::to_i64).ok_or(Refused::TooLarge)?;
    // A mean has up to 20 decimal places. Rounding to 12 leaves digits for the factor and is far below any minor unit.
    let amount = super::rounding::to_digits(amount, 12);
    Ok(amount.checked_mul_int(millionths).ok_or(Refused::TooLarge)?.divided_by(1_000_000))
}
