//! Since when a series is at its level: weeks before that say nothing about the days ahead.

use super::WEEKS;
use catalogue::Decimal;

/// Weeks that tell what a weekday usually costs and how much weeks differ.
const USUAL_WEEKS: usize = 13;
/// A week is at another level when it differs by so many times what weeks usually differ by, and by a tenth at least.
const TIMES: f64 = 4.0;
const LEAST: f64 = 0.1;
/// Brings a median of differences to a standard deviation.
const CONSISTENCY: f64 = 1.4826;

/// How many of the last [`WEEKS`] weeks are at the level of the last one. `past` has at least as many.
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

/// What each week cost beside the usual cost of its weekdays, the newest first: the median of its days, which one dear day does not move.
fn levels(days: &[f64]) -> Vec<f64> {
    let usual: Vec<f64> =
        (0..7).map(|weekday| median(days.iter().skip(weekday).step_by(7).copied().collect())).collect();
    let level = |week: &[f64]| {
        let days = week.iter().zip(&usual).filter(|(_, usual)| **usual > 0.0);
        median(days.map(|(day, usual)| day / usual).collect())
    };
    days.chunks(7).rev().map(level).collect()
}

/// The middle of numbers; 0 of none.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        even if even % 2 == 0 => f64::midpoint(numbers[middle - 1], numbers[middle]),
        _ => numbers[middle],
    }
}
