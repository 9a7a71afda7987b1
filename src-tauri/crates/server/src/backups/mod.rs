//! Backups of this instance: taken when they are due, on request, and before a restore.
//!
//! When the next is due stands in the database, what was taken in the folder of backups: a service that was down at the hour takes it when it starts.

pub mod offline_restore;
mod passphrase;
mod post_restore;
pub mod postgres_restore;
mod schedule;
mod service;

pub use passphrase::ClosedBy;
pub use post_restore::PostRestoreState;
pub use schedule::BackupSchedule;
pub use service::{BackupService, BackupsError, Plan, StagedRestore};

use std::sync::Arc;
use tokio::sync::Notify;

/// Backups, as routes see them.
pub struct BackupState {
    pub service: BackupService,
    pub schedule: BackupSchedule,
    /// Told when the service is to stop and start again, to put a backup in place.
    pub restart: Arc<Notify>,
}
