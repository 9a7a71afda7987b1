//! What of a data directory is in backups, and what a restore exchanges. Both ask here: a restore never takes away what no backup brings back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// In the data directory while a restore waits or is under way.
pub(crate) const STAGE: &str = "restore";
/// What restores put aside; see the module `aside`.
pub(crate) const REPLACED: &str = "replaced";
/// In a data directory: what sealed secrets are opened with, where that is noted, and what lets this computer into instances. In no backup, so that what
/// is sealed stays so; a restore leaves them where they are, so that what they open stays open.
pub(crate) const KEYS: [&str; 3] = ["secrets.key", "secrets.in-keyring", "instance-keys.sealed"];
/// In no backup either, and left where it is: locks, restores, models, the folder backups are kept in unless another is chosen, and what disks have at
/// their top.
const APART: [&str; 7] = ["server.lock", "window", STAGE, REPLACED, "models", "backups", "lost+found"];

/// A data directory, by what becomes of its entries.
pub(crate) struct Layout<'a> {
    pub(crate) data_dir: &'a Path,
    /// File name of the database in it.
    pub(crate) database: &'a str,
    /// Where backups are kept, without links on the way.
    pub(crate) backups: PathBuf,
}

/// What was to be in a backup and cannot be. A restore leaves it where it is, if it stands in the data directory itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// From the data directory.
    pub path: String,
    pub why: String,
}

impl<'a> Layout<'a> {
    pub(crate) fn of(data_dir: &'a Path, database: &'a str, backups: &Path) -> Self {
        // A folder that is not there is nowhere below the data directory.
        let backups = backups.canonicalize().unwrap_or_else(|_| backups.to_owned());
        Self { data_dir, database, backups }
    }

    /// Whether an entry of the data directory is none of what backups hold. The one that holds the backups is, as a whole, by whatever way they are
    /// reached.
    pub(crate) fn is_apart(&self, name: &OsStr) -> bool {
        let holds_backups = || {
            let place = self.data_dir.join(name).canonicalize();
            place.is_ok_and(|place| self.backups.starts_with(place))
        };
        APART.iter().chain(&KEYS).any(|apart| name == *apart) || holds_backups()
    }

    /// Whether an entry is the database, or what SQLite keeps beside it.
    pub(crate) fn is_database(&self, name: &OsStr) -> bool {
        name.to_str().is_some_and(|name| name.starts_with(self.database))
    }
}

/// Why something cannot be put into a backup, if it is there at all.
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

/// What is in a folder, in the order of the names.
pub(crate) fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}
