//! Settings of imports: how many bytes of imported files are stored, and when an import asks for a decision.

use super::origin::{Origin, whole};
use super::{Definition, SettingsError};
use std::path::PathBuf;

pub const KEPT_IMPORTS_BYTES: Definition = Definition {
    name: "kept_imports_bytes",
    environment: "QUARTERDECK_KEPT_IMPORTS_BYTES",
    default: Some("4294967296"),
    meaning: "Maximum size of stored imported files, compressed, in bytes. The oldest files are deleted first; files that wait for a decision or \
              for other files are kept",
    is_secret: false,
};

pub const MOST_LOWER_PERCENT: Definition = Definition {
    name: "most_lower_percent",
    environment: "QUARTERDECK_MOST_LOWER_PERCENT",
    default: Some("25"),
    meaning: "Percentage, from 1 to 100, by which an import may lower the cost of a billing period without asking",
    is_secret: false,
};

pub const WATCHED_FOLDER: Definition = Definition {
    name: "watched_folder",
    environment: "QUARTERDECK_WATCHED_FOLDER",
    default: None,
    meaning: "Folder whose new and changed files are imported automatically, including subfolders. A file is complete when two checks find it \
              unchanged. Default: none",
    is_secret: false,
};

pub const WATCH_EVERY_SECONDS: Definition = Definition {
    name: "watch_every_seconds",
    environment: "QUARTERDECK_WATCH_EVERY_SECONDS",
    default: Some("60"),
    meaning: "Seconds between two checks of the watched folder, from 1 to 86400",
    is_secret: false,
};

/// In display order.
pub(super) const ALL: &[&Definition] =
    &[&KEPT_IMPORTS_BYTES, &MOST_LOWER_PERCENT, &WATCHED_FOLDER, &WATCH_EVERY_SECONDS];

/// Import settings.
#[derive(Debug, Clone)]
pub struct Importing {
    /// Maximum total size of stored imported files, bytes.
    pub kept_bytes: u64,
    /// The share (0 to 1) by which a replacement may lower the cost of a period without a question.
    pub most_lower: f64,
    /// The watched folder.
    pub watched: Option<PathBuf>,
    /// Seconds between two scans of it.
    pub watch_every: i64,
}

impl Importing {
    pub(super) fn read(of: &dyn Fn(&Definition) -> Origin) -> Result<Self, SettingsError> {
        let percent = whole(&of(&MOST_LOWER_PERCENT), 100)?;
        let folder = of(&WATCHED_FOLDER).value.filter(|value| !value.is_empty()).map(PathBuf::from);
        Ok(Self {
            kept_bytes: whole(&of(&KEPT_IMPORTS_BYTES), usize::MAX)? as u64,
            most_lower: f64::from(u32::try_from(percent).unwrap_or(100)) / 100.0,
            watched: folder.map(|folder| std::path::absolute(&folder).unwrap_or(folder)),
            watch_every: i64::try_from(whole(&of(&WATCH_EVERY_SECONDS), 86_400)?).unwrap_or(60),
        })
    }
}
