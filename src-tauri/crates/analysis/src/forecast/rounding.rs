//! Rounds amounts to a currency's minor unit.

use catalogue::Decimal;

/// Currencies without a minor unit, and those with a minor unit of a thousandth (ISO 4217).
const WHOLE: [&str; 16] = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
    "XPF",
];
const THOUSANDTHS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// The decimal places of a currency's minor unit.
pub fn minor_digits(currency: &str) -> u8 {
    if WHOLE.contains(&currency) {
        0
    } else if THOUSANDTHS.contains(&currency) {
        3
    } else {
        2
    }
}

/// The amount in whole minor units, rounded half away from zero.
#[must_use]
pub fn round(amount: Decimal, currency: &str) -> Decimal {
    to_digits(amount, minor_digits(currency))
}

/// The amount with `digits` decimal places, rounded half away from zero.
pub(super) fn to_digits(amount: Decimal, digits: u8) -> Decimal {
    let Some(surplus) = amount.scale().checked_sub(digits).filter(|surplus| *surplus > 0) else {
        return amount;
    };
    // More than 38 surplus digits: the result is 0.
    let Some(unit) = 10_i128.checked_pow(surplus.into()) else { return Decimal::ZERO };
    let half = unit / 2 * amount.mantissa().signum();
    Decimal::from_parts((amount.mantissa() + half) / unit, digits).unwrap_or(amount)
}
