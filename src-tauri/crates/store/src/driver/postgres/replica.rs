//! A replica (streaming replication) and its lag behind the primary.
//!
//! The lag is determined by positions in the write-ahead log: everything the primary had written when it was queried at some time is on
//! the replica once it has replayed that position. All times are of this machine's clock; the servers' clocks are not used.

use super::connections::text_of;
use super::readers::{PooledSession, Readers};
use crate::StoreError;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a query of both servers is valid.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// Maximum number of remembered positions that the replica has not reached yet.
const MOST_LOOKS: usize = 1_024;

/// The end of the primary's log, including all ended transactions.
const WRITTEN: &str = "SELECT pg_current_wal_insert_lsn()::text";
/// The log position that a replica has replayed; empty if the server is not a replica.
const REPLAYED: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text ELSE '' END";

pub(super) struct Replica {
    readers: Readers,
    progress: Mutex<Progress>,
    /// When this process last ended a writing transaction, µs since 1970 UTC.
    written: AtomicI64,
    is_usable: AtomicBool,
}

#[derive(Default)]
struct Progress {
    looked: Option<Instant>,
    /// Times at which the primary was queried, with its position; oldest first.
    looks: VecDeque<(i64, u64)>,
    /// The latest of these times whose position the replica has replayed.
    as_of: Option<i64>,
}

impl Replica {
    pub(super) fn new(readers: Readers) -> Self {
        Self {
            readers,
            progress: Mutex::default(),
            written: AtomicI64::new(i64::MIN),
            is_usable: AtomicBool::new(true),
        }
    }

    pub(super) fn acquire(&self) -> Result<PooledSession<'_>, StoreError> {
        self.readers.acquire()
    }

    /// Records that this process has ended a writing transaction.
    pub(super) fn has_written(&self) {
        self.written.fetch_max(crate::system_time(), Ordering::Relaxed);
    }

    /// A time up to which the replica has all data, at most `most_age` ago and after the last write of this process. `first` borrows a
    /// session of the primary.
    pub(super) fn as_of<'a>(
        &self,
        most_age: Duration,
        first: impl FnOnce() -> Result<PooledSession<'a>, StoreError>,
    ) -> Option<i64> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.looked.is_none_or(|looked| looked.elapsed() >= LOOK_AGAIN) {
            progress.looked = Some(Instant::now());
            let looked = self.look(first);
            self.say(looked.as_ref().err());
            match looked {
                Ok(look) => progress.note(look),
                Err(_) => *progress = Progress { looked: progress.looked, ..Progress::default() },
            }
        }
        let most_age = i64::try_from(most_age.as_micros()).unwrap_or(i64::MAX);
        let oldest = crate::system_time().saturating_sub(most_age);
        let written = self.written.load(Ordering::Relaxed);
        progress.as_of.filter(|as_of| *as_of >= oldest && *as_of > written)
    }

    /// The current time, the end of the primary's log, and the position the replica has replayed.
    pub(super) fn look<'a>(
        &self,
        first: impl FnOnce() -> Result<PooledSession<'a>, StoreError>,
    ) -> Result<(i64, u64, u64), StoreError> {
        let now = crate::system_time();
        let written = position(&text_of(first()?.session()?, WRITTEN)?)?;
        let replayed = text_of(self.acquire()?.session()?, REPLAYED)?;
        if replayed.is_empty() {
            return Err(StoreError::Unreachable(
                "the server at the address of the replica follows no other server".into(),
            ));
        }
        Ok((now, written, position(&replayed)?))
    }

    /// Logs once when the replica becomes unreadable, and once when it can be read again.
    fn say(&self, error: Option<&StoreError>) {
        let was_usable = self.is_usable.swap(error.is_none(), Ordering::Relaxed);
        match error {
            Some(error) if was_usable => {
                tracing::warn!("the replica is not read, all is read from the first server: {error}");
            }
            None if !was_usable => tracing::info!("the replica is read again"),
            _ => {}
        }
    }
}

impl Progress {
    fn note(&mut self, (now, written, replayed): (i64, u64, u64)) {
        self.looks.push_back((now, written));
        while let Some((time, _)) = self.looks.front().filter(|(_, position)| *position <= replayed) {
            self.as_of = Some(*time);
            self.looks.pop_front();
        }
        if self.looks.len() > MOST_LOOKS {
            self.looks.pop_front();
        }
    }
}

/// Parses a log position in PostgreSQL's notation, `16/B374D848`, as a 64-bit number.
fn position(text: &str) -> Result<u64, StoreError> {
    let read = |text: &str| {
        let (high, low) = text.split_once('/')?;
        Some((u64::from_str_radix(high, 16).ok()? << 32) | u64::from_str_radix(low, 16).ok()?)
    };
    read(text).ok_or_else(|| {
        StoreError::Unreachable(format!("expected a position of the log, got {text:?}").into())
    })
}

#[cfg(test)]
mod tests {
    use super::{Progress, position};

    #[test]
    fn the_replica_has_what_was_written_at_the_last_time_it_has_passed() {
        let mut progress = Progress::default();
        progress.note((1, 100, 90));
        assert_eq!(progress.as_of, None);
        progress.note((2, 150, 120));
        assert_eq!(progress.as_of, Some(1), "position 100 is replayed, 150 is not");
        progress.note((3, 150, 150));
        assert_eq!((progress.as_of, progress.looks.len()), (Some(3), 0));
        progress.note((4, 200, 180));
        assert_eq!(progress.as_of, Some(3));
    }

    #[test]
    fn positions_are_numbers() {
        assert_eq!(position("16/B374D848").unwrap(), 0x16_B374_D848);
        assert!(position("").is_err());
    }
}
