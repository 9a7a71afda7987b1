//! Describes in sentences what changed in a week, and why.
//!
//! [`write`] takes the cost of a [`Week`] compared with the week before, by service and kind of use, and the anomalies that began and the
//! recommendations that were closed in it. Every sentence has [`Facts`]: the exact figures behind it.

mod change;
mod sentence;
mod week;

pub use sentence::{Driver, Facts, Sentence, Weight};
pub use week::{Account, Anomaly, ClosedAdvice, Part, Week, last_week};

/// Increased when the content changes, so that digests are written again.
pub const VERSION: u32 = 2;

/// A service is included if its change is at least these fractions, in thousandths, of its own earlier cost and of the total earlier cost.
const LEAST_OF_SERVICE: i64 = 50;
const LEAST_OF_ALL: i64 = 2;
/// The largest number of services in a digest, those with the largest changes.
const MOST_SERVICES: usize = 5;

/// The digest of one account, or of all: total cost, the services that changed, then other events.
pub fn write(week: &Week<'_>) -> Vec<Sentence> {
    let mut told = Vec::new();
    for currency in week.currencies() {
        told.push(change::total(week, currency));
        told.extend(change::services(week, currency));
    }
    told.extend(sentence::anomalies(week));
    told.extend(sentence::closed(week));
    told.extend(sentence::late(week));
    for (place, one) in told.iter_mut().enumerate() {
        one.facts.place = place;
    }
    told
}

#[cfg(test)]
mod tests;
