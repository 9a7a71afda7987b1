//! The numbers of the rules, in one place. [`VERSION`] changes with any of them, and with which charges are judged.

use super::grain::Grain;
use crate::numbers::decimal;
use catalogue::Decimal;

/// Which rules judged; a row of an older version is judged anew.
pub const VERSION: &str = "cost-5";

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
/// Half of what ordinary days of so many days differ by is no news on a month start.
pub(super) const MONTH_START_DAYS: i32 = 28;
pub(super) const MONTH_START_PERCENT: i64 = 50;
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
/// Days of a run whose comparison is told: a new level stands out for four weeks, until it is what is expected.
pub(super) const COMPARED: usize = 31;
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

/// Earlier days of its kind (weekdays, weekends) whose same hour an hour is compared with, how far back they are looked for, and how many there must be.
pub(super) const SAME_HOURS: usize = 10;
pub(super) const SAME_HOUR_DAYS: i32 = 28;
pub(super) const FEWEST_SAME_HOURS: usize = 4;
/// Days whose hours tell how unrestful a series is by the hour.
pub(super) const UNREST_DAYS: i32 = 14;
/// Hours out of the ordinary within so many hours of the same time of day, on as many of the last [`UNREST_DAYS`], are usual: a job of the night.
pub(super) const NEAR_HOURS: i32 = 2;
pub(super) const USUAL_DAYS: usize = 3;
/// A run of hours ends with the third hour in a row that is not out of the ordinary.
pub(super) const NORMAL_HOURS: u32 = 3;
/// A series is told by the hour when half of its days have values in so many hours.
pub(super) const FEWEST_HOURS: usize = 12;
/// Days up to the newest one whose hours are judged, and days before them that these are compared with.
pub const JUDGED_HOUR_DAYS: i32 = 60;
pub const HOUR_HISTORY_DAYS: i32 = SAME_HOUR_DAYS;
/// An hour of cost must have so many hundredths more than what is expected.
pub(super) const MIN_PERCENT_HOUR: i64 = 25;
/// An hour must have so many events more than what is expected.
pub(super) const FEWEST_EVENTS: i64 = 5;
/// Which rules judged measurements and numbers of events.
pub const MEASURED_VERSION: &str = "metric-1";

/// How many times the spread a deviation of a day, and of an hour, must surpass. A month has 30 days and 720 hours: what is rare among days is not among
/// hours.
pub(super) fn factor(grain: Grain) -> Decimal {
    match grain {
        Grain::Day => decimal(350, 2),
        Grain::Hour => decimal(700, 2),
    }
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
