//! When schedules are due: cron lines in UTC, what happens to times that were missed, and what to runs that are not over.

use chrono::{DateTime, Utc};
use croner::Cron;
use std::str::FromStr;

/// Missed times that one look may find.
const MOST_MISSED: usize = 1000;
/// How late a time may be caught up with unless the trigger says otherwise; µs.
pub const CATCH_UP: i64 = 60_000_000;

/// What happens when a run is due and one before it is not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    Skip,
    /// One waits.
    BufferOne,
    /// All wait.
    BufferAll,
    AllowAll,
    CancelOther,
    TerminateOther,
}

const OVERLAPS: [(&str, Overlap); 6] = [
    ("Skip", Overlap::Skip),
    ("BufferOne", Overlap::BufferOne),
    ("BufferAll", Overlap::BufferAll),
    ("AllowAll", Overlap::AllowAll),
    ("CancelOther", Overlap::CancelOther),
    ("TerminateOther", Overlap::TerminateOther),
];

impl Overlap {
    /// The policy of that word; `Skip` without one.
    pub fn find(word: Option<&str>) -> Option<Self> {
        let Some(word) = word else { return Some(Self::Skip) };
        OVERLAPS.iter().find(|(known, _)| *known == word).map(|(_, overlap)| *overlap)
    }
}

/// What a schedule comes to at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Times that are due and not too late, oldest first.
    pub times: Vec<i64>,
    /// How many were missed for good.
    pub missed: usize,
    /// The next time after the moment; none when there is none.
    pub next: Option<i64>,
}

/// The first time after `after` at which the cron line (five fields, or six with seconds first) is due; µs since 1970 UTC.
pub fn next(line: &str, after: i64) -> Result<Option<i64>, String> {
    let cron = Cron::from_str(line).map_err(|reason| {
        format!("expected a cron line such as \"0 5 * * *\", found \"{line}\": {reason}")
    })?;
    let Some(after) = DateTime::<Utc>::from_timestamp_micros(after) else { return Ok(None) };
    Ok(cron.find_next_occurrence(&after, false).ok().map(|found| found.timestamp_micros()))
}

/// What is due of a schedule whose next time was `expected`. Times older than `window` (µs) are missed.
pub fn due(line: &str, expected: i64, now: i64, window: i64) -> Result<Due, String> {
    let mut due = Due { times: Vec::new(), missed: 0, next: Some(expected) };
    while let Some(time) = due.next.filter(|time| *time <= now) {
        if now - time > window || due.times.len() >= MOST_MISSED {
            due.missed += 1;
        } else {
            due.times.push(time);
        }
        // After a long sleep the times beyond the window are not counted one by one.
        let from = if due.missed >= MOST_MISSED { time.max(now - window - 1) } else { time };
        due.next = next(line, from)?;
    }
    Ok(due)
}

#[cfg(test)]
mod tests {
    use super::{Due, Overlap, due, next};

    const MINUTE: i64 = 60_000_000;

    #[test]
    fn five_and_six_fields_are_read() {
        assert_eq!(next("*/15 * * * *", 0), Ok(Some(15 * MINUTE)));
        assert_eq!(next("30 * * * * *", 0), Ok(Some(MINUTE / 2)));
        assert!(next("every day", 0).is_err());
        assert_eq!(next("0 0 30 2 *", 0), Ok(None));
    }

    #[test]
    fn a_time_that_is_due_is_due_once() {
        assert_eq!(
            due("* * * * *", MINUTE, MINUTE, MINUTE),
            Ok(Due { times: vec![MINUTE], missed: 0, next: Some(2 * MINUTE) })
        );
        assert_eq!(
            due("* * * * *", MINUTE, MINUTE - 1, MINUTE),
            Ok(Due { times: vec![], missed: 0, next: Some(MINUTE) })
        );
    }

    #[test]
    fn after_a_sleep_of_three_hours_only_the_window_is_caught_up_with() {
        let now = 180 * MINUTE;
        let found = due("* * * * *", MINUTE, now, MINUTE).unwrap();
        assert_eq!(
            (found.times, found.missed, found.next),
            (vec![179 * MINUTE, 180 * MINUTE], 178, Some(181 * MINUTE))
        );
        let found = due("* * * * * *", 1_000_000, 40_000 * MINUTE, MINUTE).unwrap();
        assert_eq!((found.times.len(), found.next), (61, Some(40_000 * MINUTE + 1_000_000)));
    }

    #[test]
    fn policies_have_words() {
        assert_eq!(Overlap::find(None), Some(Overlap::Skip));
        assert_eq!(Overlap::find(Some("BufferOne")), Some(Overlap::BufferOne));
        assert_eq!(Overlap::find(Some("Wait")), None);
    }
}
