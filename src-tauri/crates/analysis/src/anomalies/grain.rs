//! What a series is told by: days, or the hours of a day.

use catalogue::{format_date, format_timestamp};

/// Hours of a day.
pub(super) const HOURS: i32 = 24;
/// µs of an hour.
const HOUR: i64 = 3_600_000_000;

/// How long a step of a series is. Steps are counted since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grain {
    Day,
    Hour,
}

impl Grain {
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }

    /// The day a step belongs to, since 1970.
    pub fn day(self, step: i32) -> i32 {
        match self {
            Self::Day => step,
            Self::Hour => step.div_euclid(HOURS),
        }
    }

    /// The first step of a day.
    pub(super) fn first_of(self, day: i32) -> i32 {
        match self {
            Self::Day => day,
            Self::Hour => day.saturating_mul(HOURS),
        }
    }

    /// When a step begins, µs since 1970 UTC.
    pub fn begins(self, step: i32) -> i64 {
        match self {
            Self::Day => i64::from(step) * i64::from(HOURS) * HOUR,
            Self::Hour => i64::from(step) * HOUR,
        }
    }

    /// A step as cards tell it: `2026-06-18`, or the time an hour begins at, `2026-06-18T13:00:00`.
    pub fn format(self, step: i32) -> String {
        match self {
            Self::Day => format_date(step),
            Self::Hour => format_timestamp(self.begins(step)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_belongs_to_its_day() {
        let day = catalogue::parse_date("2026-06-18").unwrap_or_default();
        let hour = Grain::Hour.first_of(day) + 13;
        assert_eq!((Grain::Hour.day(hour), Grain::Day.day(day)), (day, day));
        assert_eq!(Grain::Hour.format(hour), "2026-06-18T13:00:00");
        assert_eq!(Grain::Day.format(day), "2026-06-18");
    }
}
