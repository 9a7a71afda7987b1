//! The installed models: stored once for each hash; imported, exported, verified and moved.

mod error;
mod files;
mod importing;
mod moving;
mod sweeping;

pub use error::LibraryError;
pub(crate) use files::{BUFFER, hash_file, remove_file, sync_folder};

use crate::digest::{Algorithm, ExpectedDigest};
use crate::failure::{Failure, Kind};
use crate::installed::{Model, Trust, Verification};
use crate::name::ModelName;
use crate::part::Part;
use crate::record::{Record, State};
use crate::rows;
use catalogue::Caller;
use std::io;
use std::path::{Path, PathBuf};
use store::{Store, StoreError, Transaction};

/// The models in one folder, with their rows.
#[derive(Clone)]
pub struct Library {
    store: Store,
    folder: PathBuf,
}

impl Library {
    pub fn new(store: Store, folder: PathBuf) -> Self {
        Self { store, folder }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with that hash; equal files are stored once.
    fn file_of(&self, sha256: &str) -> PathBuf {
        self.folder.join(format!("sha256-{sha256}"))
    }

    /// The path of a model's file.
    pub fn path(&self, model: &Model) -> PathBuf {
        self.file_of(&model.sha256)
    }

    pub(crate) fn part_path(&self, name: &ModelName) -> PathBuf {
        self.folder.join("incoming").join(format!("{name}.part"))
    }

    fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.store.snapshot(&Caller::system(), work)
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.store.transaction(&Caller::system(), work)
    }

    /// All models, by name.
    pub fn list(&self) -> Result<Vec<Model>, StoreError> {
        self.read(rows::models)
    }

    pub fn find(&self, name: &ModelName) -> Result<Model, LibraryError> {
        let found = self.list()?.into_iter().find(|model| model.name == name.as_str());
        found.ok_or_else(|| LibraryError::NotFound { name: name.to_string() })
    }

    /// Bytes on disk; equal files count once.
    pub fn used_bytes(&self) -> Result<u64, StoreError> {
        let mut models = self.list()?;
        models.sort_by(|one, other| one.sha256.cmp(&other.sha256));
        models.dedup_by(|one, other| one.sha256 == other.sha256);
        Ok(models.iter().map(|model| model.size_bytes).sum())
    }

    pub(crate) fn records(&self) -> Result<Vec<Record>, StoreError> {
        self.read(rows::records)
    }

    pub(crate) fn record(&self, name: &ModelName) -> Result<Option<Record>, StoreError> {
        Ok(self.records()?.into_iter().find(|record| record.name == name.as_str()))
    }

    pub(crate) fn put_record(&self, record: &Record, now: i64) -> Result<(), StoreError> {
        self.write(|rows| rows::put_record(rows, record, now))
    }

    /// Bytes that active downloads other than `name` still have to write.
    pub(crate) fn still_to_come(&self, name: Option<&ModelName>) -> Result<u64, StoreError> {
        let is_other = |record: &Record| name.is_none_or(|name| record.name != name.as_str());
        let others = self.records()?.into_iter();
        let others = others.filter(|record| record.state.is_active() && is_other(record));
        Ok(others.map(|record| record.size.unwrap_or(0).saturating_sub(record.done.total())).sum())
    }

    /// Removes a download and its bytes.
    pub(crate) fn forget(&self, name: &ModelName) -> Result<(), LibraryError> {
        remove_file(&self.part_path(name))?;
        self.write(|rows| rows::remove_record(rows, name.as_str()))?;
        Ok(())
    }

    /// Whether a file with that hash exists, with the expected size.
    pub(crate) fn has(&self, sha256: &str, size: Option<u64>) -> bool {
        let found = std::fs::metadata(self.file_of(sha256));
        found.is_ok_and(|found| found.is_file() && size.is_none_or(|size| size == found.len()))
    }

    /// Size of the file named by this hash.
    pub(crate) fn size_of(&self, sha256: &str) -> Option<u64> {
        std::fs::metadata(self.file_of(sha256)).ok().map(|found| found.len())
    }

    /// The computed hash of the file named by this hash.
    pub(crate) fn hash_of(&self, sha256: &str) -> io::Result<String> {
        hash_file(&self.file_of(sha256), &mut |_| ())
    }

    /// Gives a complete, hashed file its final name: syncs it first, then renames it atomically.
    pub(crate) fn place(&self, part: &Part, size: u64, sha256: &str) -> io::Result<()> {
        part.set_len(size)?;
        part.file.sync_all()?;
        let to = self.file_of(sha256);
        std::fs::rename(&part.path, &to)?;
        sync_folder(&self.folder)
    }

    /// Moves a file with wrong content to the quarantine folder.
    pub(crate) fn quarantine(&self, path: &Path, name: &ModelName, sha256: &str) -> io::Result<PathBuf> {
        let folder = self.folder.join("quarantine");
        std::fs::create_dir_all(&folder)?;
        let to = folder.join(format!("{name}-{}", &sha256[..12.min(sha256.len())]));
        std::fs::rename(path, &to)?;
        Ok(to)
    }

    /// Replaces the download's row by the model's. Removes the previous file of that name if no other model uses it.
    pub(crate) fn write_down(&self, model: &Model) -> Result<(), LibraryError> {
        let before = self.write(|rows| {
            let before = rows::models(rows)?;
            rows::put_model(rows, model)?;
            rows::remove_record(rows, &model.name)?;
            Ok(before)
        })?;
        let old = before.iter().find(|old| old.name == model.name && old.sha256 != model.sha256);
        if let Some(old) = old {
            self.remove_unused(&old.sha256)?;
        }
        Ok(())
    }

    fn remove_unused(&self, sha256: &str) -> Result<(), LibraryError> {
        if self.list()?.iter().any(|model| model.sha256 == sha256) {
            return Ok(());
        }
        remove_file(&self.file_of(sha256))
            .map_err(LibraryError::io("the file of the model cannot be removed"))
    }

    /// Removes a model, and its file if no other model uses it.
    pub fn remove(&self, name: &ModelName) -> Result<(), LibraryError> {
        let model = self.find(name)?;
        self.write(|rows| rows::remove_model(rows, name.as_str()))?;
        self.remove_unused(&model.sha256)
    }

    /// Hashes a model's file again. `told` is a hash given by a user, which then becomes the source of trust. `progress` is called with the bytes
    /// read.
    pub fn verify(
        &self,
        name: &ModelName,
        told: Option<&str>,
        now: i64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Verification, LibraryError> {
        let mut model = self.find(name)?;
        let told = told.map(person_says).transpose()?;
        let path = self.path(&model);
        let found = hash_file(&path, progress).map_err(LibraryError::io(format!(
            "the file of {name} cannot be read; remove the model and fetch it again"
        )))?;
        if found != model.sha256 {
            let kept = self.quarantine(&path, name, &found)?;
            self.give_up(&model, &found, &kept, now)?;
            return Ok(Verification::Broken { found, kept });
        }
        if let Some(told) = told {
            if told.hex != found {
                return Err(LibraryError::Mismatch { found, wanted: told.hex, told_by: told.told_by });
            }
            (model.trust, model.told_by) = (Trust::Person, told.told_by);
        }
        model.checked_at = now;
        self.write(|rows| rows::put_model(rows, &model))?;
        Ok(Verification::Sound(model))
    }

    /// Removes a model whose file is wrong from the list, and records a failure with the reason.
    fn give_up(&self, model: &Model, found: &str, kept: &Path, now: i64) -> Result<(), StoreError> {
        let failure = Failure::new(
            Kind::Mismatch,
            format!("The file changed on disk: its hash was {}, and is {found}.", model.sha256),
            format!(
                "It is not used and is kept as {}. Fetch the model again, and look at the disk.",
                kept.display()
            ),
        );
        self.write(|rows| {
            for twin in rows::models(rows)?.iter().filter(|twin| twin.sha256 == model.sha256) {
                rows::remove_model(rows, &twin.name)?;
                let mut record = Record::new(&twin.name, "", now);
                record.state = State::Quarantined;
                record.size = Some(twin.size_bytes);
                record.failure = Some(failure.clone());
                rows::put_record(rows, &record, now)?;
            }
            Ok(())
        })
    }
}

/// Whether a text is a plain file name: no folder, no volume, not hidden, and one line.
pub(crate) fn is_plain_name(file: &str) -> bool {
    let is_wrong = |letter: char| matches!(letter, '/' | '\\' | ':') || letter.is_control();
    !file.is_empty() && !file.starts_with('.') && !file.contains(is_wrong)
}

/// Parses a hash given by a user.
pub(crate) fn person_says(text: &str) -> Result<ExpectedDigest, LibraryError> {
    let text = text.trim();
    let hex = text.strip_prefix("sha256:").unwrap_or(text);
    ExpectedDigest::new(Algorithm::Sha256, hex, "the hash that was given")
        .ok_or_else(|| LibraryError::NotAHash { what: format!("{text:?}") })
}
