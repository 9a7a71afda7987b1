//! The passphrase of automatic backups: from the file named in a setting, otherwise the one an administrator entered, which is stored in the
//! database, encrypted with the key of this data directory. It can be set but not read back.

use super::{BackupService, BackupsError};
use crate::secrets::secret_key::SecretKey;
use backup::Passphrase;
use catalogue::{Caller, ValueRef};
use llm::seal;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{StoreError, eq};

/// Name of the setting in the database.
pub(super) const GIVEN: &str = "BACKUP_PASSPHRASE";
/// Purpose the passphrase is encrypted for; it cannot be decrypted for another one.
const PURPOSE: &str = "quarterdeck passphrase of backups";

/// The origin of the passphrase of automatic backups.
#[derive(Debug, PartialEq, Eq)]
pub enum ClosedBy {
    /// The file of the setting `backup_passphrase_file`. It has precedence.
    File,
    /// Entered by the user with the e-mail address `by`, at `at` (µs since 1970 UTC). Both are `None` if the stored row is damaged.
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
    /// The origin of the passphrase of automatic backups; `None` if they are not encrypted.
    pub fn closed_by(&self) -> Result<Option<ClosedBy>, StoreError> {
        if self.passphrase_file.is_some() {
            return Ok(Some(ClosedBy::File));
        }
        Ok(self.given()?.map(|StoredPassphrase { at, by, .. }| ClosedBy::Stored { at, by }))
    }

    /// Encrypts automatic backups with this passphrase from now on. `by` is an e-mail address, `now` in µs since 1970 UTC.
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
        Ok(self.store.transaction(&Caller::system(), |rows| rows.upsert("setting", &["name"], &row, &[]))?)
    }

    /// Stops encrypting automatic backups. Existing backups are unchanged.
    pub fn leave_open(&self) -> Result<(), BackupsError> {
        self.check_nothing_before_it()?;
        let given = [eq("name", GIVEN)];
        self.store.transaction(&Caller::system(), |rows| rows.delete("setting", &given))?;
        Ok(())
    }

    /// The passphrase of automatic backups; `None` if they are not encrypted. A stored passphrase that cannot be decrypted is an error, so that no
    /// backup is taken unencrypted by accident.
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

    /// The reason why the stored passphrase cannot be used; `None` if there is no problem.
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
        // A damaged row still counts as a passphrase; it fails to decrypt.
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
