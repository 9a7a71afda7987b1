//! A session for exclusive use by one thread at a time; others wait, up to a timeout.

use super::session::Session;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub(super) struct Turn {
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    is_taken: bool,
    session: Option<Session>,
}

/// Exclusive use of the session; `session` is `None` if it must be opened. Given back on drop.
pub(super) struct TurnGuard<'a> {
    turn: &'a Turn,
    pub session: Option<Session>,
}

impl Turn {
    pub(super) fn new(session: Session) -> Self {
        let state = State { is_taken: false, session: Some(session) };
        Self { state: Mutex::new(state), given_back: Condvar::new() }
    }

    /// Waits until nobody else uses the session; `None` if that takes longer than `patience`.
    pub(super) fn take(&self, patience: Duration) -> Option<TurnGuard<'_>> {
        let waited = self.given_back.wait_timeout_while(self.state(), patience, |state| state.is_taken);
        let (mut state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return None;
        }
        state.is_taken = true;
        Some(TurnGuard { turn: self, session: state.session.take() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.turn.state();
        state.is_taken = false;
        state.session = self.session.take();
        drop(state);
        self.turn.given_back.notify_one();
    }
}
