//! Processor time of a thread: unlike wall-clock time, it does not depend on the load of the machine.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Maximum processor time for one hostile response. Without optimisation, our own code takes several times as long.
pub const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 100 });

/// Processor time of this thread.
pub fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Processor time of this thread since `before`.
pub fn since(before: Duration) -> Duration {
    of_this_thread().saturating_sub(before)
}
