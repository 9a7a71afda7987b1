//! The constants of the rules. [`VERSION`] changes with any of them, and with the selection of charges that are judged.

use super::grain::Grain;
use crate::numbers::decimal;
use catalogue::Decimal;

/// The version of the cost rules; rows of an older version are judged again.
pub const VERSION: &str = "cost-5";

/// The number of values of the same weekday to compare with.
pub(super) const WEEKS: i32 = 8;
/// With fewer such values, the days just before are used instead.
pub(super) const FEWEST_WEEKS: usize = 4;
/// Days just before, and how many of them must have a value.
pub(super) const TRAILING_DAYS: i32 = 14;
pub(super) const FEWEST_TRAILING: usize = 10;
/// The number of earlier month starts to compare with, and the minimum.
pub(super) const MONTH_STARTS: usize = 6;
pub(super) const FEWEST_MONTH_STARTS: usize = 3;
/// On a month start, deviations up to this percentage of the range of the last ordinary days are normal.
pub(super) const MONTH_START_DAYS: i32 = 28;
pub(super) const MONTH_START_PERCENT: i64 = 50;
/// Days that a new extreme must exceed, and how many of them must have a value.
pub(super) const EXTREME_DAYS: i32 = 90;
pub(super) const FEWEST_EXTREME: usize = 28;
/// A new extreme must exceed the others by this percentage of their range.
pub(super) const MARGIN_PERCENT: i64 = 10;
/// The minimum deviation, as a percentage of the expected value, under rule A and rule B.
pub(super) const MIN_PERCENT_A: i64 = 15;
pub(super) const MIN_PERCENT_B: i64 = 25;
/// The minimum spread, as a percentage of the range of the values.
pub(super) const RANGE_PERCENT: i64 = 2;
/// The minimum spread, as a percentage of the expected value; larger when comparing with the days just before.
pub(super) const FLOOR_PERCENT: i64 = 4;
pub(super) const TRAILING_FLOOR_PERCENT: i64 = 5;
/// A deviation is usual if this many separate times within [`EXTREME_DAYS`] deviated nearly as far.
pub(super) const USUAL_TIMES: usize = 5;
/// A deviation is also usual if it occurred on the same day in this many of the last [`MONTHS`] months, like a monthly fee.
pub(super) const USUAL_MONTHS: usize = 2;
pub(super) const MONTHS: usize = 3;
/// "Nearly as far": at least this percentage of the deviation.
pub(super) const NEARLY_PERCENT: i64 = 80;
/// A run ends with the second ordinary day in a row.
pub(super) const NORMAL_DAYS: u32 = 2;
/// Days of a run whose comparison is stored. A new level is unusual for four weeks, then it becomes the expected value.
pub(super) const COMPARED: usize = 31;
/// A service is new if the bill was known for this many days without it.
pub(super) const KNOWN_DAYS: i32 = 14;
/// Days for which a new service is judged as new; after that it has its own history.
pub(super) const NEW_DAYS: i32 = 10;
/// Days up to the newest that are judged, and days before them for comparison.
pub const JUDGED_DAYS: i32 = 400;
pub const HISTORY_DAYS: i32 = 190;
/// The percentage of an impact that others must have to explain it.
pub(super) const EXPLAINED_PERCENT: i64 = 80;
/// An account that begins or ends changes the level of the total if it has at least this percentage of it.
pub(super) const LEVEL_PERCENT: i64 = 5;

/// The number of earlier weekdays or weekend days whose same hour is compared, how many days back to search, and the minimum number.
pub(super) const SAME_HOURS: usize = 10;
pub(super) const SAME_HOUR_DAYS: i32 = 28;
pub(super) const FEWEST_SAME_HOURS: usize = 4;
/// Days from whose hours the usual hourly variation is computed.
pub(super) const UNREST_DAYS: i32 = 14;
/// A deviation is usual if the series deviated within this many hours of the same time of day, on [`USUAL_DAYS`] of the last [`UNREST_DAYS`],
/// like a nightly job.
pub(super) const NEAR_HOURS: i32 = 2;
pub(super) const USUAL_DAYS: usize = 3;
/// A run of hours ends with the third ordinary hour in a row.
pub(super) const NORMAL_HOURS: u32 = 3;
/// A series is hourly if half of its days have values in this many hours.
pub(super) const FEWEST_HOURS: usize = 12;
/// Days up to the newest whose hours are judged, and days before them for comparison.
pub const JUDGED_HOUR_DAYS: i32 = 60;
pub const HOUR_HISTORY_DAYS: i32 = SAME_HOUR_DAYS;
/// The minimum increase of an hour's cost, as a percentage of the expected value.
pub(super) const MIN_PERCENT_HOUR: i64 = 25;
/// The minimum number of events above the expected number in an hour.
pub(super) const FEWEST_EVENTS: i64 = 5;
/// The version of the rules for measurements and event counts.
pub const MEASURED_VERSION: &str = "metric-1";

/// The multiple of the spread that a deviation of a day or hour must exceed. A month has 30 days but 720 hours: what is rare by day is not rare
/// by hour.
pub(super) fn factor(grain: Grain) -> Decimal {
    match grain {
        Grain::Day => decimal(350, 2),
        Grain::Hour => decimal(700, 2),
    }
}

/// The smallest deviation that is reported, and the smallest cost of a new service: 5 and 10 US dollars, or roughly the same value in currencies
/// with a much smaller unit. These are not used for conversion.
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

/// The smallest spread: 0.01 of the currency's unit.
pub(super) fn cent() -> Decimal {
    decimal(1, 2)
}
