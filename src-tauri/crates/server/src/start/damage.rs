//! Distinguishes a start that fails because the database is damaged from one that fails for other reasons.

use crate::backups::offline_restore::RecoveryOption;
use crate::data::open::OpenDataError;
use crate::error::chain;
use crate::settings::Settings;
use crate::start::StartError;
use store::OpenError;

/// Adds the newest intact backup to the error if the database is damaged and there is such a backup.
pub fn with_recovery_option(error: StartError, settings: &Settings) -> StartError {
    let is_damage = match &error {
        StartError::OpenData(OpenDataError::Open(OpenError::NotOurs { .. } | OpenError::Lost { .. })) => true,
        error => store::is_damage(error),
    };
    match is_damage.then(|| RecoveryOption::newest(settings)).flatten() {
        Some(way_out) => {
            let data_dir = settings.data_dir.display().to_string();
            StartError::Damaged { cause: chain(&error), way_out, data_dir }
        }
        None => error,
    }
}
