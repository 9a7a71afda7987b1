//! Restores a backup while no service runs: from the command line, and in a window whose service did not start.

use crate::backups::{BackupService, PostRestoreState};
use crate::clock;
use crate::data::catalogue_source;
use crate::data::directory::{DATABASE, DataDir};
use crate::data::open::{OpenData, OpenDataError};
use crate::error::chain;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use backup::{BackupError, BackupFile, Folder, Passphrase, Reason, RestoreDestination};
use catalogue::format_timestamptz;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Why a backup was not restored. The previous data is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum OfflineRestoreError {
    #[error(transparent)]
    OpenData(#[from] OpenDataError),
    #[error(transparent)]
    Backup(#[from] BackupError),
}

/// A completed restore.
#[derive(Debug)]
pub struct OfflineRestore {
    /// The backup of the replaced data, or the reason why it could not be backed up. `None` if there was no data.
    pub before: Option<Result<BackupFile, String>>,
    /// The folder that the previous data was moved to.
    pub aside: Option<PathBuf>,
    /// Files that could not be moved to that folder. They remain in place and do no harm.
    pub left: Vec<PathBuf>,
    /// Whether API tokens that were revoked after the backup was taken stay revoked.
    pub knows_revoked: bool,
}

/// Restores the backup in `file` over the data directory, which must not be in use. The previous data is backed up first if it is readable, and is
/// moved aside in any case. Blocks the thread.
pub fn put_back(
    settings: &Settings,
    file: &Path,
    passphrase: Option<&Passphrase>,
) -> Result<OfflineRestore, OfflineRestoreError> {
    let folder = Folder::of(&settings.data_dir, settings.backups.folder.clone());
    let data_dir = DataDir::create(&settings.data_dir).map_err(OpenDataError::from)?;
    let lock = data_dir.lock().map_err(OpenDataError::from)?;
    let finish = || backup::finish(data_dir.path(), DATABASE, folder.path(), Duration::ZERO);
    // Finish an interrupted restore first: it may hold the only copy of the data it was replacing.
    finish()?;
    let found = data_dir.database().exists().then(|| RestoreTarget::look(settings));
    let stands = found.as_ref().and_then(|found| found.stands.as_ref());
    let catalogue = catalogue_source::load(settings.schema.as_deref()).map_err(OpenDataError::from)?;
    let place = RestoreDestination {
        data_dir: data_dir.path(),
        database: DATABASE,
        folder: &folder,
        catalogue: &catalogue,
        before: found.as_ref().and_then(|found| found.backup.as_ref().ok()),
        expire_items: &|rows| PostRestoreState::settle(stands, rows),
    };
    backup::stage(file, passphrase, place, clock::now())?;
    let replaced = finish()?;
    drop(lock);
    tracing::info!(at = clock::now(), "a backup was put back");
    let knows_revoked = found.is_none() || stands.is_some();
    let before = found.map(|found| found.backup);
    let (aside, left) = replaced.map(|replaced| (replaced.previous_files, replaced.left)).unzip();
    Ok(OfflineRestore { before, aside, left: left.unwrap_or_default(), knows_revoked })
}

/// The data that a restore is about to replace.
struct RestoreTarget {
    /// The backup of it, or the reason why there is none.
    backup: Result<BackupFile, String>,
    /// `None` if the database cannot be read.
    stands: Option<PostRestoreState>,
}

impl RestoreTarget {
    fn look(settings: &Settings) -> Self {
        let house = match OpenData::open(settings, None) {
            Ok(house) => house,
            Err(error) => return Self { backup: Err(chain(&error)), stands: None },
        };
        let keys = SecretKey::of(house.data_dir.path(), settings.is_desktop);
        let depot =
            BackupService::new(house.store.clone(), house.data_dir.path(), &settings.backups, Arc::new(keys));
        let backup = depot.take_unasked(Reason::BeforeRestore).map_err(|error| chain(&error));
        Self { backup, stands: PostRestoreState::of(&house.store).ok() }
    }
}

/// A backup offered to a user whose database cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryOption {
    /// The name of the backup.
    pub backup: String,
    /// The time of the backup: `2026-11-20, 02:00 UTC`.
    pub taken: String,
    /// Whether the backup is encrypted with a passphrase.
    pub closed: bool,
}

impl RecoveryOption {
    /// The newest intact backup, unencrypted if there is one.
    pub fn newest(settings: &Settings) -> Option<Self> {
        let folder = Folder::of(&settings.data_dir, settings.backups.folder.clone());
        let mut kept = folder.list().unwrap_or_default();
        kept.retain(BackupFile::is_verified);
        kept.iter().find(|kept| !kept.closed).or(kept.first()).cloned().map(Self::of)
    }

    fn of(kept: BackupFile) -> Self {
        let text = format_timestamptz(kept.facts.taken_at);
        Self {
            taken: format!("{}, {} UTC", &text[..10], &text[11..16]),
            closed: kept.closed,
            backup: kept.name,
        }
    }
}

/// Restores that backup. If it turns out to be damaged, it is no longer the [newest](RecoveryOption::newest). Blocks the thread.
///
/// # Errors
/// A message for the user.
pub fn recover(settings: &Settings, way_out: &RecoveryOption) -> Result<OfflineRestore, String> {
    let folder = Folder::open(settings.backups.folder.clone()).map_err(|error| chain(&error))?;
    let file = folder.file(&way_out.backup).map_err(|error| chain(&error))?;
    put_back(settings, &file, None).map_err(|error| chain(&error))
}
