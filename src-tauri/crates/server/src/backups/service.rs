//! Takes, stages and removes backups, and stores their schedule.

use super::PostRestoreState;
use crate::background::registry::{JobRegistry, Kind, Outcome};
use crate::clock;
use crate::data::directory::DATABASE;
use crate::error::chain;
use crate::secrets::secret_key::SecretKey;
use crate::settings;
use backup::replaced::{self, ReplacedData};
use backup::{
    BackupError, BackupFile, Every, Folder, Manifest, Passphrase, Reason, RestoreDestination, Schedule,
    Source,
};
use catalogue::{Caller, ValueRef, format_timestamptz};
use model::{Read, row};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Store, StoreError, Transaction, eq};

/// Name of the setting in the database.
const SAVED: &str = "BACKUP_SCHEDULE";
/// Name of the setting that exists in the database while the latest scheduled backup has failed.
const MISSED: &str = "BACKUP_MISSED";

row! { struct SettingValue from setting { value } }

/// Why the service cannot take or restore a backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupsError {
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "the passphrase file {path} cannot be read; set backup_passphrase_file to a file whose first line is the passphrase"
    )]
    PassphraseFile {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(
        "the setting backup_passphrase_file says what closes backups that are taken by themselves; change the file, or take the setting away first"
    )]
    ByFile,
    #[error("the passphrase cannot be kept: {why}")]
    NotSealed { why: String },
    #[error(
        "the passphrase that closes backups taken by themselves cannot be opened. {why} Give it again under Settings, Backup & restore, or switch \
         the encryption off there; until then no backup is taken by itself"
    )]
    Lost { why: String },
    #[error(
        "the rows are in PostgreSQL, where a backup is put back while no server runs: stop all of them and use `quarterdeck-server restore` (see the \
         guide, PostgreSQL)"
    )]
    InPostgres,
    #[error("the schedule that was saved cannot be read; save it again")]
    Schedule(#[source] serde_json::Error),
}

impl BackupsError {
    /// Whether a backup failed because the database is damaged.
    fn is_damage(&self) -> bool {
        match self {
            Self::Backup(error) => error.is_damage(),
            Self::Store(error) => error.is_damage(),
            _ => false,
        }
    }
}

/// The schedule, and who saved it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Plan {
    #[serde(flatten)]
    pub schedule: Schedule,
    /// µs since 1970 UTC; `None` if it was never saved.
    pub saved_at: Option<i64>,
    /// E-mail address.
    pub saved_by: Option<String>,
}

/// A scheduled backup that failed.
#[derive(Serialize, Deserialize)]
struct MissedBackup {
    /// µs since 1970 UTC.
    at: i64,
    why: String,
}

/// A restore that the next start completes.
#[derive(Debug)]
pub struct StagedRestore {
    pub manifest: Manifest,
    /// The backup of the data to be replaced, or the reason why there is none.
    pub before: Result<BackupFile, String>,
    /// Whether API tokens that were revoked after the backup was taken stay revoked.
    pub knows_revoked: bool,
}

/// Takes and stores the backups of this instance.
#[derive(Clone)]
pub struct BackupService {
    pub folder: Folder,
    pub store: Store,
    data_dir: PathBuf,
    pub(super) passphrase_file: Option<PathBuf>,
    pub(super) keys: Arc<SecretKey>,
    jobs: JobRegistry,
}

impl BackupService {
    /// `keys` must be those of the same data directory.
    pub fn new(store: Store, data_dir: &Path, settings: &settings::Backups, keys: Arc<SecretKey>) -> Self {
        Self {
            folder: Folder::of(data_dir, settings.folder.clone()),
            store,
            data_dir: data_dir.to_owned(),
            passphrase_file: settings.passphrase_file.clone(),
            keys,
            jobs: JobRegistry::default(),
        }
    }

    /// Reports its backups to the registry `jobs`.
    pub fn with_registry(self, jobs: &JobRegistry) -> Self {
        Self { jobs: jobs.clone(), ..self }
    }

    /// Takes a backup, encrypted if `passphrase` is given. Blocks the thread, for minutes with a large database.
    pub fn take(&self, reason: Reason, passphrase: Option<&Passphrase>) -> Result<BackupFile, BackupError> {
        let source = Source {
            store: &self.store,
            data_dir: &self.data_dir,
            database: DATABASE,
            version: env!("CARGO_PKG_VERSION"),
            redact: |rows| Ok(auth::forget_signing_secret(rows)?.into_iter().collect()),
        };
        let now = clock::now();
        let underway = self.jobs.begin(Kind::Backup, "", now);
        let taken = backup::take(source, &self.folder, reason, passphrase, now, &mut rand::rng());
        underway.came_to(if taken.is_ok() { Outcome::Done } else { Outcome::Failed });
        let kept = taken?;
        tracing::info!(name = kept.name, bytes = kept.bytes, "a backup was taken");
        Ok(kept)
    }

    /// Takes an automatic backup, encrypted with the passphrase of automatic backups.
    pub fn take_unasked(&self, reason: Reason) -> Result<BackupFile, BackupsError> {
        let passphrase = self.own_passphrase()?;
        Ok(self.take(reason, passphrase.as_ref())?)
    }

    /// Prepares a restore that the next start completes. The data to be replaced is backed up first. A damaged database is not backed up, but is
    /// kept aside as it is.
    pub fn stage(&self, file: &Path, passphrase: Option<&Passphrase>) -> Result<StagedRestore, BackupsError> {
        if self.store.is_shared() {
            return Err(BackupsError::InPostgres);
        }
        // A write of the upkeep after the backup would make the replaced database differ from its backup.
        let upkeep = self.store.pause_upkeep();
        let before = match self.take_unasked(Reason::BeforeRestore) {
            Err(error) if error.is_damage() => Err(chain(&error)),
            taken => Ok(taken?),
        };
        let knows_revoked = Cell::new(true);
        let settle = |rows: &Transaction<'_>| {
            // Read the state this late: tokens may be revoked while a large backup is unpacked.
            let stands = match PostRestoreState::of(&self.store) {
                Err(error) if error.is_damage() => None,
                stands => Some(stands?),
            };
            knows_revoked.set(stands.is_some());
            PostRestoreState::settle(stands.as_ref(), rows)
        };
        let place = RestoreDestination {
            data_dir: &self.data_dir,
            database: DATABASE,
            folder: &self.folder,
            catalogue: self.store.catalogue(),
            before: before.as_ref().ok(),
            expire_items: &settle,
        };
        let manifest = backup::stage(file, passphrase, place, clock::now())?;
        upkeep.stays();
        Ok(StagedRestore { manifest, before, knows_revoked: knows_revoked.get() })
    }

    /// The previous data that restores moved aside.
    pub fn aside(&self) -> Result<Vec<ReplacedData>, BackupError> {
        replaced::list(&self.data_dir, &self.folder)
    }

    /// Deletes previous data that a restore moved aside.
    pub fn forget_aside(&self, name: &str) -> Result<(), BackupError> {
        replaced::remove(&self.data_dir, name)?;
        tracing::info!(name, "what a restore put aside was removed");
        Ok(())
    }

    /// The schedule of automatic backups.
    pub fn schedule(&self) -> Result<Plan, BackupsError> {
        match self.setting(SAVED)? {
            None => Ok(Plan::default()),
            Some(text) => serde_json::from_str(&text).map_err(BackupsError::Schedule),
        }
    }

    /// Saves the schedule of automatic backups.
    pub fn save(&self, plan: &Plan) -> Result<(), BackupsError> {
        let text = serde_json::to_string(plan).map_err(BackupsError::Schedule)?;
        let row = [
            ("name", SAVED.into()),
            ("value", text.as_str().into()),
            ("updated_at", ValueRef::Timestamp(plan.saved_at.unwrap_or_default())),
        ];
        Ok(self.store.transaction(&Caller::system(), |rows| rows.upsert("setting", &["name"], &row, &[]))?)
    }

    /// Takes a backup if one is due, and removes expired ones. Returns the time of the next check, µs since 1970 UTC.
    pub(crate) fn round(&self, now: i64) -> Result<Option<i64>, BackupsError> {
        let Plan { schedule, saved_at, .. } = self.schedule()?;
        // Before backups are removed: data that was moved aside may only be removed while a backup contains it.
        for name in replaced::remove_expired(&self.data_dir, &self.folder, schedule.keep_days, now)? {
            tracing::info!(name, "what a restore put aside is no longer kept");
        }
        if schedule.every == Every::Never {
            return Ok(None);
        }
        self.take_due(&schedule, saved_at, now)?;
        Ok(schedule.next(now))
    }

    fn take_due(&self, schedule: &Schedule, saved_at: Option<i64>, now: i64) -> Result<(), BackupsError> {
        let taken = self
            .folder
            .list()?
            .into_iter()
            .filter(|kept| kept.facts.reason == Reason::Schedule)
            .map(|kept| kept.facts.taken_at);
        // A recorded failure counts as an attempt: it is reported, and the next attempt is at the next scheduled time.
        if !schedule.was_missed(taken.max().max(saved_at), now) {
            return Ok(());
        }
        let taken = self.take_unasked(Reason::Schedule);
        // Not every failure leaves a file in the folder.
        self.remember(
            taken.as_ref().err().map(|error| MissedBackup { at: now, why: chain(error) }).as_ref(),
            now,
        )?;
        taken?;
        for name in self.folder.remove_expired(schedule, now)? {
            tracing::info!(name, "a backup is no longer kept");
        }
        Ok(())
    }

    /// Problems with backups, as messages for administrators.
    pub fn troubles(&self) -> Result<Vec<String>, StoreError> {
        let missed = self.setting(MISSED)?.and_then(|text| serde_json::from_str::<MissedBackup>(&text).ok());
        let lost = self.lost_passphrase()?.map(|error| chain(&error));
        // Report the same cause once, with the time.
        let lost = lost.filter(|lost| missed.as_ref().is_none_or(|missed| missed.why != *lost));
        let missed = missed.map(|MissedBackup { at, why }| {
            let tried = format_timestamptz(at);
            format!(
                "The last backup by schedule was not taken, {}, {} UTC: {why}",
                &tried[..10],
                &tried[11..16]
            )
        });
        let folder = self.folder.check().err().map(|error| error.to_string());
        Ok([folder, lost, missed].into_iter().flatten().collect())
    }

    /// Records that a scheduled backup failed; with `None`, that it succeeded.
    fn remember(&self, missed: Option<&MissedBackup>, now: i64) -> Result<(), BackupsError> {
        Ok(self.store.transaction(&Caller::system(), |rows| match missed {
            None => rows.delete("setting", &[eq("name", MISSED)]).map(drop),
            Some(missed) => {
                let text = json!(missed).to_string();
                let time = ValueRef::Timestamp(now);
                let row = [("name", MISSED.into()), ("value", text.as_str().into()), ("updated_at", time)];
                rows.upsert("setting", &["name"], &row, &[])
            }
        })?)
    }

    pub(super) fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let found = self.store.snapshot(&Caller::system(), |rows| rows.find::<SettingValue>(name))?;
        Ok(found.map(|setting| setting.value.expose()))
    }
}
