//! The only module that reads the system clock.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// How far the database's clock is ahead of this machine's, µs. Servers that share a database use the database's clock.
static AHEAD: AtomicI64 = AtomicI64::new(0);

/// The current time, µs since 1970-01-01T00:00:00 UTC.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX).saturating_add(AHEAD.load(Ordering::Relaxed))
}

/// Adds `micros` to every later reading of this machine's clock, to follow the clock of a shared database.
pub fn set_ahead(micros: i64) {
    AHEAD.store(micros, Ordering::Relaxed);
}
