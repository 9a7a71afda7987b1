//! Rate and remaining time of a download, smoothed for display.

use std::collections::VecDeque;

/// Period of the rate: the last 20 seconds, in µs.
const WINDOW: i64 = 20_000_000;
/// Minimum distance of samples, in µs.
const STEP: i64 = 200_000;

/// Counts bytes received from the network.
#[derive(Debug, Default)]
pub struct Meter {
    /// Time in µs, bytes until then.
    samples: VecDeque<(i64, u64)>,
    total: u64,
    /// When the remaining time was last computed, and its value in seconds.
    told: Option<(i64, f64)>,
}

impl Meter {
    pub fn add(&mut self, bytes: u64, now: i64) {
        if self.samples.is_empty() {
            self.samples.push_back((now, 0));
        }
        self.total += bytes;
        let is_first = self.samples.len() == 1;
        match self.samples.back_mut() {
            Some((at, total)) if now - *at < STEP && !is_first => *total = self.total,
            _ => self.samples.push_back((now, self.total)),
        }
        self.forget(now);
    }

    fn forget(&mut self, now: i64) {
        while self.samples.len() > 2 && self.samples.get(1).is_some_and(|(at, _)| now - at > WINDOW) {
            self.samples.pop_front();
        }
    }

    /// Starts again after a pause or an interruption.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Bytes per second.
    pub fn rate(&self, now: i64) -> u64 {
        let Some(&(from, before)) = self.samples.front() else { return 0 };
        let micros = u64::try_from((now - from).max(STEP)).unwrap_or(1);
        (self.total - before).saturating_mul(1_000_000) / micros
    }

    /// Whole seconds until `left` bytes have arrived; `None` if unknown. Smoothed: the previous estimate minus the elapsed time has three times the
    /// weight of the new one, unless they differ greatly.
    pub fn time_left(&mut self, left: u64, now: i64) -> Option<u64> {
        let rate = self.rate(now);
        if rate == 0 || self.samples.len() < 3 {
            return None;
        }
        #[allow(clippy::cast_precision_loss)] // Seconds are displayed, not summed.
        let fresh = left as f64 / rate as f64;
        let smooth = match self.told {
            Some((at, told)) => {
                #[allow(clippy::cast_precision_loss)]
                let passed = (now - at) as f64 / 1e6;
                let expected = (told - passed).max(0.0);
                let weight = (passed / 4.0).clamp(0.02, 0.25);
                expected + (fresh - expected) * weight
            }
            None => fresh,
        };
        self.told = Some((now, smooth));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Positive, and capped.
        Some(smooth.ceil().min(1e10) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_twenty_seconds() {
        let mut meter = Meter::default();
        for second in 0..100 {
            meter.add(if second < 50 { 5_000 } else { 1_000 }, second * 1_000_000);
        }
        let rate = meter.rate(99_000_000);
        assert!((950..=1_100).contains(&rate), "{rate}");
    }

    #[test]
    fn the_time_left_does_not_jump_when_the_rate_does() {
        let (mut meter, mut left) = (Meter::default(), 1_000_000_u64);
        let mut before: Option<u64> = None;
        for tick in 0..200_i64 {
            // Alternates between two rates, one ten times the other, every five seconds.
            let bytes = if (tick / 10) % 2 == 0 { 5_000 } else { 500 };
            left -= bytes;
            let now = tick * 500_000;
            meter.add(bytes, now);
            let told = meter.time_left(left, now);
            if let (Some(before), Some(told)) = (before, told) {
                let change = told.abs_diff(before);
                assert!(change <= 3 + before / 8, "{before} s, then {told} s");
            }
            before = told.or(before);
        }
    }

    #[test]
    fn nothing_is_told_before_there_is_something_to_go_by() {
        assert_eq!(Meter::default().time_left(10, 0), None);
    }
}
