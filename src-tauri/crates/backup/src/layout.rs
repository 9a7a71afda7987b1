//! Which entries of a data directory are in backups, and which ones a restore replaces. Both use this module: a restore never removes an
//! entry that no backup contains.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Folder in the data directory while a restore is pending or running.
pub(crate) const STAGE: &str = "restore";
/// Folder of the data replaced by restores; see the module `replaced`.
pub(crate) const REPLACED: &str = "replaced";
/// Entries of a data directory: the key that decrypts stored secrets, the note of where that key is, and the keys that sign this computer
/// in to instances. They are in no backup, so that the secrets in it stay encrypted. A restore leaves them in place, so that existing
/// secrets can still be decrypted.
pub(crate) const KEYS: [&str; 3] = ["secrets.key", "secrets.in-keyring", "instance-keys.sealed"];
/// Other entries that are in no backup and that a restore leaves in place: locks, restores, models, the default folder of backups, and the
/// folder that file systems have at their root.
const EXCLUDED: [&str; 7] = ["server.lock", "window", STAGE, REPLACED, "models", "backups", "lost+found"];

/// Suffixes of the database and of the files that SQLite creates beside it.
const SQLITE_SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// A data directory, and rules for its entries.
pub(crate) struct Layout<'a> {
    pub(crate) data_dir: &'a Path,
    /// File name of the database in the data directory.
    pub(crate) database: &'a str,
    /// The folder of backups, with symbolic links resolved.
    pub(crate) backups: PathBuf,
}

/// A file that could not be included in a backup. A restore leaves it in place if it is in the data directory itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Path relative to the data directory.
    pub path: String,
    pub why: String,
}

impl<'a> Layout<'a> {
    pub(crate) fn of(data_dir: &'a Path, database: &'a str, backups: &Path) -> Self {
        // A folder that does not exist cannot be inside the data directory.
        let backups = backups.canonicalize().unwrap_or_else(|_| backups.to_owned());
        Self { data_dir, database, backups }
    }

    /// Whether an entry is excluded from backups and restores. Includes copies of the database, and the entry that contains the folder of
    /// backups, even through symbolic links.
    pub(crate) fn is_excluded(&self, name: &OsStr) -> bool {
        let holds_backups = || {
            let place = self.data_dir.join(name).canonicalize();
            place.is_ok_and(|place| self.backups.starts_with(place))
        };
        EXCLUDED.iter().chain(&KEYS).any(|excluded| name == *excluded)
            || self.is_database_copy(name)
            || holds_backups()
    }

    /// Whether an entry is the database or one of SQLite's files beside it.
    pub(crate) fn is_database(&self, name: &OsStr) -> bool {
        self.database_suffix(name).is_some_and(|suffix| SQLITE_SUFFIXES.contains(&suffix))
    }

    /// Whether an entry is a copy of the database, such as the one made before a migration (`quarterdeck.db.before-schema-4`). Its secrets
    /// are not removed, therefore no backup contains it.
    fn is_database_copy(&self, name: &OsStr) -> bool {
        self.database_suffix(name).is_some_and(|suffix| !SQLITE_SUFFIXES.contains(&suffix))
    }

    fn database_suffix<'n>(&self, name: &'n OsStr) -> Option<&'n str> {
        name.to_str()?.strip_prefix(self.database)
    }
}

/// Why an existing entry cannot be included in a backup; `None` if it can.
pub(crate) fn obstacle(place: &Path) -> io::Result<Option<&'static str>> {
    if place.file_name().is_none_or(|name| name.to_str().is_none()) {
        return Ok(Some("its name is no text"));
    }
    let found = place.symlink_metadata()?;
    let opened = if found.is_dir() {
        std::fs::read_dir(place).map(drop)
    } else if found.is_file() {
        File::open(place).map(drop)
    } else {
        return Ok(Some("it is neither a file nor a folder"));
    };
    match opened {
        Err(fault) if fault.kind() == io::ErrorKind::PermissionDenied => {
            Ok(Some("this user may not read it"))
        }
        opened => opened.map(|()| None),
    }
}

/// The entries of a folder, sorted by name.
pub(crate) fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}
