//! Rule: the same event repeats, so earlier fixes did not last.

use super::{HOUR, apart, score};
use crate::evidence::{Collection, Kind};
use crate::material::{Event, Material, Occurrence};
use crate::report::Draft;

/// The minimum number of earlier events for a pattern.
const LEAST: usize = 2;
const CITED: usize = 20;

pub(super) fn rule(event: &Event, material: &Material, evidence: &mut Collection) -> Vec<Draft> {
    let mut earlier: Vec<Occurrence> = material
        .series
        .iter()
        .copied()
        .filter(|one| one.starts_at < event.starts_at && one.id != event.id)
        .collect();
    earlier.sort_by_key(|one| (std::cmp::Reverse(one.starts_at), one.id));
    let (Some(newest), Some(oldest)) = (earlier.first(), earlier.last()) else { return Vec::new() };
    if earlier.len() < LEAST {
        return Vec::new();
    }
    let mut times: Vec<i64> = earlier.iter().rev().map(|one| one.starts_at).collect();
    times.push(event.starts_at);
    let rhythm = rhythm(&times);
    let rows = earlier.iter().take(CITED).map(|one| one.id.to_string()).collect();
    let title = format!("{} earlier times", earlier.len());
    let id = evidence.add(Kind::Event, "events", rows, title, Some(newest.starts_at));
    let claim = match rhythm {
        Some(every) => format!("It comes back every {}: something with a schedule", apart(every, 0)),
        None => format!("It has come {} times before: its cause was never taken away", earlier.len()),
    };
    Vec::from([Draft {
        score: score(&[20, if rhythm.is_some() { 30 } else { 0 }, if earlier.len() >= 10 { 10 } else { 5 }]),
        claim,
        reason: format!(
            "The last one began {} before, the first one {} before.",
            apart(event.starts_at, newest.starts_at),
            apart(event.starts_at, oldest.starts_at)
        ),
        evidence: vec![id],
        against: Vec::new(),
        next: match rhythm {
            Some(_) => "Look for jobs, backups and deployments that run at these times.".to_owned(),
            None => "Read how the earlier ones were resolved, and what was not done then.".to_owned(),
        },
    }])
}

/// The interval between consecutive events, if there are at least four events, their intervals differ by at most a tenth, and the interval is at
/// least one hour.
fn rhythm(times: &[i64]) -> Option<i64> {
    let mut gaps: Vec<i64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if gaps.len() < 3 {
        return None;
    }
    gaps.sort_unstable();
    let middle = gaps[gaps.len() / 2];
    let near = |gap: &i64| (gap - middle).abs() * 10 <= middle;
    (middle >= HOUR && gaps.iter().all(near)).then_some(middle)
}
