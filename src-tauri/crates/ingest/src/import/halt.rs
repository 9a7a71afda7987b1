//! How a file of a delivery ended, and why its transaction was rolled back.

use crate::error::ImportError;
use crate::formats::Stop;
use crate::report::{Decision, Failure, Report};
use crate::write::Conflict;
use crate::write::imports::Earlier;
use crate::write::settle::Question;
use store::StoreError;

/// How a file ended.
#[derive(Debug)]
pub(super) enum Halt {
    Stop(Stop),
    Unchanged(Box<Earlier>),
    /// A person must say how numbers or dates are written.
    Undecided(Box<Decision>),
    /// The same rows as those of an earlier file of the delivery.
    SameAs(Box<Report>),
    /// Its report; written when it is not a dry run.
    Done(Box<Report>),
    /// A report that is still to be written.
    Keep(Box<Report>),
    Store(StoreError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::NeedsMapping(decision) => Self::Undecided(decision),
            stop => Self::Stop(stop),
        }
    }
}

impl From<Conflict> for Halt {
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

pub(super) fn refused(failure: Failure) -> Halt {
    Halt::Stop(Stop::Refused(Box::new(failure)))
}

/// Why the transaction of a delivery was rolled back.
pub(super) enum Rollback {
    Store(StoreError),
    Cancelled,
    Ask(Box<Question>, Vec<(usize, Report)>),
    /// A person must say of the files, or of one of a manifest, what their costs are beside those that are stored.
    Undecided(Box<Decision>),
    /// A file of a manifest cannot be written.
    Incomplete(usize, Box<Halt>),
    DryRun,
}

impl From<StoreError> for Rollback {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What stops a whole delivery.
pub(super) fn fault(rollback: Rollback) -> ImportError {
    match rollback {
        Rollback::Store(error) => ImportError::Store(error),
        Rollback::Cancelled
        | Rollback::Ask(..)
        | Rollback::Undecided(_)
        | Rollback::Incomplete(..)
        | Rollback::DryRun => ImportError::Cancelled,
    }
}
