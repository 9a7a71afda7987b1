//! Progress of an import, readable from other threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[derive(Debug, Default)]
pub struct Progress {
    bytes_read: AtomicU64,
    rows_read: AtomicU64,
    cancelled: AtomicBool,
}

impl Progress {
    pub fn tell(&self, bytes: u64, rows: u64) {
        self.bytes_read.store(bytes, Ordering::Relaxed);
        self.rows_read.store(rows, Ordering::Relaxed);
    }

    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    pub fn rows_read(&self) -> u64 {
        self.rows_read.load(Ordering::Relaxed)
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The cancellation flag, which `ingest` polls.
    pub fn cancelled(&self) -> &AtomicBool {
        &self.cancelled
    }
}
