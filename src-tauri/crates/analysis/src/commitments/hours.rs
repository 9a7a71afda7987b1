//! The cost of use by the hour.

use crate::numbers::{round, sum};
use catalogue::Decimal;

pub const HOURS_A_DAY: i64 = 24;
/// Digits after the point of a sum of hours: what dividing a day's cost has rounded off is behind them.
const DIGITS: u8 = 10;

/// What use cost in each hour of a time, at contract prices; hours without use cost nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HourlyUse {
    /// Hours since 1970.
    from: i64,
    costs: Vec<Decimal>,
    /// What came by the hour.
    by_hour: Decimal,
}

impl HourlyUse {
    /// No use in the hours from the first to the last, which is not one of them.
    #[must_use]
    pub fn new(from: i64, until: i64) -> Self {
        let count = usize::try_from(until - from).unwrap_or_default();
        Self { from, costs: vec![Decimal::ZERO; count], by_hour: Decimal::ZERO }
    }

    /// Adds a charge for the hours from the first to the last, which is not one of them: spread evenly, since the bill says no more. What lies outside of
    /// the time is left out. `None` for more than 38 digits.
    pub fn add(&mut self, (from, until): (i64, i64), cost: Decimal) -> Option<()> {
        let hours = u32::try_from((until - from).max(1)).ok()?;
        let share = if hours == 1 { cost } else { cost.divided_by(hours) };
        for hour in from..from + i64::from(hours) {
            let Some(place) =
                usize::try_from(hour - self.from).ok().filter(|place| *place < self.costs.len())
            else {
                continue;
            };
            self.costs[place] = self.costs[place].checked_add(share)?;
            if hours == 1 {
                self.by_hour = self.by_hour.checked_add(share)?;
            }
        }
        Some(())
    }

    /// The cost of each hour; corrections below zero count as no use.
    pub(super) fn costs(&self) -> Vec<Decimal> {
        let none = |cost: &Decimal| if cost.is_negative() { Decimal::ZERO } else { *cost };
        self.costs.iter().map(none).collect()
    }

    pub fn hours(&self) -> usize {
        self.costs.len()
    }

    /// What all hours cost.
    #[must_use]
    pub fn total(&self) -> Option<Decimal> {
        round(sum(self.costs().into_iter())?, DIGITS)
    }

    /// Of that, what the bill tells by the hour: hours below the commitment show in this part alone.
    pub fn by_hour(&self) -> Decimal {
        self.by_hour
    }
}
