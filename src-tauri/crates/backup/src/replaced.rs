//! Data replaced by restores: the folder `old` in `DATA_DIR/replaced/N` holds the previous files, with a file of facts beside it.
//!
//! A person deletes it, or it expires if a verified backup of the same data exists. The only copy of data is never deleted automatically.

use crate::layout::REPLACED;
use crate::{BackupError, BackupFile, Folder, archive};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const DAY: i64 = 86_400_000_000;
const FACTS: &str = "about.json";

/// The data that one restore replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplacedData {
    /// Name of its folder: a number.
    pub name: String,
    pub bytes: u64,
    /// When the restore was requested, in µs since 1970 UTC.
    pub replaced_at: i64,
    /// An existing verified backup of the same data; `None` if this is the only copy.
    pub backup: Option<String>,
}

/// The facts file on disk.
#[derive(Serialize, Deserialize)]
struct ReplacedFacts {
    replaced_at: i64,
    /// Name of the backup taken right before the restore.
    backup: Option<String>,
    /// SHA-256 of the pages of the database that this backup was taken of.
    #[serde(default)]
    pages_sha256: Option<String>,
}

impl ReplacedFacts {
    fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(FACTS)).ok()?).ok()
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join(FACTS), serde_json::to_vec(self)?)
    }
}

/// Writes the facts file of the data that will be replaced; `before` is the backup taken of it.
pub(crate) fn describe(stage: &Path, replaced_at: i64, before: Option<&BackupFile>) -> io::Result<()> {
    let before = before.filter(|kept| kept.is_complete());
    let backup = before.map(|kept| kept.name.clone());
    let pages_sha256 = before.and_then(|kept| kept.facts.pages_sha256.clone());
    ReplacedFacts { replaced_at, backup, pages_sha256 }.write(stage)
}

/// Compares the closed database that is about to be replaced with its backup: anything written after the backup is not in it.
pub(crate) fn compare(stage: &Path, database: &Path) -> io::Result<()> {
    let Some(about) = ReplacedFacts::read(stage).filter(|about| about.backup.is_some()) else {
        return Ok(());
    };
    let found = store::page_content(database).and_then(archive::hash).ok().map(|(found, _)| found);
    if found.is_some() && found == about.pages_sha256 {
        return Ok(());
    }
    ReplacedFacts { backup: None, pages_sha256: None, ..about }.write(stage)
}

/// All replaced data in the data directory, newest first. `folder` holds its backups.
pub fn list(data_dir: &Path, folder: &Folder) -> Result<Vec<ReplacedData>, BackupError> {
    let replaced = data_dir.join(REPLACED);
    let entries = match std::fs::read_dir(&replaced) {
        Ok(entries) => entries,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(fault) => return Err(BackupError::file(&replaced, "read")(fault)),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut all: Vec<ReplacedData> = names
        .filter(|name| is_name(name))
        .map(|name| {
            let path = replaced.join(&name);
            let about = ReplacedFacts::read(&path);
            let is_sound = |name: &String| folder.find(name).is_ok_and(|kept| kept.is_verified());
            ReplacedData {
                bytes: bytes(&path),
                replaced_at: about.as_ref().map_or_else(|| modified(&path), |about| about.replaced_at),
                backup: about.and_then(|about| about.backup).filter(is_sound),
                name,
            }
        })
        .collect();
    all.sort_by_key(|data| std::cmp::Reverse((data.replaced_at, data.name.len(), data.name.clone())));
    Ok(all)
}

/// Deletes the replaced data of this name.
pub fn remove(data_dir: &Path, name: &str) -> Result<(), BackupError> {
    let path = data_dir.join(REPLACED).join(name);
    if !is_name(name) || !path.is_dir() {
        let folder = data_dir.join(REPLACED);
        return Err(BackupError::NoReplacedData { name: name.to_owned(), folder });
    }
    std::fs::remove_dir_all(&path).map_err(BackupError::file(&path, "removed"))
}

/// Deletes replaced data that is older than `keep_days` and also in a verified backup. Returns the deleted names.
pub fn remove_expired(
    data_dir: &Path,
    folder: &Folder,
    keep_days: u16,
    now: i64,
) -> Result<Vec<String>, BackupError> {
    let oldest = now - i64::from(keep_days) * DAY;
    let old = list(data_dir, folder)?.into_iter().filter(|data| data.replaced_at < oldest);
    let leaving: Vec<String> = old.filter(|data| data.backup.is_some()).map(|data| data.name).collect();
    for name in &leaving {
        remove(data_dir, name)?;
    }
    Ok(leaving)
}

/// A path with the first number that is not used by a folder.
pub(crate) fn unused_path(folder: &Path) -> PathBuf {
    let mut number = 1_u32;
    while folder.join(number.to_string()).exists() {
        number += 1;
    }
    folder.join(number.to_string())
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() < 10 && name.bytes().all(|byte| byte.is_ascii_digit())
}

fn modified(path: &Path) -> i64 {
    let since = path.metadata().and_then(|found| found.modified()).ok();
    let since = since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_micros()).ok()).unwrap_or_default()
}

/// The total size in bytes of all files below `folder`. Unreadable files count as 0.
fn bytes(folder: &Path) -> u64 {
    let mut waiting: Vec<PathBuf> = vec![folder.to_owned()];
    let mut sum = 0;
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok) {
            let Ok(found) = entry.path().symlink_metadata() else { continue };
            if found.is_dir() {
                waiting.push(entry.path());
            } else {
                sum += found.len();
            }
        }
    }
    sum
}
