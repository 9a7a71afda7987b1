//! Imports of uploaded files, one delivery after another, on a separate thread.
//!
//! A file is in the spool from the moment it is complete until its import has ended, whatever the outcome; after a crash, the spool therefore
//! contains the remaining work. A running import locks the database for writing: its progress is therefore held in memory, and only this thread
//! writes rows of imports. If several servers share a database, waiting files are stored there ([`shared_queue`]) and the spool is empty.

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
    /// Stored bytes of imported files.
    pub archive: Arc<Archive>,
    /// The share by which a replacement may lower a period without a question.
    pub most_lower: f64,
    /// Access to buckets whose files are imported.
    pub buckets: watched_folders::bucket::BucketDesk,
}
