//! What restores put aside: `DATA_DIR/replaced/N` holds everything that was there before in `old`, and beside it what is known of it.
//!
//! A person takes it away, or time does where a sound backup of the same is kept. The only copy of something never goes by itself.

use crate::layout::REPLACED;
use crate::{BackupError, BackupFile, Folder, archive};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

const DAY: i64 = 86_400_000_000;
const ABOUT: &str = "about.json";

/// What one restore put aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aside {
    /// Of its folder: a number.
    pub name: String,
    pub bytes: u64,
    /// When the restore was asked for: µs since 1970 UTC.
    pub replaced_at: i64,
    /// A sound backup of the same that is kept; where there is none, this is the only copy.
    pub backup: Option<String>,
}

/// As it stands on disk.
#[derive(Serialize, Deserialize)]
struct About {
    replaced_at: i64,
    /// Taken right before.
    backup: Option<String>,
    /// Of the database that this backup was taken of.
    #[serde(default)]
    pages_sha256: Option<String>,
}

impl About {
    fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(ABOUT)).ok()?).ok()
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join(ABOUT), serde_json::to_vec(self)?)
    }
}

/// Writes beside what will be put aside what is known of it; `before` is the backup that was taken of it.
pub(crate) fn describe(stage: &Path, replaced_at: i64, before: Option<&BackupFile>) -> io::Result<()> {
    let before = before.filter(|kept| kept.is_complete());
    let backup = before.map(|kept| kept.name.clone());
    let pages_sha256 = before.and_then(|kept| kept.remark.pages_sha256.clone());
    About { replaced_at, backup, pages_sha256 }.write(stage)
}

/// Looks once more at the database that is about to be put aside and that nobody has open: what was written since its backup was taken is in no backup.
pub(crate) fn compare(stage: &Path, database: &Path) -> io::Result<()> {
    let Some(about) = About::read(stage).filter(|about| about.backup.is_some()) else { return Ok(()) };
    let found = store::pages(database).and_then(archive::hash).ok().map(|(found, _)| found);
    if found.is_some() && found == about.pages_sha256 {
        return Ok(());
    }
    About { backup: None, pages_sha256: None, ..about }.write(stage)
}

/// Everything that was put aside in that data directory, the newest first. `folder` holds its backups.
pub fn list(data_dir: &Path, folder: &Folder) -> Result<Vec<Aside>, BackupError> {
    let replaced = data_dir.join(REPLACED);
    let entries = match std::fs::read_dir(&replaced) {
        Ok(entries) => entries,
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(fault) => return Err(BackupError::file(&replaced, "read")(fault)),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut all: Vec<Aside> = names
        .filter(|name| is_name(name))
        .map(|name| {
            let path = replaced.join(&name);
            let about = About::read(&path);
            let is_sound = |name: &String| folder.find(name).is_ok_and(|kept| kept.is_sound());
            Aside {
                bytes: bytes(&path),
                replaced_at: about.as_ref().map_or_else(|| modified(&path), |about| about.replaced_at),
                backup: about.and_then(|about| about.backup).filter(is_sound),
                name,
            }
        })
        .collect();
    all.sort_by_key(|aside| std::cmp::Reverse((aside.replaced_at, aside.name.len(), aside.name.clone())));
    Ok(all)
}

/// Takes away what is put aside under that name.
pub fn remove(data_dir: &Path, name: &str) -> Result<(), BackupError> {
    let path = data_dir.join(REPLACED).join(name);
    if !is_name(name) || !path.is_dir() {
        let folder = data_dir.join(REPLACED);
        return Err(BackupError::NothingAside { name: name.to_owned(), folder });
    }
    std::fs::remove_dir_all(&path).map_err(BackupError::file(&path, "removed"))
}

/// Takes away what is older than so many days and is in a sound backup, too. Tells the names of what went.
pub fn tidy(data_dir: &Path, folder: &Folder, keep_days: u16, now: i64) -> Result<Vec<String>, BackupError> {
    let oldest = now - i64::from(keep_days) * DAY;
    let old = list(data_dir, folder)?.into_iter().filter(|aside| aside.replaced_at < oldest);
    let leaving: Vec<String> = old.filter(|aside| aside.backup.is_some()).map(|aside| aside.name).collect();
    for name in &leaving {
        remove(data_dir, name)?;
    }
    Ok(leaving)
}

/// The first number that no folder has.
pub(crate) fn free_name(folder: &Path) -> PathBuf {
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

/// Of all files below; what cannot be read counts nothing.
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
