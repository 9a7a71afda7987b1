//! When the next backup is due, and which old backups to delete.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// The schedule and retention of automatic backups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BackupSchedule")]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    pub every: Every,
    /// Time of day in minutes after midnight UTC, 0 to 1,439.
    pub at: u16,
    /// Retention in days. Older backups are removed, except for the newest valid one.
    pub keep_days: u16,
    /// The maximum number of valid backups to keep. The oldest are removed first.
    pub keep_copies: u16,
}

/// The frequency of automatic backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BackupPeriod")]
#[serde(rename_all = "lowercase")]
pub enum Every {
    Never,
    Day,
    /// Weekly, on Sunday.
    Week,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { every: Every::Never, at: 120, keep_days: 30, keep_copies: 60 }
    }
}

impl Schedule {
    /// A message about an invalid setting; `None` if all are valid.
    pub fn problem(&self) -> Option<String> {
        if self.at >= 1440 {
            return Some(format!("Expected minutes after midnight from 0 to 1439, got {}", self.at));
        }
        if self.keep_days == 0 || self.keep_copies == 0 {
            return Some(
                "Expected to keep backups for at least one day, and at least one of them".to_owned(),
            );
        }
        None
    }

    /// The first time after `now` (µs UTC) at which a backup is due.
    pub fn next(&self, now: i64) -> Option<i64> {
        let days = match self.every {
            Every::Never => return None,
            Every::Day => 1,
            Every::Week => 7,
        };
        // 1970 began on a Thursday, three days before a Sunday.
        let first = i64::from(self.at) * MINUTE + if days == 7 { 3 * DAY } else { 0 };
        Some(first + ((now - first).div_euclid(days * DAY) + 1) * days * DAY)
    }

    /// Whether a backup was due since `last`: if the machine was off at night, the backup is taken in the morning.
    pub fn was_missed(&self, last: Option<i64>, now: i64) -> bool {
        match (self.every, last) {
            (Every::Never, _) => false,
            (_, None) => true,
            (_, Some(last)) => self.next(last).is_some_and(|due| due <= now),
        }
    }

    /// The indices of the backups to delete. `kept` holds the time of each backup, newest first, and whether it was verified. Unverified
    /// backups are counted separately: failures never displace backups that can be restored.
    pub fn expired(&self, kept: &[(i64, bool)], now: i64) -> Vec<usize> {
        let oldest = now - i64::from(self.keep_days) * DAY;
        let (mut sound, mut others) = (0, 0);
        let goes = |(place, (taken, is_sound)): (usize, &(i64, bool))| {
            let newer = if *is_sound { &mut sound } else { &mut others };
            let is_newest_sound = *is_sound && *newer == 0;
            let is_too_many = *newer >= self.keep_copies;
            *newer += 1;
            (!is_newest_sound && (*taken < oldest || is_too_many)).then_some(place)
        };
        kept.iter().enumerate().filter_map(goes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Friday, 20 November 2026, 06:00 UTC.
    const NOW: i64 = 1_795_154_400_000_000;

    fn schedule(every: Every) -> Schedule {
        Schedule { every, at: 120, keep_days: 30, keep_copies: 3 }
    }

    #[test]
    fn the_next_one_comes_at_its_hour_and_never_now() {
        let day = schedule(Every::Day);
        assert_eq!(day.next(NOW), Some(NOW + 20 * 60 * MINUTE));
        assert_eq!(day.next(NOW - 4 * 60 * MINUTE), Some(NOW + 20 * 60 * MINUTE));
        assert_eq!(day.next(NOW - 4 * 60 * MINUTE - 1), Some(NOW - 4 * 60 * MINUTE));
        // Sunday the 22nd, 02:00.
        assert_eq!(schedule(Every::Week).next(NOW), Some(NOW + 44 * 60 * MINUTE));
        assert_eq!(schedule(Every::Never).next(NOW), None);
    }

    #[test]
    fn one_that_fell_into_a_night_without_the_machine_is_missed() {
        let day = schedule(Every::Day);
        assert!(day.was_missed(None, NOW));
        assert!(day.was_missed(Some(NOW - DAY), NOW));
        assert!(!day.was_missed(Some(NOW - 60 * MINUTE), NOW));
        assert!(!schedule(Every::Never).was_missed(None, NOW));
    }

    #[test]
    fn what_is_too_old_or_too_many_goes_and_the_newest_sound_one_never() {
        let day = schedule(Every::Day);
        let kept = [
            (NOW, false),
            (NOW - DAY, false),
            (NOW - 2 * DAY, true),
            (NOW - 3 * DAY, true),
            (NOW - 40 * DAY, true),
        ];
        assert_eq!(day.expired(&kept, NOW), [4]);
        let old = [(NOW - 40 * DAY, true), (NOW - 41 * DAY, true)];
        assert_eq!(day.expired(&old, NOW), [1]);
        assert_eq!(day.expired(&[], NOW), Vec::<usize>::new());
    }

    #[test]
    fn failures_push_out_failures_only() {
        let day = schedule(Every::Day);
        let kept: Vec<(i64, bool)> = (0..10).map(|days| (NOW - days * DAY, days >= 5)).collect();
        assert_eq!(day.expired(&kept, NOW), [3, 4, 8, 9]);
    }

    #[test]
    fn a_schedule_that_keeps_nothing_is_refused() {
        assert!(Schedule { keep_days: 0, ..Schedule::default() }.problem().is_some());
        assert!(Schedule { at: 1440, ..Schedule::default() }.problem().is_some());
        assert_eq!(Schedule::default().problem(), None);
    }
}
