//! Errors of the settings.

use super::service::DATA_DIR;
use super::{ALL, Source};
use std::path::PathBuf;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{name} is {found:?} (from {from}): expected {expected}")]
    Wrong { name: &'static str, found: String, from: Source, expected: String },
    /// Reported without the value, which may be secret.
    #[error("the setting {name} cannot be used: {cause}")]
    Unusable { name: &'static str, cause: Box<dyn std::error::Error + Send + Sync> },
    #[error("{path} has a setting {found:?} that does not exist; there is {}", names())]
    Unknown { path: PathBuf, found: String },
    #[error("the settings file {path} cannot be read")]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("the settings file {path} is not TOML")]
    NotToml {
        path: PathBuf,
        #[source]
        cause: Box<toml::de::Error>,
    },
    #[error("this user has no home directory; name a data directory with --data-dir or {}", DATA_DIR.environment)]
    NoHome,
}

fn names() -> String {
    ALL.iter().map(|definition| definition.name).collect::<Vec<_>>().join(", ")
}
