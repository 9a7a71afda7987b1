//! How long to wait before a registry is tried again.

use outgoing::Backoff;
use std::time::Duration;

const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_mins(1),
    longest_asked: Duration::from_mins(5),
};

/// The wait before try `tries` (from 1), by `chance` (0 to 1); where the registry said how long, that.
pub fn wait(tries: u32, asked: Option<Duration>, chance: f64) -> Duration {
    BACKOFF.wait(tries, asked, chance)
}
