//! Growing delays after failed sign-ins.
//!
//! Stored in the database: several servers count together, and a restart forgets nothing.
//!
//! A password failure is counted by name and network address together, and by address alone: guessing a user's password from elsewhere does not
//! lock that user out. A secret of 256 bits cannot be guessed: failures are counted by address only, and the right secret is always accepted.

use crate::secret::fingerprint;
use crate::{SECOND, SignInError};
use catalogue::{Caller, ValueRef};
use model::{Read as _, SignInAttempt};
use std::net::IpAddr;
use store::{Store, StoreError, Transaction, eq, lt};

/// Failures without a delay, by name and address.
const FREE_BY_NAME: i64 = 4;
/// Failures without a delay, by address. Many people may share an address.
const FREE_BY_ADDRESS: i64 = 30;
/// The longest delay: fifteen minutes, in µs.
const LONGEST: i64 = 900 * SECOND;
/// Failures are forgotten after a day without another, in µs.
const FORGOTTEN: i64 = 86_400 * SECOND;

/// A sign-in attempt, with the keys its failures are counted by.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Fingerprints, each with its number of failures without a delay.
    keys: Vec<(String, i64)>,
    /// The key a success resets.
    forgiven: Option<String>,
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub enum AttemptError {
    #[error(transparent)]
    SlowDown(#[from] SlowDown),
    #[error(transparent)]
    SignIn(#[from] SignInError),
}

impl From<StoreError> for AttemptError {
    fn from(error: StoreError) -> Self {
        Self::SignIn(error.into())
    }
}

/// Too many failures: try again after this time, in µs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Too many failed attempts; try again in {} s", .wait.div_euclid(SECOND) + 1)]
pub struct SlowDown {
    pub wait: i64,
}

impl SlowDown {
    /// The time to wait in whole seconds, rounded up.
    pub fn seconds(self) -> i64 {
        self.wait.div_euclid(SECOND) + 1
    }
}

impl Attempt {
    /// An attempt of a kind of sign-in with a guessable secret, by that name from that network address. `address` is `None` if it does not
    /// distinguish users.
    pub fn new(kind: &str, name: &str, address: Option<&str>) -> Self {
        let address = address.map(network);
        let name = name.trim().to_lowercase();
        let both = fingerprint(&format!("{kind}\nname\n{name}\n{}", address.as_deref().unwrap_or_default()));
        let mut keys = vec![(both.clone(), FREE_BY_NAME)];
        keys.extend(address.map(|address| by_address(kind, &address)));
        Self { keys, forgiven: Some(both) }
    }

    /// An attempt of a kind of sign-in with a random secret that cannot be guessed, from that network address. `address` is `None` if it does not
    /// distinguish users.
    pub fn with_secret(kind: &str, address: Option<&str>) -> Self {
        Self {
            keys: address.map(|address| by_address(kind, &network(address))).into_iter().collect(),
            forgiven: None,
        }
    }

    /// Runs `check` for a guessable secret unless a delay is active, and counts a failure. Blocks the thread.
    pub fn guess<T>(
        &self,
        store: &Store,
        now: i64,
        check: impl FnOnce() -> Result<T, SignInError>,
    ) -> Result<T, AttemptError> {
        self.check(store, now)??;
        let found = check();
        match &found {
            Ok(_) => self.succeeded(store)?,
            Err(SignInError::WrongCredentials) => self.failed(store, now)?,
            Err(_) => {}
        }
        Ok(found?)
    }

    /// Runs `check` for a secret that cannot be guessed: the right one is accepted despite earlier failures. Wrong ones are counted, and refused
    /// while a delay is active. Blocks the thread.
    pub fn prove<T>(
        &self,
        store: &Store,
        now: i64,
        check: impl FnOnce() -> Result<T, SignInError>,
    ) -> Result<T, AttemptError> {
        let found = check();
        if let Err(SignInError::WrongCredentials) = &found {
            self.check(store, now)??;
            self.failed(store, now)?;
        }
        Ok(found?)
    }

    /// Refuses the attempt while a delay is active.
    pub fn check(&self, store: &Store, now: i64) -> Result<Result<(), SlowDown>, StoreError> {
        let wait = store.snapshot(&Caller::system(), |rows| {
            let mut wait = 0;
            for (key, _) in &self.keys {
                if let Some(known) = state(rows, key)? {
                    wait = wait.max(known.blocked_until.micros() - now);
                }
            }
            Ok::<_, StoreError>(wait)
        })?;
        Ok(if wait > 0 { Err(SlowDown { wait }) } else { Ok(()) })
    }

    /// Counts a failure; each one doubles the delay.
    pub fn failed(&self, store: &Store, now: i64) -> Result<(), StoreError> {
        store.transaction(&Caller::system(), |rows| {
            rows.delete("sign_in_attempts", &[lt("last_failed_at", ValueRef::Timestamp(now - FORGOTTEN))])?;
            for (key, free) in &self.keys {
                let failures = state(rows, key)?.map_or(0, |known| known.failures) + 1;
                let until = now + delay(failures - free);
                rows.upsert(
                    "sign_in_attempts",
                    &["key"],
                    &[
                        ("key", key.as_str().into()),
                        ("failures", ValueRef::Int(failures)),
                        ("last_failed_at", ValueRef::Timestamp(now)),
                        ("blocked_until", ValueRef::Timestamp(until)),
                    ],
                    &[],
                )?;
            }
            Ok(())
        })
    }

    /// Resets the failures of the name from this address. Those of the address alone stay: otherwise one valid account could reset the count for
    /// all guesses.
    pub fn succeeded(&self, store: &Store) -> Result<(), StoreError> {
        let Some(key) = &self.forgiven else { return Ok(()) };
        if store.snapshot(&Caller::system(), |rows| state(rows, key))?.is_none() {
            return Ok(());
        }
        store.transaction(&Caller::system(), |rows| {
            rows.delete("sign_in_attempts", &[eq("key", key)])?;
            Ok(())
        })
    }
}

fn by_address(kind: &str, address: &str) -> (String, i64) {
    (fingerprint(&format!("{kind}\naddress\n{address}")), FREE_BY_ADDRESS)
}

/// The network of one subscriber: an IPv4 address, or the upper 64 bits of an IPv6 address.
fn network(address: &str) -> String {
    match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => address.to_owned(),
    }
}

/// One second, in µs, for the first failure beyond the free ones, then twice as long each time.
fn delay(counted: i64) -> i64 {
    match counted {
        ..=0 => 0,
        1..=20 => (SECOND << (counted - 1)).min(LONGEST),
        _ => LONGEST,
    }
}

/// The failures, and until when attempts are refused.
fn state(rows: &Transaction<'_>, key: &str) -> Result<Option<SignInAttempt>, StoreError> {
    rows.find(key)
}
