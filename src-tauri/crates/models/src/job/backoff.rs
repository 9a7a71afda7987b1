//! Delay before a registry is contacted again.

use outgoing::Backoff;
use std::time::Duration;

const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_mins(1),
    longest_asked: Duration::from_mins(5),
};

/// The delay before attempt `tries` (from 1), randomised by `chance` (0 to 1); if the registry asked for a delay, that one.
pub fn wait(tries: u32, asked: Option<Duration>, chance: f64) -> Duration {
    BACKOFF.wait(tries, asked, chance)
}
