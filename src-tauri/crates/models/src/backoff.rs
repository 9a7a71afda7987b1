//! How long to wait before trying again.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_mins(1);
/// What a registry that asks for more patience gets at most.
const LONGEST_ASKED: Duration = Duration::from_mins(5);

/// The wait before try `tries` (from 1): twice as long each time, at most a minute, and of that between half and all, by `chance` (0 to 1), so that many machines
/// which lost the same registry do not come back together. Where the registry said how long, that, at most five minutes.
pub fn wait(tries: u32, asked: Option<Duration>, chance: f64) -> Duration {
    if let Some(asked) = asked {
        return asked.min(LONGEST_ASKED);
    }
    let whole = FIRST.saturating_mul(1 << tries.saturating_sub(1).min(10)).min(LONGEST);
    whole.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_minute_and_are_spread() {
        let millis = |tries, chance| wait(tries, None, chance).as_millis();
        assert_eq!([millis(1, 1.0), millis(2, 1.0), millis(3, 1.0)], [1_000, 2_000, 4_000]);
        assert_eq!([millis(1, 0.0), millis(30, 1.0), millis(30, 0.0)], [500, 60_000, 30_000]);
    }

    #[test]
    fn a_registry_that_says_how_long_is_believed_within_reason() {
        assert_eq!(wait(1, Some(Duration::from_secs(7)), 0.0), Duration::from_secs(7));
        assert_eq!(wait(1, Some(Duration::from_hours(9)), 0.0), Duration::from_mins(5));
    }
}
