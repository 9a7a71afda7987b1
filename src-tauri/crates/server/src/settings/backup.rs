//! Settings of backups: their folder, and the passphrase of automatic ones.

use super::origin::Origin;
use super::{Definition, SettingsError};
use std::path::{Path, PathBuf};

const BACKUP_DIR: Definition = Definition {
    name: "backup_dir",
    environment: "QUARTERDECK_BACKUP_DIR",
    default: None,
    meaning: "Folder for backups, preferably on another disk. It must exist, so that nothing is written to an empty mount point. Default: \
              `backups` in the data directory",
    is_secret: false,
};

const BACKUP_PASSPHRASE_FILE: Definition = Definition {
    name: "backup_passphrase_file",
    environment: "QUARTERDECK_BACKUP_PASSPHRASE_FILE",
    default: None,
    meaning: "File whose first line is the passphrase that encrypts scheduled backups and the backup taken before a restore. It overrides the \
              passphrase in Settings, Backup & restore. Without either, backups are not encrypted",
    is_secret: false,
};

pub(super) const ALL: &[&Definition] = &[&BACKUP_DIR, &BACKUP_PASSPHRASE_FILE];

/// Backup settings at the start of the service.
#[derive(Debug, Clone)]
pub struct Backups {
    pub folder: PathBuf,
    pub passphrase_file: Option<PathBuf>,
}

impl Backups {
    pub(super) fn read(data_dir: &Path, of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let path = |definition| of(definition).value.filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = path(&BACKUP_DIR).map_or_else(
            || data_dir.join("backups"),
            |folder| std::path::absolute(&folder).unwrap_or(folder),
        );
        // Compare resolved paths; a path that does not exist yet is compared as written.
        let found = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if found(&folder) == found(data_dir) {
            return Err(super::origin::wrong(
                &of(&BACKUP_DIR),
                "another folder than the data directory itself",
            ));
        }
        Ok(Self { folder, passphrase_file: path(&BACKUP_PASSPHRASE_FILE) })
    }
}
