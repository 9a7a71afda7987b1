//! The durations of usage charges: hours, days or longer. An hourly and a daily report of one account have no charge in common, although they
//! state the same costs.

use super::sources::Charges;
use super::stored_charges::{self, SourcePeriod, StoredCharges};
use catalogue::Value;
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

const HOUR: i64 = 3_600_000_000;
/// Number of rows of an older import that are examined; most of its charges have the same duration.
const SAMPLE: u64 = 2_000;

/// The duration of most charges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChargeDuration {
    Hours,
    Days,
    Longer,
}

/// The number of usage charges by duration.
#[derive(Debug, Clone, Copy, Default)]
pub struct DurationCounts {
    hours: u64,
    days: u64,
    longer: u64,
}

impl DurationCounts {
    /// Records a charge from `start` to `end`.
    pub fn add(&mut self, category: Option<&str>, start: i64, end: i64) {
        if !category.is_some_and(|name| name.eq_ignore_ascii_case("Usage")) {
            return;
        }
        // Days with a clock change have 23 or 25 hours.
        match end.saturating_sub(start) {
            ..=7_200_000_000 => self.hours += 1,
            length if length <= 48 * HOUR => self.days += 1,
            _ => self.longer += 1,
        }
    }

    /// Adds the charges of another file.
    pub fn merge(&mut self, other: Self) {
        self.hours += other.hours;
        self.days += other.days;
        self.longer += other.longer;
    }

    /// The duration of more than half of the charges.
    fn usual(self) -> Option<ChargeDuration> {
        let all = self.hours + self.days + self.longer;
        let counts = [
            (ChargeDuration::Hours, self.hours),
            (ChargeDuration::Days, self.days),
            (ChargeDuration::Longer, self.longer),
        ];
        counts.into_iter().find(|(_, count)| *count > all / 2).map(|(grain, _)| grain)
    }

    /// Whether both have a usual duration, and these differ.
    pub fn is_other(self, other: Self) -> bool {
        self.usual().zip(other.usual()).is_some_and(|(own, other)| own != other)
    }
}

/// Whether the usage in stored charges of an older import has another duration than the usage of the same account in the files.
pub fn is_other(
    transaction: &Transaction<'_>,
    new: &HashMap<Uuid, Charges>,
    period: &SourcePeriod,
    (import, stored): (Uuid, &StoredCharges),
) -> Result<bool, StoreError> {
    let Some(charges) = new.get(&stored.account) else { return Ok(false) };
    Ok(charges.durations.is_other(of_stored_charges(transaction, import, period, stored)?))
}

fn of_stored_charges(
    transaction: &Transaction<'_>,
    import: Uuid,
    period: &SourcePeriod,
    stored: &StoredCharges,
) -> Result<DurationCounts, StoreError> {
    /// The reason to stop reading rows.
    enum Stop {
        Enough,
        Failed(StoreError),
    }
    impl From<StoreError> for Stop {
        fn from(error: StoreError) -> Self {
            Self::Failed(error)
        }
    }
    let columns = ["charge_category", "date", "period_end"];
    let (mut durations, mut seen) = (DurationCounts::default(), 0);
    let read =
        transaction.for_each("spends", &columns, &stored_charges::rows_of(import, period, stored), |row| {
            if let [category, Value::Timestamp(start), Value::Timestamp(end)] = row.as_slice() {
                durations.add(category.as_text(), *start, *end);
            }
            seen += 1;
            if seen < SAMPLE { Ok(()) } else { Err(Stop::Enough) }
        });
    match read {
        Ok(()) | Err(Stop::Enough) => Ok(durations),
        Err(Stop::Failed(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn durations(lengths: &[i64]) -> DurationCounts {
        let mut durations = DurationCounts::default();
        for hours in lengths {
            durations.add(Some("Usage"), 0, hours * HOUR);
        }
        durations
    }

    #[test]
    fn most_charges_say_how_long_they_are() {
        let (hours, days) = (durations(&[1, 1, 24]), durations(&[23, 24, 25, 1]));
        assert!(hours.is_other(days) && days.is_other(durations(&[720])));
        assert!(
            !hours.is_other(hours) && !days.is_other(durations(&[24, 1])) && !hours.is_other(durations(&[]))
        );
        let mut fees = DurationCounts::default();
        fees.add(Some("Purchase"), 0, 720 * HOUR);
        assert!(!hours.is_other(fees));
    }
}
