//! Errors of backups, with messages that tell the user what to do.

use std::io;
use std::path::{Path, PathBuf};
use store::{OpenError, StoreError};

/// Why a backup could not be taken or used.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(
        "a backup needs about {} MB free in {folder} while it is taken, and {} MB are; free some space or choose another folder",
        needed.div_ceil(1_000_000), free / 1_000_000
    )]
    NoSpace { folder: PathBuf, needed: u64, free: u64 },
    #[error(
        "the folder of backups {path} is not there; connect the disk it is on, create it, or choose another one with the setting backup_dir"
    )]
    NoFolder { path: PathBuf },
    #[error("{path} cannot be {what}: {cause}")]
    File { path: PathBuf, what: &'static str, cause: io::Error },
    #[error("the database cannot be copied")]
    Copy(#[source] Box<StoreError>),
    #[error("{path} is no backup of Quarterdeck: {why}")]
    NotABackup { path: PathBuf, why: String },
    #[error("{path} is damaged: {why}. Use another backup; this one stays as it is")]
    Damaged { path: PathBuf, why: String },
    #[error("{path} is closed with a passphrase; give the one it was taken with")]
    NeedsPassphrase { path: PathBuf },
    #[error("the passphrase does not open {path}, or its beginning is damaged")]
    WrongPassphrase { path: PathBuf },
    #[error(
        "{path} was written in a newer form ({found}; this program knows {known}); restore it with that version of Quarterdeck"
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    #[error("the database in this backup cannot be used here")]
    Database(#[source] Box<OpenError>),
    #[error("what must not count again cannot be ended in the database of this backup")]
    ExpireItems(#[source] Box<StoreError>),
    #[error(
        "expected a passphrase of at least {least} characters, got {found}; a longer one is harder to guess by whoever finds the file"
    )]
    ShortPassphrase { least: usize, found: usize },
    #[error("there is no backup {name} in {folder}")]
    Unknown { name: String, folder: PathBuf },
    #[error("nothing is put aside as {name} in {folder}")]
    NoReplacedData { name: String, folder: PathBuf },
    #[error(
        "{path} cannot be replaced while another program has it open; stop imports and other programs that use it, and try again"
    )]
    InUse {
        path: PathBuf,
        #[source]
        cause: Box<StoreError>,
    },
    #[error(
        "the backup was not put back: {path} is in its place and cannot be moved aside ({cause}). Everything is as it was; see to that, and put it \
         back again"
    )]
    Immovable { path: PathBuf, cause: io::Error },
    #[error(
        "a restore was begun and cut off: {path} holds a part of what was there before. Start Quarterdeck on this data directory once, which finishes it, \
         and try again"
    )]
    Begun { path: PathBuf },
    #[error("another backup is being taken into {folder}; try again when it is done")]
    Taking { folder: PathBuf },
}

impl BackupError {
    /// For a failed attempt to take a backup: whether a damaged database is the cause.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Copy(cause) => cause.is_damage(),
            _ => false,
        }
    }

    /// The same error with the backup's path replaced.
    pub(crate) fn about(self, path: &Path) -> Self {
        let path = path.to_owned();
        match self {
            Self::NotABackup { why, .. } => Self::NotABackup { path, why },
            Self::Damaged { why, .. } => Self::Damaged { path, why },
            Self::Newer { found, known, .. } => Self::Newer { path, found, known },
            error => error,
        }
    }

    pub(crate) fn copy(cause: StoreError) -> Self {
        Self::Copy(Box::new(cause))
    }

    pub(crate) fn file(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |cause| Self::File { path: path.to_owned(), what, cause }
    }
}
