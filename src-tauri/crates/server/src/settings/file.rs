//! The settings file: `quarterdeck.toml` in the data directory, or the one named on the command line.

use super::{ALL, SettingsError};
use std::path::{Path, PathBuf};

/// Name of the settings file in the data directory.
pub const FILE_NAME: &str = "quarterdeck.toml";

/// The settings file; has no entries if the file is missing and was not named explicitly.
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) entries: toml::Table,
}

impl File {
    pub(super) fn read(path: &Path, must_exist: bool) -> Result<Self, SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if !must_exist && is_absence(&cause) => String::new(),
            Err(cause) => return Err(SettingsError::Unreadable { path: path.to_owned(), cause }),
        };
        let entries: toml::Table = text
            .parse()
            .map_err(|cause| SettingsError::NotToml { path: path.to_owned(), cause: Box::new(cause) })?;
        if let Some(found) = entries.keys().find(|key| ALL.iter().all(|known| known.name != key.as_str())) {
            return Err(SettingsError::Unknown { path: path.to_owned(), found: found.clone() });
        }
        Ok(Self { path: path.to_owned(), entries })
    }
}

/// A data directory below a regular file counts as absent here; it is refused later, with an error about the data directory.
fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}
