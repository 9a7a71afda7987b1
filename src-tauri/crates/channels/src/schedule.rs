//! Times without sending: quiet hours of a channel, and weekly maintenance windows. All times are UTC.

use std::fmt;

const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;
/// Maximum number of consecutive windows to skip: a week of hourly ones.
const MOST_STEPS: usize = 200;

/// A time of day, in minutes since midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    /// Parses `22:30`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hours, minutes) = text.split_once(':')?;
        let number = |part: &str, below: u16| {
            let is_plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u16>().ok().filter(|number| is_plain && *number < below)
        };
        Some(Self(number(hours, 24)? * 60 + number(minutes, 60)?))
    }

    fn micros(self) -> i64 {
        i64::from(self.0) * MINUTE
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// Daily quiet hours; they span midnight if `until` is not later than `from`. If both are equal: the whole day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    pub from: TimeOfDay,
    pub until: TimeOfDay,
}

/// A weekly maintenance window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The days on which it begins; 1 is Monday, 7 is Sunday.
    pub days: Vec<u8>,
    pub starts_at: TimeOfDay,
    pub minutes: u32,
}

/// The first time from `now` on at which messages may be sent; both in µs since 1970 UTC. `None` if the windows leave no time between them.
pub fn allowed_at(now: i64, quiet: Option<Quiet>, windows: &[Window]) -> Option<i64> {
    let mut at = now;
    for _ in 0..MOST_STEPS {
        let after_quiet = quiet.and_then(|quiet| quiet.end(at));
        let later = windows.iter().filter_map(|window| window.end(at)).chain(after_quiet).max();
        match later {
            None => return Some(at),
            Some(later) => at = later,
        }
    }
    None
}

impl Quiet {
    /// The end of the quiet hours that contain this time.
    fn end(self, at: i64) -> Option<i64> {
        let midnight = at - at.rem_euclid(DAY);
        let (from, until) = (self.from.micros(), self.until.micros());
        let length = if until > from { until - from } else { until + DAY - from };
        [midnight - DAY, midnight]
            .into_iter()
            .map(|day| (day + from, day + from + length))
            .find_map(|(begin, end)| (begin <= at && at < end).then_some(end))
    }
}

impl Window {
    /// The end of the window that contains this time.
    fn end(&self, at: i64) -> Option<i64> {
        let today = at.div_euclid(DAY);
        let length = i64::from(self.minutes) * MINUTE;
        // A window may have begun up to a week ago.
        (0..=7).map(|ago| today - ago).filter(|day| self.days.contains(&weekday(*day))).find_map(|day| {
            let begin = day * DAY + self.starts_at.micros();
            (begin <= at && at < begin + length).then_some(begin + length)
        })
    }
}

/// The day of the week; 1 is Monday. 1970-01-01 was a Thursday.
fn weekday(day: i64) -> u8 {
    u8::try_from((day + 3).rem_euclid(7) + 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalogue::{format_timestamp, parse_timestamp};

    fn time(text: &str) -> TimeOfDay {
        TimeOfDay::parse(text).unwrap()
    }

    fn next(now: &str, quiet: Option<(&str, &str)>, windows: &[Window]) -> Option<String> {
        let quiet = quiet.map(|(from, until)| Quiet { from: time(from), until: time(until) });
        allowed_at(parse_timestamp(now).unwrap(), quiet, windows)
            .map(|at| format_timestamp(at)[..16].to_owned())
    }

    #[test]
    fn quiet_hours_go_over_midnight() {
        let night = Some(("22:00", "07:00"));
        for (now, at) in [
            ("2026-11-25T21:59:00Z", "2026-11-25T21:59"),
            ("2026-11-25T22:00:00Z", "2026-11-26T07:00"),
            ("2026-11-26T03:00:00Z", "2026-11-26T07:00"),
            ("2026-11-26T07:00:00Z", "2026-11-26T07:00"),
        ] {
            assert_eq!(next(now, night, &[]).as_deref(), Some(at), "{now}");
        }
        assert_eq!(
            next("2026-11-25T12:30:00Z", Some(("12:00", "13:00")), &[]).as_deref(),
            Some("2026-11-25T13:00")
        );
    }

    #[test]
    fn windows_come_back_every_week_and_follow_one_another() {
        // 2026-11-28 is a Saturday.
        let weekend = Window { days: vec![6], starts_at: time("00:00"), minutes: 2 * 24 * 60 };
        let monday = Window { days: vec![1], starts_at: time("00:00"), minutes: 90 };
        let both = [weekend.clone(), monday];
        assert_eq!(next("2026-11-27T23:59:00Z", None, &both).as_deref(), Some("2026-11-27T23:59"));
        assert_eq!(next("2026-11-29T12:00:00Z", None, &both).as_deref(), Some("2026-11-30T01:30"));
        assert_eq!(next("2026-12-05T12:00:00Z", None, &[weekend]).as_deref(), Some("2026-12-07T00:00"));
    }

    #[test]
    fn windows_that_leave_no_time_are_told() {
        let always = Window { days: (1..=7).collect(), starts_at: time("00:00"), minutes: 24 * 60 };
        assert_eq!(next("2026-11-27T23:59:00Z", None, &[always]), None);
        assert_eq!(next("2026-11-27T23:59:00Z", Some(("08:00", "08:00")), &[]), None);
    }

    #[test]
    fn a_time_of_day_is_five_letters() {
        assert_eq!(TimeOfDay::parse("07:05").map(|time| time.to_string()).as_deref(), Some("07:05"));
        for wrong in ["7:05", "24:00", "12:60", "12", "", "+1:00"] {
            assert_eq!(TimeOfDay::parse(wrong), None, "{wrong}");
        }
    }
}
