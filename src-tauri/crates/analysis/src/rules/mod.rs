//! The rules: each looks for one sort of cause. What a rule adds to a score, and why, stands beside the number.

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

pub(crate) type Rule = fn(&Event, &Material, &mut Collection) -> Vec<Draft>;

/// In the order in which evidence gets its names.
pub(crate) const ALL: [Rule; 7] =
    [change::rule, upstream::rule, memory::rule, logs::rule, state::rule, spend::rule, series::rule];

pub(crate) const MINUTE: i64 = 60_000_000;
pub(crate) const HOUR: i64 = 60 * MINUTE;

/// No rule is ever surer than this: rows near each other in time prove nothing.
const SUREST: u8 = 95;

/// A score from what speaks for something and what speaks against it.
pub(crate) fn score(parts: &[i16]) -> u8 {
    let sum: i16 = parts.iter().sum();
    u8::try_from(sum.clamp(1, i16::from(SUREST))).unwrap_or(SUREST)
}

/// `6 min`, `3 h`, `2 d`: between two times, rounded down.
pub(crate) fn apart(one: i64, other: i64) -> String {
    let minutes = (one - other).abs() / MINUTE;
    match minutes {
        0..=119 => format!("{minutes} min"),
        120..=2_879 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1_440),
    }
}

/// The beginning of a text, for claims.
pub(crate) fn short(text: &str) -> String {
    const LONGEST: usize = 120;
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let cut: String = line.chars().take(LONGEST - 1).collect();
    format!("{}…", cut.trim_end())
}
