//! The time step of a series: days, or hours.

use catalogue::{format_date, format_timestamp};

/// Hours per day.
pub(super) const HOURS: i32 = 24;
/// One hour in µs.
const HOUR: i64 = 3_600_000_000;

/// The length of a step of a series. Steps are counted from 1970, UTC.
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

    /// The day that contains a step, since 1970.
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

    /// The start of a step, µs since 1970 UTC.
    pub fn begins(self, step: i32) -> i64 {
        match self {
            Self::Day => i64::from(step) * i64::from(HOURS) * HOUR,
            Self::Hour => i64::from(step) * HOUR,
        }
    }

    /// A step as text: `2026-06-18`, or the start of an hour, `2026-06-18T13:00:00`.
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
