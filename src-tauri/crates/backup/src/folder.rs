//! The folder of backups: the archive files, each with a small JSON file of facts about it.
//!
//! The database stores nothing about backups, because they are needed when the database is lost.

use crate::schedule::Schedule;
use crate::{BackupError, LeftOut, archive, private};
use chrono::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

const PLAIN: &str = ".tar.gz";
const ENCRYPTED: &str = ".tar.gz.closed";
const FACTS: &str = ".json";
const PREFIX: &str = "quarterdeck-";

/// A folder of backups.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

/// The reason for a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "BackupReason")]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    ByHand,
    Schedule,
    /// Taken before a restore, from the data that the restore replaced.
    BeforeRestore,
    /// Uploaded.
    Uploaded,
}

/// Facts about one backup, stored beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupFacts {
    /// µs since 1970 UTC.
    pub taken_at: i64,
    pub reason: Reason,
    pub check: Check,
    /// Files that could not be included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// SHA-256 of the [pages](store::page_content) of the backed-up database; shows whether anything was written since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages_sha256: Option<String>,
}

impl BackupFacts {
    pub fn new(taken_at: i64, reason: Reason, check: Check) -> Self {
        Self { taken_at, reason, check, left_out: Vec::new(), pages_sha256: None }
    }
}

/// The result of the test that opens the backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Check {
    /// Unpacked into a test copy: all hashes and rows match.
    Verified { at: i64 },
    /// Not tested, the test was inconclusive, or a later test found it damaged.
    Unverified { why: String },
    /// The backup could not be taken; there is no file.
    Failed { why: String },
}

/// One backup of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BackupFile {
    /// The file name without extension; identifies the backup everywhere.
    pub name: String,
    /// Size of the file; 0 if the backup could not be taken.
    pub bytes: u64,
    /// Whether it is encrypted with a passphrase.
    pub closed: bool,
    #[serde(flatten)]
    pub facts: BackupFacts,
}

impl BackupFile {
    /// Whether it was opened and verified.
    pub fn is_verified(&self) -> bool {
        matches!(self.facts.check, Check::Verified { .. })
    }

    /// Whether it holds everything that a restore replaces. Files left out at the top level of the data directory do not matter: a restore
    /// leaves them in place.
    pub(crate) fn is_complete(&self) -> bool {
        !self.facts.left_out.iter().any(|left| left.path.contains('/'))
    }
}

impl Folder {
    /// The folder for backups of a data directory. Created if it is inside the data directory. Elsewhere a person must create it: a disk
    /// that is not mounted looks like a missing folder, and files written to the mount point would be hidden later.
    pub fn of(data_dir: &Path, path: PathBuf) -> Self {
        if path.starts_with(data_dir) {
            // An error shows up when the folder is used.
            let _ = private::create_folder(&path);
        }
        Self { path }
    }

    /// Opens the folder, which must exist.
    pub fn open(path: PathBuf) -> Result<Self, BackupError> {
        let folder = Self { path };
        folder.check()?;
        Ok(folder)
    }

    /// Checks that the folder exists.
    pub fn check(&self) -> Result<(), BackupError> {
        if self.path.is_dir() { Ok(()) } else { Err(BackupError::NoFolder { path: self.path.clone() }) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of a backup taken at this time (µs UTC).
    pub fn name(taken_at: i64) -> String {
        let time = DateTime::from_timestamp_micros(taken_at).unwrap_or_default();
        format!("{PREFIX}{}", time.format("%Y%m%dT%H%M%S%3fZ"))
    }

    /// The path for the file of a new backup.
    pub(crate) fn file_path(&self, name: &str, closed: bool) -> PathBuf {
        self.path.join(format!("{name}{}", if closed { ENCRYPTED } else { PLAIN }))
    }

    /// All backups, newest first.
    pub fn list(&self) -> Result<Vec<BackupFile>, BackupError> {
        self.check()?;
        let mut kept = Vec::new();
        let entries = std::fs::read_dir(&self.path).map_err(BackupError::file(&self.path, "read"))?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|file| {
                [ENCRYPTED, PLAIN, FACTS]
                    .iter()
                    .find_map(|ending| Some(file.strip_suffix(ending)?.to_owned()))
            })
            .filter(|name| is_name(name))
            .collect();
        names.sort_unstable();
        names.dedup();
        for name in names.into_iter().rev() {
            kept.extend(self.find(&name).ok());
        }
        kept.sort_by_key(|kept| std::cmp::Reverse(kept.facts.taken_at));
        Ok(kept)
    }

    /// The backup of this name.
    pub fn find(&self, name: &str) -> Result<BackupFile, BackupError> {
        let unknown = || BackupError::Unknown { name: name.to_owned(), folder: self.path.clone() };
        if !is_name(name) {
            return Err(unknown());
        }
        let file = self.file(name).ok();
        let facts = self.facts(name, file.as_deref()).ok_or_else(unknown)?;
        let bytes = file.as_deref().and_then(|path| path.metadata().ok()).map_or(0, |file| file.len());
        if file.is_none() && !matches!(facts.check, Check::Failed { .. }) {
            return Err(unknown());
        }
        let closed =
            file.as_deref().is_some_and(|path| path.extension().is_some_and(|ending| ending == "closed"));
        Ok(BackupFile { name: name.to_owned(), bytes, closed, facts })
    }

    /// The file of the backup of this name.
    pub fn file(&self, name: &str) -> Result<PathBuf, BackupError> {
        let places = [self.file_path(name, false), self.file_path(name, true)];
        let found = places.into_iter().find(|path| is_name(name) && path.is_file());
        found.ok_or_else(|| BackupError::Unknown { name: name.to_owned(), folder: self.path.clone() })
    }

    /// The facts about a backup; for a file that a person copied here, those of its own manifest.
    fn facts(&self, name: &str, file: Option<&Path>) -> Option<BackupFacts> {
        let text = std::fs::read(self.path.join(format!("{name}{FACTS}"))).ok();
        if let Some(facts) = text.and_then(|text| serde_json::from_slice(&text).ok()) {
            return Some(facts);
        }
        let manifest = archive::inspect(file?, None).ok();
        let taken_at = manifest.map(|manifest| manifest.taken_at).or_else(|| modified(file?))?;
        let why = "nobody has opened it here yet".to_owned();
        Some(BackupFacts::new(taken_at, Reason::Uploaded, Check::Unverified { why }))
    }

    /// Stores the facts about a backup.
    pub fn write_facts(&self, name: &str, facts: &BackupFacts) -> Result<(), BackupError> {
        let path = self.path.join(format!("{name}{FACTS}"));
        let draft = self.path.join(format!("{name}{FACTS}.new"));
        let written = serde_json::to_vec_pretty(facts)
            .map_err(io::Error::from)
            .and_then(|text| private::write(&draft, &text))
            .and_then(|()| std::fs::rename(&draft, &path));
        written.map_err(BackupError::file(&path, "written"))
    }

    /// Marks a verified backup as damaged, if the file is in this folder, so that it is not offered again.
    pub(crate) fn mark_damaged(&self, file: &Path, why: &str) -> Result<(), BackupError> {
        for kept in
            self.list()?.into_iter().filter(|kept| self.file(&kept.name).is_ok_and(|path| path == file))
        {
            let why = format!("it was opened again to be put back, and is damaged: {why}");
            self.write_facts(&kept.name, &BackupFacts { check: Check::Unverified { why }, ..kept.facts })?;
        }
        Ok(())
    }

    /// Adds a file that was uploaded into this folder, under the given name, if it is a backup. The content of an encrypted one cannot be
    /// checked here.
    pub fn adopt(&self, draft: &Path, name: &str, now: i64) -> Result<BackupFile, BackupError> {
        let adopted = self.adopt_as(draft, name, now);
        if adopted.is_err() {
            // A draft under its temporary name is never listed.
            let _ = std::fs::remove_file(draft);
        }
        // The user does not know the temporary name either: they uploaded the file under another one.
        adopted.map_err(|error| error.about(Path::new("The file")))
    }

    fn adopt_as(&self, draft: &Path, name: &str, now: i64) -> Result<BackupFile, BackupError> {
        let closed = archive::is_encrypted(draft).map_err(BackupError::file(draft, "read"))?;
        let taken_at = if closed { now } else { archive::inspect(draft, None)?.taken_at };
        let place = self.file_path(name, closed);
        std::fs::rename(draft, &place).map_err(BackupError::file(&place, "written"))?;
        self.sync()?;
        let why = "brought from elsewhere; it is checked when it is put back".to_owned();
        self.write_facts(name, &BackupFacts::new(taken_at, Reason::Uploaded, Check::Unverified { why }))?;
        self.find(name)
    }

    /// Deletes a backup.
    pub fn remove(&self, name: &str) -> Result<(), BackupError> {
        let kept = self.find(name)?;
        if let Ok(file) = self.file(&kept.name) {
            std::fs::remove_file(&file).map_err(BackupError::file(&file, "removed"))?;
        }
        let facts = self.path.join(format!("{name}{FACTS}"));
        match std::fs::remove_file(&facts) {
            Err(fault) if fault.kind() != io::ErrorKind::NotFound => {
                Err(BackupError::file(&facts, "removed")(fault))
            }
            _ => Ok(()),
        }
    }

    /// Deletes backups that the schedule no longer keeps. Uploaded ones stay. Returns the deleted names.
    pub fn remove_expired(&self, schedule: &Schedule, now: i64) -> Result<Vec<String>, BackupError> {
        let kept: Vec<BackupFile> =
            self.list()?.into_iter().filter(|kept| kept.facts.reason != Reason::Uploaded).collect();
        let times: Vec<_> = kept.iter().map(|kept| (kept.facts.taken_at, kept.is_verified())).collect();
        let leaving: Vec<String> =
            schedule.expired(&times, now).into_iter().map(|place| kept[place].name.clone()).collect();
        for name in &leaving {
            self.remove(name)?;
        }
        Ok(leaving)
    }

    /// Syncs the folder, so that new file names survive a power failure.
    pub(crate) fn sync(&self) -> Result<(), BackupError> {
        sync_folder(&self.path).map_err(BackupError::file(&self.path, "written"))
    }
}

/// Whether the name is one of a backup; other files are never listed, opened or deleted.
fn is_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn modified(path: &Path) -> Option<i64> {
    let since = path.metadata().ok()?.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_micros()).ok()
}

#[cfg(unix)]
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Every;

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::of(place.path(), place.path().join("backups"));
        (place, folder)
    }

    fn put(folder: &Folder, taken_at: i64, check: Check) -> String {
        let name = Folder::name(taken_at);
        if !matches!(check, Check::Failed { .. }) {
            std::fs::write(folder.file_path(&name, false), "x").unwrap();
        }
        folder.write_facts(&name, &BackupFacts::new(taken_at, Reason::Schedule, check)).unwrap();
        name
    }

    #[test]
    fn backups_are_listed_with_the_newest_first_and_failures_among_them() {
        let (_place, folder) = folder();
        let sound = put(&folder, 1_000_000, Check::Verified { at: 2 });
        let failed = put(&folder, 2_000_000, Check::Failed { why: "the disk was full".to_owned() });
        std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
        let names: Vec<String> = folder.list().unwrap().into_iter().map(|kept| kept.name).collect();
        assert_eq!(names, [failed, sound]);
    }

    #[test]
    fn a_folder_on_a_disk_that_is_not_there_is_not_made_up_and_can_be_used_when_it_comes() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("disk/backups");
        let folder = Folder::of(&place.path().join("data"), path.clone());
        let fault = folder.list().unwrap_err().to_string();
        assert!(fault.contains("is not there") && !path.exists(), "{fault}");
        std::fs::create_dir_all(&path).unwrap();
        assert_eq!(folder.list().unwrap(), []);
    }

    #[test]
    fn names_that_lead_elsewhere_are_unknown() {
        let (_place, folder) = folder();
        for name in ["../quarterdeck", "quarterdeck-/../../x", "", "quarterdeck-x.json", "other"] {
            assert!(matches!(folder.find(name), Err(BackupError::Unknown { .. })), "{name}");
            assert!(folder.file(name).is_err() && folder.remove(name).is_err(), "{name}");
        }
    }

    #[test]
    fn tidying_keeps_the_newest_sound_one_and_what_came_from_elsewhere() {
        const DAY: i64 = 86_400_000_000;
        let (_place, folder) = folder();
        let old = put(&folder, DAY, Check::Verified { at: DAY });
        let sound = put(&folder, 2 * DAY, Check::Verified { at: 2 * DAY });
        std::fs::write(folder.path().join("quarterdeck-mine.tar.gz"), "x").unwrap();
        let schedule = Schedule { every: Every::Day, at: 0, keep_days: 30, keep_copies: 10 };
        assert_eq!(folder.remove_expired(&schedule, 100 * DAY).unwrap(), [old]);
        let names: Vec<String> = folder.list().unwrap().into_iter().map(|kept| kept.name).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.contains(&sound) && names.contains(&"quarterdeck-mine".to_owned()), "{names:?}");
    }
}
