//! The numbers of the rules, in one place. [`VERSION`] changes with any of them, and with which charges are judged.

use crate::numbers::decimal;
use catalogue::Decimal;

/// Which rules judged; a row of an older version is judged anew.
pub const VERSION: &str = "cost-4";

/// Values of the same weekday that are compared with.
pub(super) const WEEKS: i32 = 8;
/// Fewer of them are too few: then the days just before are compared with.
pub(super) const FEWEST_WEEKS: usize = 4;
/// Days just before, and how many of them must have a value.
pub(super) const TRAILING_DAYS: i32 = 14;
pub(super) const FEWEST_TRAILING: usize = 10;
/// Earlier month starts that are compared with, and how many there must be.
pub(super) const MONTH_STARTS: usize = 6;
pub(super) const FEWEST_MONTH_STARTS: usize = 3;
/// Days a new extreme must surpass, and how many of them must have a value.
pub(super) const EXTREME_DAYS: i32 = 90;
pub(super) const FEWEST_EXTREME: usize = 28;
/// A new extreme lies beyond the others by at least so many hundredths of their range.
pub(super) const MARGIN_PERCENT: i64 = 10;
/// So many hundredths of the expected value a deviation must have under rule A, and under rule B.
pub(super) const MIN_PERCENT_A: i64 = 15;
pub(super) const MIN_PERCENT_B: i64 = 25;
/// The spread is at least so many hundredths of the range of the values.
pub(super) const RANGE_PERCENT: i64 = 2;
/// It is also at least so many hundredths of the expected value; more where the days just before are compared with.
pub(super) const FLOOR_PERCENT: i64 = 4;
pub(super) const TRAILING_FLOOR_PERCENT: i64 = 5;
/// As many separate times within [`EXTREME_DAYS`] that went nearly as far make a deviation usual for the series.
pub(super) const USUAL_TIMES: usize = 5;
/// So does the same day of as many of the last months: a fee that comes every month.
pub(super) const USUAL_MONTHS: usize = 2;
pub(super) const MONTHS: usize = 3;
/// How near, in hundredths of the deviation.
pub(super) const NEARLY_PERCENT: i64 = 80;
/// A run ends with the second day in a row that is not out of the ordinary.
pub(super) const NORMAL_DAYS: u32 = 2;
/// A service is new when the bill was known for so many days without it.
pub(super) const KNOWN_DAYS: i32 = 14;
/// Days a new service is judged as one; from then on it has a history of its own.
pub(super) const NEW_DAYS: i32 = 10;
/// Days up to the newest one that are judged, and days before them that they are compared with.
pub const JUDGED_DAYS: i32 = 400;
pub const HISTORY_DAYS: i32 = 190;
/// The share of an impact, in hundredths, that others must have to explain it.
pub(super) const EXPLAINED_PERCENT: i64 = 80;
/// An account that begins or ends changes the total's level when it has so many hundredths of it.
pub(super) const LEVEL_PERCENT: i64 = 5;

/// How many times the spread a deviation must surpass, after so many verdicts `wrong` on the same series.
pub(super) fn factor(wrong: usize) -> Decimal {
    let halves = i128::try_from(wrong.min(8)).unwrap_or(8);
    // 3.5, and half as much more each time.
    decimal(350 + 175 * halves, 2)
}

/// The smallest deviation that is told, and the smallest cost of a new service: 5 and 10 US dollars, or what comes near that in
/// currencies whose unit is worth much less. No amount is ever converted with these.
pub(super) fn floors(currency: &str) -> (Decimal, Decimal) {
    let five = match currency {
        "JPY" => 750,
        "INR" => 400,
        "HUF" => 2_000,
        "KRW" => 7_000,
        "CLP" => 5_000,
        "COP" => 20_000,
        "IDR" => 80_000,
        "VND" => 130_000,
        _ => 5,
    };
    (Decimal::from(five), Decimal::from(2 * five))
}

/// The least spread: one hundredth of the currency's unit.
pub(super) fn cent() -> Decimal {
    decimal(1, 2)
}
