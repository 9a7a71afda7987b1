//! The cost of a machine by hour of the week.

use catalogue::Decimal;
use uuid::Uuid;

/// Start and end of working hours, by hour of the day, UTC.
pub const WORK_HOURS: std::ops::Range<i64> = 8..20;

/// A machine of a non-production environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Night {
    pub account: Uuid,
    pub resource: Uuid,
    pub resource_name: Option<String>,
    pub service: String,
    pub usage: String,
    pub region: String,
    pub currency: String,
    /// The value of the tag that names the environment.
    pub environment: String,
    pub hours: Hours,
}

/// Cost and number of hours: working hours (Monday to Friday, 08:00 to 20:00 UTC), nights, weekends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hours {
    pub work: Decimal,
    pub night: Decimal,
    pub weekend: Decimal,
    pub work_hours: i64,
    pub night_hours: i64,
    pub weekend_hours: i64,
    /// The last day with a charge.
    pub last: i32,
}

impl Hours {
    /// Adds the cost of an hour; `hour` is counted from 1970, UTC. `None` beyond 38 digits.
    #[must_use]
    pub fn and(mut self, hour: i64, cost: Decimal) -> Option<Self> {
        let day = hour.div_euclid(24);
        // 1970-01-01 was a Thursday.
        let is_weekend = (day + 3).rem_euclid(7) >= 5;
        let (sum, count) = if is_weekend {
            (&mut self.weekend, &mut self.weekend_hours)
        } else if WORK_HOURS.contains(&hour.rem_euclid(24)) {
            (&mut self.work, &mut self.work_hours)
        } else {
            (&mut self.night, &mut self.night_hours)
        };
        *sum = sum.checked_add(cost)?;
        *count += 1;
        self.last = self.last.max(i32::try_from(day).ok()?);
        Some(self)
    }

    pub fn total(&self) -> Option<Decimal> {
        self.work.checked_add(self.night)?.checked_add(self.weekend)
    }
}
