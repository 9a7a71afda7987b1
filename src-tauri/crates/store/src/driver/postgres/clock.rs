//! One clock for all servers: the database's. Leases and due times are compared with it, therefore clocks of machines may differ.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a measurement is valid.
const GOOD_FOR: Duration = Duration::from_mins(1);
/// A smaller difference is ignored: the round trip that measures it may take nearly as long. In µs.
const NEGLIGIBLE: i64 = 250_000;

/// The difference between the database's clock and this machine's.
#[derive(Default)]
pub(super) struct DatabaseClock {
    ahead: AtomicI64,
    compared: Mutex<Option<Instant>>,
}

impl DatabaseClock {
    /// Whether a measurement is due; the caller that gets `true` must make it.
    pub(super) fn is_due(&self) -> bool {
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = compared.is_none_or(|compared| compared.elapsed() >= GOOD_FOR);
        if is_due {
            *compared = Some(Instant::now());
        }
        is_due
    }

    /// Stores a measurement: the database returned `told` at some time between `before` and `after` of this machine; µs since 1970 UTC.
    pub(super) fn set(&self, told: i64, before: i64, after: i64) {
        let ahead = told - before.midpoint(after);
        let least = NEGLIGIBLE.max(after - before);
        self.ahead.store(if ahead.abs() < least { 0 } else { ahead }, Ordering::Relaxed);
    }

    /// How far the database's clock is ahead, in µs.
    pub(super) fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_a_minute_late_is_brought_forward_and_a_small_difference_is_left_alone() {
        let clock = DatabaseClock::default();
        assert!(clock.is_due());
        assert!(!clock.is_due());
        clock.set(61_000_000, 1_000_000, 1_002_000);
        assert_eq!(clock.ahead(), 59_999_000);
        clock.set(940_000_000, 1_000_000_000, 1_000_000_000);
        assert_eq!(clock.ahead(), -60_000_000);
        clock.set(1_100_000, 1_000_000, 1_000_000);
        assert_eq!(clock.ahead(), 0);
        // A round trip of one second cannot show a difference of half a second.
        clock.set(2_000_000, 1_000_000, 2_000_000);
        assert_eq!(clock.ahead(), 0);
    }
}
