//! A session for exclusive use by one thread at a time; others wait, up to a timeout.

use super::session::Session;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub(super) struct ExclusiveSession {
    state: Mutex<State>,
    released: Condvar,
}

#[derive(Default)]
struct State {
    is_taken: bool,
    session: Option<Session>,
}

/// Exclusive use of the session; `session` is `None` if it must be opened. Given back on drop.
pub(super) struct ExclusiveSessionGuard<'a> {
    owner: &'a ExclusiveSession,
    pub session: Option<Session>,
}

impl ExclusiveSession {
    pub(super) fn new(session: Session) -> Self {
        let state = State { is_taken: false, session: Some(session) };
        Self { state: Mutex::new(state), released: Condvar::new() }
    }

    /// Waits until nobody else uses the session; `None` if that takes longer than `patience`.
    pub(super) fn acquire(&self, patience: Duration) -> Option<ExclusiveSessionGuard<'_>> {
        let waited = self.released.wait_timeout_while(self.state(), patience, |state| state.is_taken);
        let (mut state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return None;
        }
        state.is_taken = true;
        Some(ExclusiveSessionGuard { owner: self, session: state.session.take() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ExclusiveSessionGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.owner.state();
        state.is_taken = false;
        state.session = self.session.take();
        drop(state);
        self.owner.released.notify_one();
    }
}
