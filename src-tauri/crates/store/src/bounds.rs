//! Limits for one request (rows, bytes, time), and how a running statement is stopped.

use crate::StoreError;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Limits for one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum number of rows in all lists of the response together.
    pub rows: u64,
    /// Maximum length of the response in bytes.
    pub bytes: usize,
    /// Maximum time of all its statements together, from the start of the first.
    pub time: Duration,
    /// How often its fields may scan all rows of their tables, by estimate.
    pub passes: u64,
    /// Maximum rows that conditions and orders may read in related tables, by estimate, in addition to one or two scans of each table.
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

/// The deadline of the statements that run on one connection. The connection checks it periodically.
#[derive(Debug, Default)]
pub(crate) struct Deadline(Mutex<Option<(Instant, Cancel)>>);

impl Deadline {
    /// Sets the deadline; it is cleared when the guard is dropped.
    pub(crate) fn set(&self, time: Duration, cancel: &Cancel) -> DeadlineGuard<'_> {
        // A duration beyond the range of the clock means no limit.
        *self.lock() = Instant::now().checked_add(time).map(|until| (until, cancel.clone()));
        DeadlineGuard(self)
    }

    /// Whether the running statement must stop.
    pub(crate) fn must_stop(&self) -> bool {
        self.lock().as_ref().is_some_and(|(until, cancel)| cancel.is_cancelled() || Instant::now() >= *until)
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Cancel)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Clears the deadline of an [`Deadline`] on drop.
pub(crate) struct DeadlineGuard<'a>(&'a Deadline);

impl Drop for DeadlineGuard<'_> {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

/// Counts the rows and bytes of a response against the limits.
pub(crate) struct Meter {
    rows: Cell<u64>,
    bounds: Bounds,
}

impl Meter {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { rows: Cell::new(0), bounds }
    }

    /// Counts one more row of a list; `bytes` is the current length of the response.
    pub(crate) fn row(&self, bytes: usize) -> Result<(), StoreError> {
        let rows = self.rows.get() + 1;
        self.rows.set(rows);
        if rows > self.bounds.rows {
            return Err(StoreError::TooManyRows { limit: self.bounds.rows });
        }
        self.length(bytes)
    }

    /// Counts many rows that are written later.
    pub(crate) fn rows(&self, rows: usize) -> Result<(), StoreError> {
        let rows = self.rows.get() + rows as u64;
        self.rows.set(rows);
        if rows > self.bounds.rows {
            return Err(StoreError::TooManyRows { limit: self.bounds.rows });
        }
        Ok(())
    }

    /// Checks the length of the response.
    pub(crate) fn length(&self, bytes: usize) -> Result<(), StoreError> {
        if bytes > self.bounds.bytes {
            return Err(StoreError::TooManyBytes { limit: self.bounds.bytes });
        }
        Ok(())
    }

    /// Converts an interruption to the error that names its cause.
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
