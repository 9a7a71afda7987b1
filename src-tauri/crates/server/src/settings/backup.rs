//! Settings of backups: their folder, and the passphrase of automatic ones.

use super::origin::Origin;
use super::{Definition, SettingsError};
use std::path::{Path, PathBuf};

const BACKUP_DIR: Definition = Definition {
    name: "backup_dir",
    environment: "QUARTERDECK_BACKUP_DIR",
    default: None,
    meaning: "Folder backups are kept in; another disk is best, and there a folder that is on the disk \
              itself: it is created by you, so that nothing is written where the disk is not connected. Without it, `backups` in the data directory",
    is_secret: false,
};

const BACKUP_PASSPHRASE_FILE: Definition = Definition {
    name: "backup_passphrase_file",
    environment: "QUARTERDECK_BACKUP_PASSPHRASE_FILE",
    default: None,
    meaning: "File whose first line is the passphrase that closes backups taken by schedule and before a restore, whatever \
              Settings, Backup & restore says. Without it, the one given there does; without any, they are not encrypted",
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
