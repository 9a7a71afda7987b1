//! The rules: each checks for one kind of cause. A comment next to each number explains what it adds to the score.

mod change;
mod logs;
mod memory;
mod series;
mod spend;
mod state;
mod upstream;

use crate::evidence::Collection;
use crate::material::{Event, Material};
use crate::report::Draft;

/// Adds evidence to the collection and returns hypotheses.
pub(crate) type Rule = fn(&Event, &Material, &mut Collection) -> Vec<Draft>;

/// In the order in which evidence gets its names.
pub(crate) const ALL: [Rule; 7] =
    [change::rule, upstream::rule, memory::rule, logs::rule, state::rule, spend::rule, series::rule];

/// One minute in µs.
pub(crate) const MINUTE: i64 = 60_000_000;
/// One hour in µs.
pub(crate) const HOUR: i64 = 60 * MINUTE;

/// The highest score of any rule: rows that are close in time prove nothing.
const SUREST: u8 = 95;

/// A score from the weights for and against a cause.
pub(crate) fn score(parts: &[i16]) -> u8 {
    let sum: i16 = parts.iter().sum();
    u8::try_from(sum.clamp(1, i16::from(SUREST))).unwrap_or(SUREST)
}

/// The time between two times, rounded down: `6 min`, `3 h`, `2 d`.
pub(crate) fn apart(one: i64, other: i64) -> String {
    let minutes = (one - other).abs() / MINUTE;
    match minutes {
        0..=119 => format!("{minutes} min"),
        120..=2_879 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1_440),
    }
}

/// The beginning of a text, for use in claims.
pub(crate) fn short(text: &str) -> String {
    const LONGEST: usize = 120;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let cut: String = line.chars().take(LONGEST - 1).collect();
    format!("{}…", cut.trim_end())
}
