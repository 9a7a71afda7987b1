//! Installed models, and the source of trust in their hash.

use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// The source of a file's expected hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ModelTrust")]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The registry that the file was downloaded from.
    Registry,
    /// The accompanying `.sha256` file.
    File,
    /// A hash entered by a person.
    Person,
    /// No external source: the hash computed at the first installation is trusted from then on.
    FirstUse,
}

impl Trust {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::File => "file",
            Self::Person => "person",
            Self::FirstUse => "first_use",
        }
    }

    pub(crate) fn of(text: &str) -> Self {
        match text {
            "registry" => Self::Registry,
            "file" => Self::File,
            "person" => Self::Person,
            _ => Self::FirstUse,
        }
    }
}

/// An installed, complete model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    pub name: String,
    /// Lower-case hex.
    pub sha256: String,
    pub size_bytes: u64,
    pub trust: Trust,
    pub told_by: String,
    /// `download` or `import`.
    pub source: String,
    /// Host of the registry, or name of the file.
    pub origin: String,
    /// µs since 1970 UTC.
    pub installed_at: i64,
    pub checked_at: i64,
}

/// The result of a verification.
#[derive(Debug)]
pub enum Verification {
    Sound(Model),
    /// The file has changed; it was quarantined and is not used.
    Broken {
        found: String,
        kept: PathBuf,
    },
}
