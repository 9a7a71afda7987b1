//! Growing delays for whoever guesses: counted by name and by network address, in the database, so that several servers
//! count together and a restart forgets nothing.

use crate::SECOND;
use crate::secret::fingerprint;
use catalogue::{Caller, ValueRef};
use store::{Store, StoreError, Transaction, eq, lt};

/// Failures that cost nothing.
const FREE_BY_NAME: i64 = 4;
/// Many people may share an address.
const FREE_BY_ADDRESS: i64 = 30;
/// The longest delay: fifteen minutes.
const LONGEST: i64 = 900 * SECOND;
/// Failures are forgotten after a day without one.
const FORGOTTEN: i64 = 86_400 * SECOND;

/// What attempts are counted by.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Fingerprints, each with the failures it is free of.
    keys: Vec<(String, i64)>,
}

/// Too many failures: try again after this time, in µs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Too many failed attempts; try again in {} s", .wait.div_euclid(SECOND) + 1)]
pub struct SlowDown {
    pub wait: i64,
}

impl SlowDown {
    /// Whole seconds, rounded up.
    pub fn seconds(self) -> i64 {
        self.wait.div_euclid(SECOND) + 1
    }
}

impl Attempt {
    /// Of that kind of sign-in with that name, from that network address, where it tells people apart.
    pub fn new(kind: &str, name: &str, address: Option<&str>) -> Self {
        let mut keys =
            vec![(fingerprint(&format!("{kind}\nname\n{}", name.trim().to_lowercase())), FREE_BY_NAME)];
        keys.extend(
            address.map(|address| (fingerprint(&format!("{kind}\naddress\n{address}")), FREE_BY_ADDRESS)),
        );
        Self { keys }
    }

    /// Refuses the attempt unseen while a delay runs.
    pub fn check(&self, store: &Store, now: i64) -> Result<Result<(), SlowDown>, StoreError> {
        let wait = store.snapshot(&Caller::house(), |rows| {
            let mut wait = 0;
            for (key, _) in &self.keys {
                if let Some((_, _, until)) = state(rows, key)? {
                    wait = wait.max(until - now);
                }
            }
            Ok::<_, StoreError>(wait)
        })?;
        Ok(if wait > 0 { Err(SlowDown { wait }) } else { Ok(()) })
    }

    /// Counts a failure; every one doubles the delay.
    pub fn failed(&self, store: &Store, now: i64) -> Result<(), StoreError> {
        store.transaction(&Caller::house(), |rows| {
            rows.delete("sign_in_attempts", &[lt("last_failed_at", ValueRef::Timestamp(now - FORGOTTEN))])?;
            for (key, free) in &self.keys {
                let failures = state(rows, key)?.map_or(0, |(failures, ..)| failures) + 1;
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

    /// Forgets the failures of the name. The address keeps its own: one account would wash all others clean.
    pub fn succeeded(&self, store: &Store) -> Result<(), StoreError> {
        let Some((key, _)) = self.keys.first() else { return Ok(()) };
        if store.snapshot(&Caller::house(), |rows| state(rows, key))?.is_none() {
            return Ok(());
        }
        store.transaction(&Caller::house(), |rows| {
            rows.delete("sign_in_attempts", &[eq("key", key)])?;
            Ok(())
        })
    }
}

/// One second for the first failure that is not free, then twice as long each time.
fn delay(counted: i64) -> i64 {
    match counted {
        ..=0 => 0,
        1..=20 => (SECOND << (counted - 1)).min(LONGEST),
        _ => LONGEST,
    }
}

/// Failures, the last one, and until when attempts are refused.
fn state(rows: &Transaction<'_>, key: &str) -> Result<Option<(i64, i64, i64)>, StoreError> {
    let found =
        rows.select("sign_in_attempts", &["failures", "last_failed_at", "blocked_until"], &[eq("key", key)])?;
    Ok(found.first().and_then(|row| Some((row[0].as_int()?, row[1].as_int()?, row[2].as_int()?))))
}
