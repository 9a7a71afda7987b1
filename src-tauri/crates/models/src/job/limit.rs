//! A limit in bytes per second, shared by all downloads of a service.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Limits bytes per second; unused capacity accumulates for a quarter of a second.
#[derive(Debug)]
pub struct Limit {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// `None`: unlimited.
    rate: Option<u64>,
    /// When the bytes taken so far are within the limit, µs.
    paid_until: i64,
}

impl Limit {
    pub fn new(rate: Option<u64>) -> Self {
        Self { inner: Mutex::new(Inner { rate, paid_until: 0 }) }
    }

    pub fn set(&self, rate: Option<u64>) {
        self.lock().rate = rate;
    }

    /// Accounts for `bytes` that arrived at `now` (µs). Returns how long to wait before the next.
    pub fn take(&self, bytes: usize, now: i64) -> Duration {
        let mut inner = self.lock();
        let Some(rate) = inner.rate else { return Duration::ZERO };
        let cost = (bytes as u64).saturating_mul(1_000_000) / rate.max(1);
        let from = inner.paid_until.max(now - 250_000);
        inner.paid_until = from.saturating_add(i64::try_from(cost).unwrap_or(i64::MAX));
        Duration::from_micros(u64::try_from(inner.paid_until - now).unwrap_or(0))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_downloads_take_together_stays_under_the_bound() {
        let limit = Limit::new(Some(1_000_000));
        let mut now = 1_000_000_000;
        let (began, mut taken) = (now, 0);
        while taken < 10_000_000 {
            taken += 40_000;
            now += i64::try_from(limit.take(40_000, now).as_micros()).unwrap();
        }
        let seconds = (now - began) / 1_000;
        assert!((9_700..=10_000).contains(&seconds), "{seconds} ms");
    }

    #[test]
    fn without_a_bound_nobody_waits() {
        assert_eq!(Limit::new(None).take(usize::MAX, 0), Duration::ZERO);
    }
}
