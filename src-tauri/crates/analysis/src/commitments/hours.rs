//! The cost of usage by hour.

use crate::numbers::{round, sum};
use catalogue::Decimal;

pub const HOURS_A_DAY: i64 = 24;
/// Decimal places of a sum of hours; rounding errors from dividing a day's cost are smaller.
const DIGITS: u8 = 10;

/// The cost of usage in each hour of a period, at contract prices; hours without usage cost 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HourlyUse {
    /// Hours since 1970.
    from: i64,
    costs: Vec<Decimal>,
    /// The sum of charges for single hours.
    by_hour: Decimal,
}

impl HourlyUse {
    /// No usage in the hours `from` (inclusive) to `until` (exclusive).
    #[must_use]
    pub fn new(from: i64, until: i64) -> Self {
        let count = usize::try_from(until - from).unwrap_or_default();
        Self { from, costs: vec![Decimal::ZERO; count], by_hour: Decimal::ZERO }
    }

    /// Adds a charge for the hours `from` (inclusive) to `until` (exclusive), spread evenly, because the bill contains no more detail. Hours
    /// outside the period are ignored. `None` beyond 38 digits.
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

    /// The cost of each hour; negative corrections count as no usage.
    pub(super) fn costs(&self) -> Vec<Decimal> {
        let none = |cost: &Decimal| if cost.is_negative() { Decimal::ZERO } else { *cost };
        self.costs.iter().map(none).collect()
    }

    /// The number of hours.
    pub fn hours(&self) -> usize {
        self.costs.len()
    }

    /// The cost of all hours.
    #[must_use]
    pub fn total(&self) -> Option<Decimal> {
        round(sum(self.costs().into_iter())?, DIGITS)
    }

    /// The part of the total that the bill reports by hour. Hours with usage below the commitment show only in this part.
    pub fn by_hour(&self) -> Decimal {
        self.by_hour
    }
}
