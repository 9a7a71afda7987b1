//! What a backup holds: the first entry of its archive.

use crate::LeftOut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Its name in the archive.
pub(crate) const NAME: &str = "manifest.json";
/// The form this program writes, and the newest it reads.
pub(crate) const FORMAT: u32 = 1;

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Of this file.
    pub format: u32,
    /// The program that took it.
    pub version: String,
    /// When, in µs since 1970 UTC.
    pub taken_at: i64,
    /// Rows by table; tables without any are left out.
    pub rows: BTreeMap<String, u64>,
    /// Every other entry, in the order of the archive.
    pub files: Vec<Item>,
    /// What could not be put into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// One file of the data directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// From the data directory, with `/` on every system.
    pub path: String,
    pub bytes: u64,
    /// Hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// Bytes of all files, unpacked.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|item| item.bytes).sum()
    }
}
