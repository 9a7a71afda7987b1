//! Response types for backups. Sizes in bytes, times in ISO 8601, UTC.

use crate::backups::ClosedBy;
use backup::replaced::ReplacedData;
use backup::{BackupFile, LeftOut, Reason, Schedule};
use catalogue::format_timestamptz;
use schemars::JsonSchema;
use serde::Serialize;

/// The backups, the schedule, and the room there is.
#[derive(Serialize, JsonSchema)]
pub struct BackupList {
    pub backups: Vec<BackupShown>,
    pub schedule: Schedule,
    pub saved_at: Option<String>,
    pub saved_by: Option<String>,
    pub next_at: Option<String>,
    /// Where the rows are.
    pub database: Database,
    pub folder: String,
    pub bytes: u64,
    pub free_bytes: Option<u64>,
    /// Whether the service closes those it takes by itself.
    pub closes: bool,
    /// Null where they are open.
    pub closed_by: Option<ClosedByShown>,
    /// What is wrong with backups that are to be taken, in words.
    pub troubles: Vec<String>,
    pub aside: Vec<AsideShown>,
    /// The name to type before something is lost: of this instance.
    pub confirm: String,
}

/// What holds the rows.
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
    /// 0 where it could not be taken.
    bytes: u64,
    /// Whether a passphrase closes it.
    closed: bool,
    taken_at: String,
    reason: Reason,
    check: CheckShown,
    /// What could not be put into it; a restore leaves it where it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// SHA-256 of what it was taken of.
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

/// What opening it showed.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BackupCheck")]
#[serde(tag = "state", rename_all = "snake_case")]
enum CheckShown {
    /// Unpacked into a test copy: all hashes and rows are as written.
    Verified { at: String },
    /// Not tried, the try said nothing about the backup, or a later one found it damaged.
    Unverified { why: String },
    /// It could not be taken; there is no file.
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

/// What a restore put aside: everything that was there before.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ReplacedData")]
pub struct AsideShown {
    name: String,
    bytes: u64,
    replaced_at: String,
    /// A sound backup of the same; null where this is the only copy.
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

/// Whose passphrase encrypts the backups that the service takes by itself.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ClosedBy")]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ClosedByShown {
    /// That of the file a setting names.
    File,
    /// The one stored then, by an e-mail address.
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

/// What a backup holds beside what there is now.
#[derive(Serialize, JsonSchema)]
pub struct RestorePreview {
    pub backup: BackupShown,
    pub version: String,
    pub this_version: &'static str,
    pub taken_at: String,
    pub bytes: u64,
    pub left_out: Vec<LeftOut>,
    /// Null where what there is now cannot be read.
    pub rows: Option<Vec<TableRows>>,
    /// Null where what there is now cannot be read.
    pub since: Option<Since>,
    /// Why what there is now cannot be told: it can be put right, and cannot be backed up first.
    pub damage: Option<String>,
    /// The name to type: of this instance.
    pub confirm: String,
}

/// Rows of a table in a backup and now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ComparedRows")]
pub struct TableRows {
    pub table: String,
    pub now: u64,
    pub then: u64,
}

/// What has happened since a backup was taken, and would be lost.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SinceBackup")]
pub struct Since {
    /// Names of files, 20 at most.
    pub imports: Vec<String>,
    pub import_count: usize,
    pub changes: u64,
    pub security_events: u64,
}

/// A restore that goes on; the service starts again.
#[derive(Serialize, JsonSchema)]
pub struct RestoreBegun {
    pub restarting: bool,
    pub taken_at: String,
    /// The backup of what was there; null where it could not be taken.
    pub before: Option<BackupShown>,
    /// Why not.
    pub not_backed_up: Option<String>,
    /// Whether sign-ins that were ended since then stay ended.
    pub knows_revoked: bool,
}
