//! Response types for backups. Sizes in bytes, times in ISO 8601, UTC.

use crate::backups::ClosedBy;
use backup::replaced::ReplacedData;
use backup::{BackupFile, LeftOut, Reason, Schedule};
use catalogue::format_timestamptz;
use schemars::JsonSchema;
use serde::Serialize;

/// The backups, their schedule, and the free disk space.
#[derive(Serialize, JsonSchema)]
pub struct BackupList {
    pub backups: Vec<BackupShown>,
    pub schedule: Schedule,
    pub saved_at: Option<String>,
    pub saved_by: Option<String>,
    pub next_at: Option<String>,
    /// The type of database.
    pub database: Database,
    pub folder: String,
    pub bytes: u64,
    pub free_bytes: Option<u64>,
    /// Whether automatic backups are encrypted.
    pub closes: bool,
    /// The source of the passphrase. Null if automatic backups are not encrypted.
    pub closed_by: Option<ClosedByShown>,
    /// Problems with automatic backups, as texts.
    pub troubles: Vec<String>,
    pub aside: Vec<AsideShown>,
    /// The name of this instance, to be entered to confirm destructive actions.
    pub confirm: String,
}

/// The type of database.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Database {
    Sqlite,
    Postgresql,
}

/// One backup.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Backup")]
pub struct BackupShown {
    name: String,
    /// Size in bytes. 0 if the backup failed.
    bytes: u64,
    /// Whether the backup is encrypted with a passphrase.
    closed: bool,
    taken_at: String,
    reason: Reason,
    check: CheckShown,
    /// Files that could not be included. A restore leaves them in place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// SHA-256 of the database pages that were backed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages_sha256: Option<String>,
}

impl From<&BackupFile> for BackupShown {
    fn from(kept: &BackupFile) -> Self {
        let remark = kept.facts.clone();
        Self {
            name: kept.name.clone(),
            bytes: kept.bytes,
            closed: kept.closed,
            taken_at: format_timestamptz(remark.taken_at),
            reason: remark.reason,
            check: remark.check.into(),
            left_out: remark.left_out,
            pages_sha256: remark.pages_sha256,
        }
    }
}

/// The result of the test that opens the backup.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BackupCheck")]
#[serde(tag = "state", rename_all = "snake_case")]
enum CheckShown {
    /// The backup was unpacked into a test copy, and all hashes and rows match.
    Verified { at: String },
    /// Not tested, the test was inconclusive, or a later test found damage.
    Unverified { why: String },
    /// The backup failed. There is no file.
    Failed { why: String },
}

impl From<backup::Check> for CheckShown {
    fn from(check: backup::Check) -> Self {
        match check {
            backup::Check::Verified { at } => Self::Verified { at: format_timestamptz(at) },
            backup::Check::Unverified { why } => Self::Unverified { why },
            backup::Check::Failed { why } => Self::Failed { why },
        }
    }
}

/// The previous data that a restore moved aside.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ReplacedData")]
pub struct AsideShown {
    name: String,
    bytes: u64,
    replaced_at: String,
    /// Name of a valid backup of the same data. Null if this is the only copy.
    backup: Option<String>,
}

impl From<&ReplacedData> for AsideShown {
    fn from(aside: &ReplacedData) -> Self {
        Self {
            name: aside.name.clone(),
            bytes: aside.bytes,
            replaced_at: format_timestamptz(aside.replaced_at),
            backup: aside.backup.clone(),
        }
    }
}

/// The source of the passphrase for automatic backups.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ClosedBy")]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClosedByShown {
    /// The file named in a setting.
    File,
    /// A stored passphrase. `at` is when it was saved, `by` the e-mail address of the person who saved it.
    Stored { at: Option<String>, by: Option<String> },
}

impl From<ClosedBy> for ClosedByShown {
    fn from(closed_by: ClosedBy) -> Self {
        match closed_by {
            ClosedBy::File => Self::File,
            ClosedBy::Stored { at, by } => Self::Stored { at: at.map(format_timestamptz), by },
        }
    }
}

/// The content of a backup compared with the current data.
#[derive(Serialize, JsonSchema)]
pub struct RestorePreview {
    pub backup: BackupShown,
    pub version: String,
    pub this_version: &'static str,
    pub taken_at: String,
    pub bytes: u64,
    pub left_out: Vec<LeftOut>,
    /// Null if the current data cannot be read.
    pub rows: Option<Vec<TableRows>>,
    /// Null if the current data cannot be read.
    pub since: Option<Since>,
    /// Why the current data cannot be read. It can still be restored from the backup, but not backed up first.
    pub damage: Option<String>,
    /// The name of this instance, to be entered as confirmation.
    pub confirm: String,
}

/// The number of rows of a table, in the backup and now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ComparedRows")]
pub struct TableRows {
    pub table: String,
    pub now: u64,
    pub then: u64,
}

/// Changes since the backup was taken, which a restore would lose.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SinceBackup")]
pub struct Since {
    /// File names of imports, at most 20.
    pub imports: Vec<String>,
    pub import_count: usize,
    pub changes: u64,
    pub security_events: u64,
}

/// A restore in progress. The service restarts to complete it.
#[derive(Serialize, JsonSchema)]
pub struct RestoreBegun {
    pub restarting: bool,
    pub taken_at: String,
    /// The backup of the replaced data. Null if it failed.
    pub before: Option<BackupShown>,
    /// Why the replaced data could not be backed up.
    pub not_backed_up: Option<String>,
    /// Whether API tokens revoked after the backup was taken stay revoked.
    pub knows_revoked: bool,
}
