//! The thread that takes scheduled backups.

use super::BackupService;
use crate::clock;
use crate::error::chain;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest time between two checks whether a backup is due: clocks are changed and machines sleep.
const LONGEST_NAP: Duration = Duration::from_hours(1);

/// The thread that takes scheduled backups.
pub struct BackupSchedule {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    stops: bool,
    /// The schedule was changed.
    looks_again: bool,
}

impl BackupSchedule {
    pub fn start(depot: BackupService) -> Self {
        let shared = Arc::<Shared>::default();
        let thread = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || watch(&depot, &shared)
        });
        Self { shared, thread: Mutex::new(Some(thread)) }
    }

    /// Makes the thread read the schedule again.
    pub fn look_again(&self) {
        self.shared.lock().looks_again = true;
        self.shared.changed.notify_all();
    }

    /// Stops the thread. A backup in progress is finished first. Blocks.
    pub fn stop(&self) {
        self.shared.lock().stops = true;
        self.shared.changed.notify_all();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that takes backups ended in a panic");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the time `until` (µs since 1970 UTC) or a change. Returns whether to continue.
    fn nap(&self, until: Option<i64>) -> bool {
        let awake = |state: &mut State| !state.stops && !state.looks_again;
        let state = self.lock();
        let mut state = match until {
            // No backup is scheduled: only a change ends the wait.
            None => self.changed.wait_while(state, awake).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let micros = u64::try_from(until - clock::now()).unwrap_or_default();
                let nap = Duration::from_micros(micros).min(LONGEST_NAP);
                self.changed.wait_timeout_while(state, nap, awake).unwrap_or_else(PoisonError::into_inner).0
            }
        };
        state.looks_again = false;
        !state.stops
    }
}

fn watch(depot: &BackupService, shared: &Shared) {
    loop {
        let now = clock::now();
        let next = depot.round(now).unwrap_or_else(|error| {
            tracing::error!("no backup was taken: {}", chain(&error));
            Some(now + 3_600_000_000)
        });
        if !shared.nap(next) {
            return;
        }
    }
}
