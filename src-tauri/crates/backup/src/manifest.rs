//! The manifest: the first entry of the archive, which lists the others.

use crate::LeftOut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Its file name in the archive.
pub(crate) const NAME: &str = "manifest.json";
/// The format version this program writes, and the newest it reads.
pub(crate) const FORMAT: u32 = 1;

/// The content of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Format version of the archive.
    pub format: u32,
    /// Version of the program that took the backup.
    pub version: String,
    /// Time of the backup in µs since 1970 UTC.
    pub taken_at: i64,
    /// Row counts by table; empty tables are omitted.
    pub rows: BTreeMap<String, u64>,
    /// All other entries, in archive order.
    pub files: Vec<Item>,
    /// Files that could not be included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// One file of the data directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Path relative to the data directory, with `/` on every system.
    pub path: String,
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// Total size in bytes of all files, unpacked.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|item| item.bytes).sum()
    }
}
