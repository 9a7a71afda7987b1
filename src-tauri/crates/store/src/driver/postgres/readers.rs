//! A pool of read sessions to one server, limited in number; further callers wait.

use super::address::Address;
use super::session::Session;
use crate::StoreError;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of idle sessions kept open.
const MOST_IDLE: usize = 4;

pub(super) struct Readers {
    address: Address,
    /// Maximum number of sessions, and how long callers wait if all are in use.
    most: usize,
    patience: Duration,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Session>,
    in_use: usize,
}

/// A borrowed session; returned to the pool on drop.
pub(super) struct PooledSession<'a> {
    readers: &'a Readers,
    session: Option<Session>,
}

impl Readers {
    pub(super) fn new(address: Address, most: usize, patience: Duration) -> Self {
        Self { address, most, patience, state: Mutex::default(), given_back: Condvar::new() }
    }

    pub(super) fn acquire(&self) -> Result<PooledSession<'_>, StoreError> {
        let is_full = |state: &mut State| state.idle.is_empty() && state.in_use >= self.most;
        let waited = self.given_back.wait_timeout_while(self.state(), self.patience, is_full);
        let (mut state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(StoreError::NoConnection {
                connections: self.most,
                seconds: self.patience.as_secs(),
            });
        }
        state.in_use += 1;
        state.idle.retain(|session| !session.is_closed());
        let mut lent = PooledSession { readers: self, session: state.idle.pop() };
        drop(state);
        if lent.session.is_none() {
            lent.session = Some(Session::open(&self.address)?);
        }
        Ok(lent)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PooledSession<'_> {
    pub(super) fn session(&self) -> Result<&Session, StoreError> {
        let gone = || StoreError::Unreachable("the connection to PostgreSQL has ended".into());
        self.session.as_ref().ok_or_else(gone)
    }
}

impl Drop for PooledSession<'_> {
    fn drop(&mut self) {
        let is_sound = |session: &Session| !std::thread::panicking() && !session.is_closed();
        let session = self.session.take().filter(is_sound);
        let mut state = self.readers.state();
        state.in_use -= 1;
        if state.idle.len() < MOST_IDLE {
            state.idle.extend(session);
        }
        drop(state);
        self.readers.given_back.notify_one();
    }
}
