//! Backups of this instance: scheduled, on request, and before a restore.
//!
//! The schedule is stored in the database, the backups in a folder. A service that was down at the scheduled time takes the backup when it starts.

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

/// The backup state that routes use.
pub struct BackupState {
    pub service: BackupService,
    pub schedule: BackupSchedule,
    /// Notified when the service must stop and restart to restore a backup.
    pub restart: Arc<Notify>,
}
