//! Restores a backup into a PostgreSQL database from the command line, while no service uses it.
//!
//! The backup is unpacked and checked as for SQLite. All rows are then copied in one transaction, in which they are compared.

use crate::backups::{BackupService, BackupsError, PostRestoreState};
use crate::data::catalogue_source;
use crate::data::directory::{DATABASE, DataDir};
use crate::data::open::OpenDataError;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use backup::{BackupError, BackupFile, Check, Folder, Passphrase, Reason, RestoreDestination};
use catalogue::{Caller, Catalogue};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::moving::{MoveError, TableComparison, TableListener, into_postgres, over_postgres};
use store::{OpenError, Store, StoreError};

/// Why a backup was not restored into PostgreSQL. The existing rows are unchanged.
#[derive(Debug, thiserror::Error)]
pub enum PostgresRestoreError {
    #[error(transparent)]
    OpenData(#[from] OpenDataError),
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Move(Box<MoveError>),
    #[error(
        "the database {place} holds rows already; nothing was changed. Name a new database, or give --replace to put the backup in place of them: they \
         are backed up first"
    )]
    HoldsRows { place: PathBuf },
    #[error("what is in the database could not be backed up, so it was not replaced")]
    NotBackedUp(#[source] BackupsError),
    #[error(
        "the backup {name} of what is in the database cannot be relied on ({why}), so it was not replaced"
    )]
    NotSound { name: String, why: String },
    #[error("all rows are in the database, and the files beside them are not in the data directory")]
    Files(#[source] BackupError),
}

impl From<MoveError> for PostgresRestoreError {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::HoldsOther { place, .. } => Self::HoldsRows { place },
            error => Self::Move(Box::new(error)),
        }
    }
}

/// A completed restore into PostgreSQL.
#[derive(Debug)]
pub struct PostgresRestore {
    /// The backup of the rows that were replaced.
    pub before: Option<BackupFile>,
    /// Whether API tokens that were revoked after the backup was taken stay revoked.
    pub knows_revoked: bool,
    /// The tables that have rows, compared after the copy.
    pub tables: Vec<TableComparison>,
    /// Files of the data directory that differ from those in the backup. They are left in place.
    pub left: Vec<PathBuf>,
}

/// Copies the rows of the backup in `file` into the database at `url`, and its files into the data directory. Existing rows are replaced if
/// `is_replacing`, otherwise they are an error. Neither may be in use. Blocks the thread.
pub fn put_into_postgres(
    settings: &Settings,
    url: &str,
    file: &Path,
    passphrase: Option<&Passphrase>,
    is_replacing: bool,
    heard: TableListener<'_>,
) -> Result<PostgresRestore, PostgresRestoreError> {
    let folder = Folder::of(&settings.data_dir, settings.backups.folder.clone());
    let data_dir = DataDir::create(&settings.data_dir).map_err(OpenDataError::from)?;
    let _lock = data_dir.lock().map_err(OpenDataError::from)?;
    let catalogue = catalogue_source::load(settings.schema.as_deref()).map_err(OpenDataError::from)?;
    let found = if is_replacing { RestoreTarget::look(settings, url, &data_dir, &catalogue)? } else { None };
    let (before, stands) = found.map(|found| (found.backup, found.stands)).unzip();
    let place = RestoreDestination {
        data_dir: data_dir.path(),
        database: DATABASE,
        folder: &folder,
        catalogue: &catalogue,
        before: before.as_ref(),
        expire_items: &|rows| PostRestoreState::settle(stands.as_ref(), rows),
    };
    let unpacked = backup::unpack(file, passphrase, place)?;
    let put = if is_replacing { over_postgres } else { into_postgres };
    let moved = put(&unpacked.store, url, heard)?;
    let left = unpacked.put_files(data_dir.path()).map_err(PostgresRestoreError::Files)?;
    data_dir.keep_private();
    Ok(PostgresRestore { before, knows_revoked: stands.is_some(), tables: moved.tables, left })
}

/// The data that a restore is about to replace.
struct RestoreTarget {
    backup: BackupFile,
    stands: PostRestoreState,
}

impl RestoreTarget {
    /// Backs up the existing rows. `None` if there are no rows, or only those of an interrupted move or restore.
    fn look(
        settings: &Settings,
        url: &str,
        data_dir: &DataDir,
        catalogue: &Arc<Catalogue>,
    ) -> Result<Option<Self>, PostgresRestoreError> {
        let store = match Store::open_postgres(url, Arc::clone(catalogue)) {
            Err(OpenError::Unfinished { .. }) => return Ok(None),
            opened => opened.map_err(OpenDataError::from)?,
        };
        let tenants = store.snapshot::<_, StoreError>(&Caller::system(), |rows| rows.count("tenant", &[]))?;
        if tenants == 0 {
            return Ok(None);
        }
        let keys = Arc::new(SecretKey::of(data_dir.path(), settings.is_desktop));
        let depot = BackupService::new(store.clone(), data_dir.path(), &settings.backups, keys);
        let backup = depot.take_unasked(Reason::BeforeRestore).map_err(PostgresRestoreError::NotBackedUp)?;
        // This backup is the only copy of the rows.
        if let Check::Failed { why } | Check::Unverified { why } = &backup.facts.check {
            return Err(PostgresRestoreError::NotSound { name: backup.name.clone(), why: why.clone() });
        }
        Ok(Some(Self { backup, stands: PostRestoreState::of(&store)? }))
    }
}
