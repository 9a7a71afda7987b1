//! The sessions of one address that read: as many as are needed at once up to a number; who comes then waits.

use super::address::Address;
use super::session::Session;
use crate::StoreError;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Sessions kept while nobody reads.
const MOST_IDLE: usize = 4;

pub(super) struct Readers {
    address: Address,
    /// How many there may be at once, and how long who finds all of them in use waits.
    most: usize,
    patience: Duration,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    idle: Vec<Session>,
    lent: usize,
}

/// A session that is lent; it goes back when this is dropped.
pub(super) struct PooledSession<'a> {
    readers: &'a Readers,
    session: Option<Session>,
}

impl Readers {
    pub(super) fn new(address: Address, most: usize, patience: Duration) -> Self {
        Self { address, most, patience, state: Mutex::default(), given_back: Condvar::new() }
    }

    pub(super) fn lend(&self) -> Result<PooledSession<'_>, StoreError> {
        let is_full = |state: &mut State| state.idle.is_empty() && state.lent >= self.most;
        let waited = self.given_back.wait_timeout_while(self.state(), self.patience, is_full);
        let (mut state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(StoreError::NoConnection {
                connections: self.most,
                seconds: self.patience.as_secs(),
            });
        }
        state.lent += 1;
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
        state.lent -= 1;
        if state.idle.len() < MOST_IDLE {
            state.idle.extend(session);
        }
        drop(state);
        self.readers.given_back.notify_one();
    }
}
