//! Imports of uploaded files, one delivery after another, on a thread of their own.
//!
//! A file lies in the spool from the moment it is complete until its import has ended, however that ends; the spool
//! says what is still to do after the service was killed. While an import runs it holds the database for writing: its
//! progress is therefore kept in memory, and rows of imports are written by this thread only. Where several servers share a database, what waits stands there
//! ([`shared_queue`]) and the spool is empty.

mod batches;
mod decide;
pub mod findings;
pub mod mapping;
pub mod operations;
mod progress;
pub mod questions;
mod queue;
mod receipts;
mod rows;
pub mod sample;
mod shared_queue;
mod spool;
pub mod watched_folders;

pub use batches::BatchKey;
pub use decide::{DecideError, Reach, decide, same_question};
pub use progress::Progress;
pub use queue::{CancelOutcome, Jobs, PendingImport};
pub use receipts::prune;
pub use rows::{Import, find};
pub use shared_queue::SharedQueue;
pub use spool::{Batch, Incoming, Spool, Upload};

use ingest::Archive;
use std::sync::Arc;

/// Imports, as routes see them.
pub struct ImportState {
    pub queue: Jobs,
    /// Bytes of imported files.
    pub archive: Arc<Archive>,
    /// By which share a replacement may lower a period without a question.
    pub most_lower: f64,
    /// The way to buckets whose files are imported.
    pub buckets: watched_folders::bucket::BucketDesk,
}
