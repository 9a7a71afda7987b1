//! Determines since when a series is at its current level: earlier weeks are not representative.

use super::WEEKS;
use catalogue::Decimal;

/// Weeks from which the usual cost of weekdays, and the usual difference between weeks, are computed.
const USUAL_WEEKS: usize = 13;
/// A week is at another level if it differs by this multiple of the usual difference between weeks, and by at least a tenth.
const TIMES: f64 = 4.0;
const LEAST: f64 = 0.1;
/// Converts a median of differences to a standard deviation.
const CONSISTENCY: f64 = 1.4826;

/// The number of the last [`WEEKS`] weeks at the level of the last one. `past` has at least that many weeks.
pub(super) fn weeks(past: &[Decimal]) -> usize {
    let count = (past.len() / 7).min(USUAL_WEEKS);
    let days: Vec<f64> = past[past.len() - 7 * count..].iter().map(|amount| amount.to_f64()).collect();
    let levels = levels(&days);
    let differences = levels.windows(2).map(|pair| (pair[0] - pair[1]).abs()).collect();
    let limit = (TIMES * CONSISTENCY * median(differences)).max(LEAST);
    let mut weeks = 1;
    while weeks < WEEKS.min(levels.len()) {
        let level = levels[..weeks].iter().sum::<f64>() / f64::from(u8::try_from(weeks).unwrap_or(u8::MAX));
        if (levels[weeks] - level).abs() > limit * level {
            break;
        }
        weeks += 1;
    }
    weeks
}

/// The cost of each week relative to the usual cost of its weekdays, newest first: the median of its days, which a single expensive day does not
/// change.
fn levels(days: &[f64]) -> Vec<f64> {
    let usual: Vec<f64> =
        (0..7).map(|weekday| median(days.iter().skip(weekday).step_by(7).copied().collect())).collect();
    let level = |week: &[f64]| {
        let days = week.iter().zip(&usual).filter(|(_, usual)| **usual > 0.0);
        median(days.map(|(day, usual)| day / usual).collect())
    };
    days.chunks(7).rev().map(level).collect()
}

/// The median; 0 for an empty list.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        even if even % 2 == 0 => f64::midpoint(numbers[middle - 1], numbers[middle]),
        _ => numbers[middle],
    }
}
