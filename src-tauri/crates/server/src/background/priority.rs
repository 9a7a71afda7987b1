//! Lowers the priority of background work below that of requests.
//!
//! An import uses two cores. Measured without this: threads of the service ran for 172 ms and were ready to run for 1,281 ms more (`schedstat`),
//! and the p90 of reading one row was 15 ms, compared to 0.7 ms with it.

/// Increment of the nice value, out of 19: a tenth of the processor share of other threads.
#[cfg(target_os = "linux")]
const STEPS: i32 = 10;

/// Lowers the priority of the calling thread, and of threads it starts from now on. Has no effect where threads have no priority of their own.
#[cfg(target_os = "linux")]
pub fn give_way() {
    if let Err(error) = rustix::process::nice(STEPS) {
        tracing::debug!(%error, "work in the background does not give way");
    }
}

#[cfg(not(target_os = "linux"))]
pub fn give_way() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{STEPS, give_way};
    use rustix::process::getpriority_process;

    #[test]
    fn a_thread_that_gives_way_takes_along_those_it_starts_and_nobody_else() {
        let standing = || getpriority_process(None).unwrap();
        let before = standing();
        let (thread, started) = std::thread::spawn(move || {
            give_way();
            (standing(), std::thread::spawn(standing).join().unwrap())
        })
        .join()
        .unwrap();
        let expected = (before + STEPS).min(19);
        assert_eq!((thread, started), (expected, expected));
        assert_eq!(standing(), before);
    }
}
