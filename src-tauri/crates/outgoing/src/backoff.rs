//! Delays before a retry.

use std::time::Duration;

/// The retry delays for a service that does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// Delay before the second attempt.
    pub first: Duration,
    pub longest: Duration,
    /// Maximum delay that the other side can request.
    pub longest_asked: Duration,
}

impl Backoff {
    /// The delay after attempt `tries` (from 1). It doubles with each attempt up to `longest`, and is then scaled to between half and all of it by
    /// `chance` (0 to 1), so that many clients that lost the same service do not retry at once. A delay requested by the other side is used
    /// instead.
    pub fn wait(&self, tries: u32, asked: Option<Duration>, chance: f64) -> Duration {
        if let Some(asked) = asked {
            return asked.min(self.longest_asked);
        }
        let whole = self.first.saturating_mul(1 << tries.saturating_sub(1).min(20)).min(self.longest);
        whole.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff {
        first: Duration::from_secs(1),
        longest: Duration::from_mins(1),
        longest_asked: Duration::from_mins(5),
    };

    #[test]
    fn waits_double_up_to_the_longest_and_are_spread() {
        let millis = |tries, chance| BACKOFF.wait(tries, None, chance).as_millis();
        assert_eq!([millis(1, 1.0), millis(2, 1.0), millis(3, 1.0)], [1_000, 2_000, 4_000]);
        assert_eq!([millis(1, 0.0), millis(30, 1.0), millis(u32::MAX, 0.0)], [500, 60_000, 30_000]);
    }

    #[test]
    fn one_that_says_how_long_is_believed_within_reason() {
        assert_eq!(BACKOFF.wait(1, Some(Duration::from_secs(7)), 0.0), Duration::from_secs(7));
        assert_eq!(BACKOFF.wait(1, Some(Duration::from_hours(9)), 0.0), Duration::from_mins(5));
    }
}
