//! What changed in a week and why, in sentences.
//!
//! [`write`] takes what a [`Week`] cost beside the one before, by service and kind of use, the anomalies that began and the recommendations that
//! were closed in it. Every sentence has its [`Facts`]: the exact figures it is worded from.

mod change;
mod sentence;
mod week;

pub use sentence::{Driver, Facts, Sentence, Weight};
pub use week::{Account, Anomaly, ClosedAdvice, Part, Week, last_week};

/// Changes with what is told, so that digests are written anew.
pub const VERSION: u32 = 2;

/// A service is told when it changed by so many thousandths of what it cost before, and of what all cost before.
const LEAST_OF_SERVICE: i64 = 50;
const LEAST_OF_ALL: i64 = 2;
/// Services of a digest at most, the largest changes first.
const MOST_SERVICES: usize = 5;

/// The digest of one account, or of all: what it cost, the services that changed, then what else happened.
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
