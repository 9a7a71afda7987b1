//! How much one request may take: rows, bytes, time; and how a statement that runs is stopped.

use crate::StoreError;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What one request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Rows of all lists of the answer together.
    pub rows: u64,
    /// Length of the answer.
    pub bytes: usize,
    /// All its statements together, from when the first one begins.
    pub time: Duration,
    /// How often its fields may go through all rows of the tables they are about, by estimate.
    pub passes: u64,
    /// Rows its conditions and orders may look through in related tables, by estimate, beside a walk or two through each.
    pub related_rows: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            rows: 100_000,
            bytes: 128 * 1024 * 1024,
            time: Duration::from_secs(30),
            passes: 20,
            related_rows: 100_000,
        }
    }
}

/// Stops the statements of one request from another thread. Clones stop the same request.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When the statements that run on one connection have to stop. The connection asks now and then.
#[derive(Debug, Default)]
pub(crate) struct Alarm(Mutex<Option<(Instant, Cancel)>>);

impl Alarm {
    /// Sets the alarm until what it answers is dropped.
    pub(crate) fn set(&self, time: Duration, cancel: &Cancel) -> AlarmGuard<'_> {
        // A time beyond what the clock can tell is no limit.
        *self.lock() = Instant::now().checked_add(time).map(|until| (until, cancel.clone()));
        AlarmGuard(self)
    }

    /// Whether it is time to stop.
    pub(crate) fn rings(&self) -> bool {
        self.lock().as_ref().is_some_and(|(until, cancel)| cancel.is_cancelled() || Instant::now() >= *until)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Cancel)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An alarm that is set.
pub(crate) struct AlarmGuard<'a>(&'a Alarm);

impl Drop for AlarmGuard<'_> {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

/// Counts what an answer has taken so far.
pub(crate) struct Meter {
    rows: Cell<u64>,
    bounds: Bounds,
}

impl Meter {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { rows: Cell::new(0), bounds }
    }

    /// Counts one more row of a list; the answer is `bytes` long by now.
    pub(crate) fn row(&self, bytes: usize) -> Result<(), StoreError> {
        let rows = self.rows.get() + 1;
        self.rows.set(rows);
        if rows > self.bounds.rows {
            return Err(StoreError::TooManyRows { limit: self.bounds.rows });
        }
        self.length(bytes)
    }

    /// The same of many rows that are written later.
    pub(crate) fn rows(&self, rows: usize) -> Result<(), StoreError> {
        let rows = self.rows.get() + rows as u64;
        self.rows.set(rows);
        if rows > self.bounds.rows {
            return Err(StoreError::TooManyRows { limit: self.bounds.rows });
        }
        Ok(())
    }

    /// Checks the length of the answer.
    pub(crate) fn length(&self, bytes: usize) -> Result<(), StoreError> {
        if bytes > self.bounds.bytes {
            return Err(StoreError::TooManyBytes { limit: self.bounds.bytes });
        }
        Ok(())
    }

    /// Why a statement was stopped.
    pub(crate) fn stopped(&self, error: StoreError, cancel: &Cancel) -> StoreError {
        match error {
            StoreError::Interrupted if !cancel.is_cancelled() => {
                let milliseconds = u64::try_from(self.bounds.time.as_millis()).unwrap_or(u64::MAX);
                StoreError::TooLong { milliseconds }
            }
            error => error,
        }
    }
}
