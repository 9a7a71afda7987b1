//! Work that nobody waits for at a screen comes after requests when both want the processor.
//!
//! An import keeps two cores busy. The slow reads beside one were measured to wait for their turn: threads of the service ran for 172 ms and
//! were ready to run for 1,281 ms more (`schedstat`), and p90 of a look at one row was 15 ms, or 0.7 ms with imports that give way.

/// Of the 19 steps a thread can stand back: a tenth of the share that others have.
#[cfg(target_os = "linux")]
const STEPS: i32 = 10;

/// The calling thread, and those it starts from now on, come after others. Where a thread has no standing of its own, nothing changes.
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
