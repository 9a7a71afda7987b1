//! The results of the files of a delivery, and the reasons for a rollback.

use crate::error::ImportError;
use crate::formats::ReadStop;
use crate::report::{Decision, Failure, Report};
use crate::write::Conflict;
use crate::write::imports::Earlier;
use crate::write::resolution::Question;
use store::StoreError;

/// The result of a file.
#[derive(Debug)]
pub(super) enum FileResult {
    Stop(ReadStop),
    Unchanged(Box<Earlier>),
    /// The user has to answer a question about the file, such as how numbers and dates are written or which columns it has.
    Undecided(Box<Decision>),
    /// The file has the same rows as an earlier file of the delivery.
    SameAs(Box<Report>),
    /// A finished report; it is stored already, unless this is a dry run.
    Done(Box<Report>),
    /// A report that still has to be stored.
    Keep(Box<Report>),
    Store(StoreError),
}

impl From<StoreError> for FileResult {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ReadStop> for FileResult {
    fn from(stop: ReadStop) -> Self {
        match stop {
            ReadStop::NeedsMapping(decision) => Self::Undecided(decision),
            stop => Self::Stop(stop),
        }
    }
}

impl From<Conflict> for FileResult {
    fn from(conflict: Conflict) -> Self {
        match conflict {
            Conflict::Store(error) => Self::Store(error),
            Conflict::TooManyPeriods => refused(Failure {
                message: format!("{conflict}; nothing was imported. A column may have been shifted."),
                looked_for: vec!["a cost file whose rows share billing accounts and periods".to_owned()],
                found: conflict.to_string(),
            }),
        }
    }
}

pub(super) fn refused(failure: Failure) -> FileResult {
    FileResult::Stop(ReadStop::Refused(Box::new(failure)))
}

/// The reason the transaction of a delivery was rolled back.
pub(super) enum Rollback {
    Store(StoreError),
    Cancelled,
    Ask(Box<Question>, Vec<(usize, Report)>),
    /// A person has to decide how the costs of the files, or of a file of a manifest, relate to stored costs.
    Undecided(Box<Decision>),
    /// A file of a manifest cannot be written.
    Incomplete(usize, Box<FileResult>),
    DryRun,
}

impl From<StoreError> for Rollback {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The error that stops a whole delivery.
pub(super) fn import_error(rollback: Rollback) -> ImportError {
    match rollback {
        Rollback::Store(error) => ImportError::Store(error),
        Rollback::Cancelled
        | Rollback::Ask(..)
        | Rollback::Undecided(_)
        | Rollback::Incomplete(..)
        | Rollback::DryRun => ImportError::Cancelled,
    }
}
