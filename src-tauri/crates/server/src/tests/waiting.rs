//! Waiting for results of background work.

use std::fmt::Debug;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Delay between two checks, so that the service can work.
const LOOK: Duration = Duration::from_millis(20);

/// Timeout. Generous, because a busy machine takes a while, and a fault never ends.
const PATIENCE: Duration = Duration::from_mins(2);

/// Calls `look` until the result satisfies `is_so`, and returns it.
pub async fn until<T: Debug>(what: &str, mut look: impl AsyncFnMut() -> T, is_so: impl Fn(&T) -> bool) -> T {
    let began = Instant::now();
    loop {
        let seen = look().await;
        if is_so(&seen) {
            return seen;
        }
        assert!(began.elapsed() < PATIENCE, "{what} was waited for in vain: {seen:?}");
        sleep(LOOK).await;
    }
}
