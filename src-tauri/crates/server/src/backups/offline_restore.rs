//! A backup put back while no service runs: from the command line, and in a window whose service did not start.

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

/// Why a backup was not put back. What was there before is still there.
#[derive(Debug, thiserror::Error)]
pub enum OfflineRestoreError {
    #[error(transparent)]
    OpenData(#[from] OpenDataError),
    #[error(transparent)]
    Backup(#[from] BackupError),
}

/// A backup that was put back.
#[derive(Debug)]
pub struct OfflineRestore {
    /// The backup that was taken of what was there; in words why there is none. Nothing where nothing was there.
    pub before: Option<Result<BackupFile, String>>,
    /// Where everything is that was there before.
    pub aside: Option<PathBuf>,
    /// What could not be moved there, is where it was, and is in nobody's way.
    pub left: Vec<PathBuf>,
    /// Whether API tokens that were revoked since it was taken stay revoked.
    pub knows_revoked: bool,
}

/// Puts the backup in `file` in place of what is in the data directory, which nobody may use meanwhile. What was there is backed up first, if it can
/// be read at all, and kept aside in any case. Blocks the thread.
pub fn put_back(
    settings: &Settings,
    file: &Path,
    passphrase: Option<&Passphrase>,
) -> Result<OfflineRestore, OfflineRestoreError> {
    let folder = Folder::of(&settings.data_dir, settings.backups.folder.clone());
    let data_dir = DataDir::create(&settings.data_dir).map_err(OpenDataError::from)?;
    let lock = data_dir.lock().map_err(OpenDataError::from)?;
    let finish = || backup::finish(data_dir.path(), DATABASE, folder.path(), Duration::ZERO);
    // One that was cut off comes first: it may hold the only copy of what was there before it.
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

/// What a restore is about to replace.
struct RestoreTarget {
    /// The backup that was taken of it; in words why not.
    backup: Result<BackupFile, String>,
    /// Nothing where it cannot be read.
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

/// A way out for who stands before a database that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryOption {
    /// Its name.
    pub backup: String,
    /// When it was taken: `2026-11-20, 02:00 UTC`.
    pub taken: String,
    /// Whether a passphrase closes it.
    pub closed: bool,
}

impl RecoveryOption {
    /// The newest sound backup; one that needs no passphrase, where there is one.
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

/// Puts that backup back; one that turns out damaged is not the [newest](WayOut::newest) any more. Blocks the thread.
///
/// # Errors
/// In words, for the person in front of it.
pub fn recover(settings: &Settings, way_out: &RecoveryOption) -> Result<OfflineRestore, String> {
    let folder = Folder::open(settings.backups.folder.clone()).map_err(|error| chain(&error))?;
    let file = folder.file(&way_out.backup).map_err(|error| chain(&error))?;
    put_back(settings, &file, None).map_err(|error| chain(&error))
}
