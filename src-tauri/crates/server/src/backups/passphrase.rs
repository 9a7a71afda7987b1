//! What closes the backups that the service takes by itself: the passphrase in the file of a setting, else the one an administrator gave, which is kept
//! sealed in the database with the key of this data directory. It goes in and never comes out.

use super::{BackupService, BackupsError};
use crate::secrets::secret_key::SecretKey;
use backup::Passphrase;
use catalogue::{Caller, ValueRef};
use llm::seal;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{StoreError, eq};

/// Row of the table of settings.
pub(super) const GIVEN: &str = "BACKUP_PASSPHRASE";
/// Under what it is sealed; it opens as nothing else.
const PURPOSE: &str = "quarterdeck passphrase of backups";

/// Whose passphrase closes backups that are taken by themselves.
#[derive(Debug, PartialEq, Eq)]
pub enum ClosedBy {
    /// Of the setting `backup_passphrase_file`, which comes before any other.
    File,
    /// The one given then (µs since 1970 UTC), by whom (e-mail address); not known of a row that is damaged.
    Stored { at: Option<i64>, by: Option<String> },
}

#[derive(Default, Serialize, Deserialize)]
struct StoredPassphrase {
    sealed: String,
    /// µs since 1970 UTC.
    at: Option<i64>,
    /// E-mail address.
    by: Option<String>,
}

impl BackupService {
    /// What closes backups that are taken by themselves; nothing where they are open.
    pub fn closed_by(&self) -> Result<Option<ClosedBy>, StoreError> {
        if self.passphrase_file.is_some() {
            return Ok(Some(ClosedBy::File));
        }
        Ok(self.given()?.map(|StoredPassphrase { at, by, .. }| ClosedBy::Stored { at, by }))
    }

    /// Closes backups that are taken by themselves from now on with this one. `now` in µs since 1970 UTC.
    pub fn close_with(&self, passphrase: &Passphrase, by: &str, now: i64) -> Result<(), BackupsError> {
        self.check_nothing_before_it()?;
        let sealed = seal::seal(&*self.keys, PURPOSE, passphrase.reveal(), &mut rand::rng())
            .map_err(|failure| BackupsError::NotSealed { why: failure.message })?;
        let text = json!(StoredPassphrase { sealed, at: Some(now), by: Some(by.to_owned()) }).to_string();
        let row = [
            ("name", GIVEN.into()),
            ("value", text.as_str().into()),
            ("updated_at", ValueRef::Timestamp(now)),
        ];
        Ok(self.store.transaction(&Caller::house(), |rows| rows.upsert("setting", &["name"], &row, &[]))?)
    }

    /// Leaves backups that are taken by themselves open from now on. Those there are stay as they are.
    pub fn leave_open(&self) -> Result<(), BackupsError> {
        self.check_nothing_before_it()?;
        let given = [eq("name", GIVEN)];
        self.store.transaction(&Caller::house(), |rows| rows.delete("setting", &given))?;
        Ok(())
    }

    /// The passphrase of backups that are taken by themselves. One that was given and cannot be opened is no leave to take them open.
    pub(super) fn own_passphrase(&self) -> Result<Option<Passphrase>, BackupsError> {
        match &self.passphrase_file {
            None => self.given()?.map(|given| given.open(&self.keys)).transpose(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|cause| BackupsError::PassphraseFile { path: path.clone(), cause })?;
                Ok(Some(Passphrase::for_encryption(text.lines().next().unwrap_or_default().to_owned())?))
            }
        }
    }

    /// Why the one that was given cannot be used; nothing where all is well.
    pub(super) fn lost_passphrase(&self) -> Result<Option<BackupsError>, StoreError> {
        if self.passphrase_file.is_some() {
            return Ok(None);
        }
        Ok(self.given()?.and_then(|given| given.open(&self.keys).err()))
    }

    fn check_nothing_before_it(&self) -> Result<(), BackupsError> {
        if self.passphrase_file.is_some() { Err(BackupsError::ByFile) } else { Ok(()) }
    }

    fn given(&self) -> Result<Option<StoredPassphrase>, StoreError> {
        // One that is damaged is there, and does not open.
        Ok(self.setting(GIVEN)?.map(|text| serde_json::from_str(&text).unwrap_or_default()))
    }
}

impl StoredPassphrase {
    fn open(&self, keys: &SecretKey) -> Result<Passphrase, BackupsError> {
        seal::open(keys, PURPOSE, &self.sealed)
            .map(Passphrase::for_decryption)
            .map_err(|failure| BackupsError::Lost { why: failure.message })
    }
}
