//! Due times of schedules: cron expressions in a time zone, missed times, and overlapping runs.

mod zone;

use chrono::{DateTime, Utc};
use croner::Cron;
use std::str::FromStr;
use zone::{Zone, zone_of};

/// Maximum number of missed times found at once.
const MOST_MISSED: usize = 1000;
const DAY: i64 = 86_400_000_000;
/// Default maximum delay for catching up with a missed time; µs.
pub const CATCH_UP: i64 = 60_000_000;

/// What happens when a run is due before the previous one has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    Skip,
    /// One run waits.
    BufferOne,
    /// All runs wait.
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
    /// The policy with that name; `Skip` without a name.
    pub fn find(word: Option<&str>) -> Option<Self> {
        let Some(word) = word else { return Some(Self::Skip) };
        OVERLAPS.iter().find(|(known, _)| *known == word).map(|(_, overlap)| *overlap)
    }
}

/// The due times of a schedule at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueTimes {
    /// Due times that are not too late, oldest first.
    pub times: Vec<i64>,
    /// Number of times that were missed and are not caught up with.
    pub missed: usize,
    /// The next due time; `None` if there is none.
    pub next: Option<i64>,
}

/// Maximum number of candidate local times to try: an hour that occurs twice has that many seconds.
const MOST_LOOKS: usize = 4000;

/// A cron expression in a time zone.
#[derive(Debug, Clone)]
pub struct Schedule {
    cron: Cron,
    zone: Option<Zone>,
    /// Whether it is due in every hour, independently of the local time.
    is_of_every_hour: bool,
}

impl Schedule {
    /// Parses a cron expression with five fields, or six with seconds first. It is in UTC unless `zone` names another IANA time zone, or the
    /// expression begins with one: `CRON_TZ=Europe/Berlin 0 5 * * *`.
    pub fn read(line: &str, zone: Option<&str>) -> Result<Self, String> {
        let (own, fields) = zone_of(line);
        let cron = Cron::from_str(fields).map_err(|reason| {
            format!("expected a cron line such as \"0 5 * * *\", found \"{line}\": {reason}")
        })?;
        let named = zone.map(str::trim).filter(|zone| !zone.is_empty()).or(own);
        let is_of_every_hour = is_of_every_hour(fields);
        Ok(Self { cron, zone: named.map(Zone::find).transpose()?.flatten(), is_of_every_hour })
    }

    /// The first due time after `after`; µs since 1970 UTC. A local time that is skipped is due at the end of the gap, and one that occurs twice is
    /// due the first time. An hourly expression is due in every hour regardless.
    pub fn next(&self, after: i64) -> Option<i64> {
        let Some(zone) = &self.zone else { return self.next_of_clock(after) };
        if self.is_of_every_hour {
            return self.next_of_every_hour(zone, after);
        }
        let mut clock = zone.clock(after)?;
        for _ in 0..MOST_LOOKS {
            clock = self.next_of_clock(clock)?;
            if let Some(found) = zone.moment(clock).filter(|found| *found > after) {
                return Some(found);
            }
        }
        None
    }

    /// The local date at a time; days since 1970.
    pub fn day(&self, moment: i64) -> i32 {
        let clock = self.zone.as_ref().and_then(|zone| zone.clock(moment)).unwrap_or(moment);
        i32::try_from(clock.div_euclid(DAY)).unwrap_or(i32::MAX)
    }

    /// Uses a constant offset between two changes of the offset.
    fn next_of_every_hour(&self, zone: &Zone, after: i64) -> Option<i64> {
        let (mut from, mut first) = (after, after.checked_add(1)?);
        for _ in 0..MOST_LOOKS {
            let offset = zone.clock(from)? - from;
            let found = self.next_of_clock(first - 1 + offset)? - offset;
            match zone.change(from).filter(|change| *change <= found) {
                None => return Some(found),
                Some(change) => (from, first) = (change, change),
            }
        }
        None
    }

    fn next_of_clock(&self, after: i64) -> Option<i64> {
        let after = DateTime::<Utc>::from_timestamp_micros(after)?;
        self.cron.find_next_occurrence(&after, false).ok().map(|found| found.timestamp_micros())
    }

    /// The due times, where the next was expected at `expected`. Times older than `window` (µs) count as missed.
    pub fn due(&self, expected: i64, now: i64, window: i64) -> DueTimes {
        let mut due = DueTimes { times: Vec::new(), missed: 0, next: Some(expected) };
        while let Some(time) = due.next.filter(|time| *time <= now) {
            if now - time > window || due.times.len() >= MOST_MISSED {
                due.missed += 1;
            } else {
                due.times.push(time);
            }
            // After a long pause, times before the window are skipped without counting each.
            let from = if due.missed >= MOST_MISSED { time.max(now - window - 1) } else { time };
            due.next = self.next(from);
        }
        due
    }
}

/// Whether the fields match every hour.
fn is_of_every_hour(fields: &str) -> bool {
    let fields: Vec<&str> = fields.split_whitespace().collect();
    match fields.as_slice() {
        [name] => name.eq_ignore_ascii_case("@hourly"),
        [_, hour, _, _, _] | [_, _, hour, _, _, _] => *hour == "*",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{DueTimes, Overlap, Schedule};
    use chrono::{DateTime, SecondsFormat};

    const MINUTE: i64 = 60_000_000;

    fn next(line: &str, after: i64) -> Option<i64> {
        Schedule::read(line, None).unwrap().next(after)
    }

    fn due(line: &str, expected: i64, now: i64, window: i64) -> DueTimes {
        Schedule::read(line, None).unwrap().due(expected, now, window)
    }

    #[test]
    fn five_and_six_fields_are_read() {
        assert_eq!(next("*/15 * * * *", 0), Some(15 * MINUTE));
        assert_eq!(next("30 * * * * *", 0), Some(MINUTE / 2));
        assert!(Schedule::read("every day", None).is_err());
        assert_eq!(next("0 0 30 2 *", 0), None);
    }

    #[test]
    fn a_time_that_is_due_is_due_once() {
        assert_eq!(
            due("* * * * *", MINUTE, MINUTE, MINUTE),
            DueTimes { times: vec![MINUTE], missed: 0, next: Some(2 * MINUTE) }
        );
        assert_eq!(
            due("* * * * *", MINUTE, MINUTE - 1, MINUTE),
            DueTimes { times: vec![], missed: 0, next: Some(MINUTE) }
        );
    }

    #[test]
    fn after_a_sleep_of_three_hours_only_the_window_is_caught_up_with() {
        let now = 180 * MINUTE;
        let found = due("* * * * *", MINUTE, now, MINUTE);
        assert_eq!(
            (found.times, found.missed, found.next),
            (vec![179 * MINUTE, 180 * MINUTE], 178, Some(181 * MINUTE))
        );
        let found = due("* * * * * *", 1_000_000, 40_000 * MINUTE, MINUTE);
        assert_eq!((found.times.len(), found.next), (61, Some(40_000 * MINUTE + 1_000_000)));
    }

    #[test]
    fn policies_have_words() {
        assert_eq!(Overlap::find(None), Some(Overlap::Skip));
        assert_eq!(Overlap::find(Some("BufferOne")), Some(Overlap::BufferOne));
        assert_eq!(Overlap::find(Some("Wait")), None);
    }

    /// Checks the due times after `after`, in the form `2026-03-29T01:00:00Z`.
    #[track_caller]
    fn on_the_clock(line: &str, zone: &str, after: &str, expected: &[&str]) {
        let schedule = Schedule::read(line, Some(zone)).unwrap();
        let mut at = DateTime::parse_from_rfc3339(after).unwrap().timestamp_micros();
        for expected in expected {
            at = schedule.next(at).unwrap();
            let found = DateTime::from_timestamp_micros(at).unwrap();
            assert_eq!(found.to_rfc3339_opts(SecondsFormat::Secs, true), *expected, "{line} in {zone}");
        }
    }

    #[test]
    fn hours_are_those_of_the_clock_in_summer_and_winter() {
        let days = ["2026-03-28T04:00:00Z", "2026-03-29T03:00:00Z", "2026-03-30T03:00:00Z"];
        on_the_clock("0 5 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", &days);
        on_the_clock(
            "CRON_TZ=Asia/Kolkata 30 5 * * *",
            "",
            "2026-03-27T12:00:00Z",
            &["2026-03-28T00:00:00Z"],
        );
        on_the_clock("0 5 * * *", "UTC", "2026-03-27T12:00:00Z", &["2026-03-28T05:00:00Z"]);
    }

    #[test]
    fn an_hour_that_the_clock_leaves_out_runs_once_after_it() {
        // In Berlin, 02:00 to 03:00 does not exist on 29 March 2026.
        let days = ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"];
        on_the_clock("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", &days);
        let quarters = ["2026-03-29T00:45:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:15:00Z"];
        on_the_clock("*/15 * * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", &quarters);
        // Lord Howe Island skips half an hour.
        let howe = ["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"];
        on_the_clock("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", &howe);
    }

    #[test]
    fn an_hour_that_the_clock_shows_twice_runs_once() {
        // In New York, 01:00 to 02:00 occurs twice on 1 November 2026.
        let days = ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"];
        on_the_clock("30 1 * * *", "America/New_York", "2026-11-01T00:00:00Z", &days);
        let hours = ["2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z", "2026-11-01T09:00:00Z"];
        on_the_clock("0 1-23/1 * * *", "America/New_York", "2026-11-01T04:30:00Z", &hours[..2]);
        on_the_clock("0 */2 * * *", "America/New_York", "2026-11-01T06:30:00Z", &hours[1..]);
    }

    #[test]
    fn a_line_for_every_hour_goes_on_through_both() {
        let quarters = ["2026-11-01T05:45:00Z", "2026-11-01T06:00:00Z", "2026-11-01T06:15:00Z"];
        on_the_clock("*/15 * * * *", "America/New_York", "2026-11-01T05:30:00Z", &quarters);
        let back = ["2026-11-01T06:45:00Z", "2026-11-01T07:00:00Z"];
        on_the_clock("*/15 * * * *", "America/New_York", "2026-11-01T06:30:00Z", &back);
        on_the_clock("* * * * * *", "America/New_York", "2026-11-01T06:00:00Z", &["2026-11-01T06:00:01Z"]);
        let hours = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"];
        on_the_clock("30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", &hours);
        on_the_clock("CRON_TZ=Europe/Berlin @hourly", "", "2026-10-25T00:30:00Z", &["2026-10-25T01:00:00Z"]);
        let seconds = ["2026-03-29T00:59:50Z", "2026-03-29T01:00:00Z"];
        on_the_clock("*/10 * * * * *", "Europe/Berlin", "2026-03-29T00:59:40Z", &seconds);
        on_the_clock("0 * 29 2 *", "Europe/Berlin", "2026-03-01T00:00:00Z", &["2028-02-28T23:00:00Z"]);
    }

    #[test]
    fn the_day_is_that_of_the_clock() {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().timestamp_micros();
        let day = |zone: &str, text: &str| {
            let schedule = Schedule::read("0 5 * * *", Some(zone)).unwrap();
            catalogue::format_date(schedule.day(at(text)))
        };
        assert_eq!(day("Europe/Berlin", "2026-10-31T23:30:00Z"), "2026-11-01");
        assert_eq!(day("Europe/Berlin", "2026-07-31T22:30:00Z"), "2026-08-01");
        assert_eq!(day("America/Los_Angeles", "2026-11-02T01:00:00Z"), "2026-11-01");
        assert_eq!(day("UTC", "2026-10-31T23:30:00Z"), "2026-10-31");
    }

    #[test]
    fn a_sleep_over_the_change_of_the_clock_is_caught_up_with_once() {
        let schedule = Schedule::read("30 2 * * *", Some("Europe/Berlin")).unwrap();
        let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().timestamp_micros();
        let (expected, now) = (at("2026-03-29T01:00:00Z"), at("2026-03-29T04:00:00Z"));
        let due = schedule.due(expected, now, 6 * 60 * MINUTE);
        assert_eq!((due.times, due.next), (vec![expected], Some(at("2026-03-30T00:30:00Z"))));
    }

    #[test]
    fn a_place_that_is_no_time_zone_is_refused() {
        for zone in ["Berlin", "Europe/Nowhere", "../etc/passwd", "+02:00"] {
            let refused = Schedule::read("0 5 * * *", Some(zone)).expect_err(zone);
            assert!(refused.starts_with("expected a time zone such as Europe/Berlin"), "{refused}");
        }
        assert!(Schedule::read("TZ=Mars 0 5 * * *", None).is_err());
    }
}
