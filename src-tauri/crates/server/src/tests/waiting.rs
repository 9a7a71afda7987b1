//! Waiting for what the service does in the background.

use std::fmt::Debug;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Between two looks the service works instead of answering them.
const LOOK: Duration = Duration::from_millis(20);

/// A busy machine takes a while; a fault takes for ever.
const PATIENCE: Duration = Duration::from_mins(2);

/// What `look` sees, once it is as it should be.
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
