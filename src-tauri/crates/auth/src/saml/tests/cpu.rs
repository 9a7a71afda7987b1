//! Processor time of a thread: unlike a clock on the wall, the same on a busy machine.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// What looking at one hostile answer may take. Without optimisation everything of ours takes several times as long.
pub const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 100 });

/// What this thread has taken so far.
pub fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// What this thread has taken since then.
pub fn since(before: Duration) -> Duration {
    of_this_thread().saturating_sub(before)
}
