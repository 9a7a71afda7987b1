//! A session that one thread at a time may have; others wait for it, up to a time.

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

/// The session while one thread has it; none where it has to be opened. It goes back when this is dropped.
pub(super) struct TurnGuard<'a> {
    turn: &'a Turn,
    pub session: Option<Session>,
}

impl Turn {
    pub(super) fn new(session: Session) -> Self {
        let state = State { is_taken: false, session: Some(session) };
        Self { state: Mutex::new(state), given_back: Condvar::new() }
    }

    /// Waits until nobody else has it; nothing when that takes longer than `patience`.
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
