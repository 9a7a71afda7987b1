//! Root fields with code: what the code is handed, and what it may answer.
//!
//! The fields are declared in the catalogue ([`catalogue::Operation`]); who serves them implements [`Operations`]. Arguments
//! come checked, and of the answer the request's selection is picked here, so code speaks plain JSON both ways.

use crate::Engine;
use catalogue::{Caller, Root};
use serde_json::{Map, Value};
use std::any::Any;
use store::{Cancel, StoreError, Transaction};

/// The code of all declared operations.
pub trait Operations: Send + Sync {
    /// Whether there is code for a root field.
    fn has(&self, root: Root, name: &str) -> bool;

    /// Answers one call, with JSON in the shape of the declared type; an absent key is null.
    fn call(&self, call: &Call<'_>) -> Result<Value, Refusal>;

    /// Answers a call before the request's snapshot or transaction begins, where answering takes long or asks another machine: it
    /// keeps what it writes in transactions of its own. `None`, as for most, leaves it to [`Self::call`].
    fn ahead(&self, _: &Ahead<'_>) -> Option<Result<Value, Refusal>> {
        None
    }

    /// Reads what a mutation needs before the request's transaction begins, where that takes long: others write meanwhile. It writes nothing, and
    /// [`Self::call`] looks whether it is still so ([`Call::read_ahead`]). Only for a mutation that is all of its request: what stands beside it is not
    /// written yet. `None`, as for most, and what is refused here, leave it to [`Self::call`].
    fn read_ahead(&self, _: &Ahead<'_>) -> Option<ReadAhead> {
        None
    }
}

/// What was read ahead of a transaction, as a type that the operation knows.
pub type ReadAhead = Box<dyn Any + Send + Sync>;

/// A call that may be answered ahead of its request's snapshot or transaction.
pub struct Ahead<'a> {
    pub name: &'a str,
    pub root: Root,
    /// As for [`Call`].
    pub arguments: &'a Map<String, Value>,
    pub caller: &'a Caller,
    /// Through which the caller can be asked for: with the rights, limits and tenant of the caller.
    pub engine: &'a Engine,
    /// Set when nobody waits for the answer any more.
    pub cancel: &'a Cancel,
}

/// One call of an operation.
pub struct Call<'a> {
    pub name: &'a str,
    /// Both roots may have a field of this name.
    pub root: Root,
    /// As declared: defaults put in, one value where a list is declared made a list, unknown fields refused. Arguments left
    /// out are absent. Times and dates are texts that can be read; uuids are in lower case.
    pub arguments: &'a Map<String, Value>,
    pub caller: &'a Caller,
    /// The rows of the request's snapshot (query) or transaction (mutation), as far as the caller meets them.
    pub rows: &'a Transaction<'a>,
    /// µs since 1970 UTC.
    pub now: i64,
    /// What the request selects of the answer; see [`Self::selects`].
    pub(crate) selection: &'a dyn Selection,
    /// See [`Self::read_ahead`].
    pub(crate) ahead: Option<&'a ReadAhead>,
}

impl Call<'_> {
    /// Whether the answer is asked for the member at `path`, so that what is dear and not asked for need not be read.
    pub fn selects(&self, path: &[&str]) -> bool {
        self.selection.has(path)
    }

    /// What [`Operations::read_ahead`] has read, where it has.
    pub fn read_ahead<T: Any>(&self) -> Option<&T> {
        self.ahead.and_then(|ahead| ahead.downcast_ref())
    }
}

/// What is selected of an answer.
pub(crate) trait Selection: Sync {
    fn has(&self, path: &[&str]) -> bool;
}

/// Why a call is refused. Everything the request has written is undone, unless the refusal [keeps](Self::keeping_changes) it.
///
/// The code `unexpected` is a failure of ours: its message is logged, not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: &'static str,
    pub message: String,
    pub(crate) keeps_changes: bool,
}

impl Refusal {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), keeps_changes: false }
    }

    /// The same refusal, with what the request has written up to here kept: a question that cannot be answered stays asked.
    #[must_use]
    pub fn keeping_changes(self) -> Self {
        Self { keeps_changes: true, ..self }
    }

    /// The request does not fit what is stored or allowed: what was expected, what came, what to do.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new("validation-failed", message)
    }

    /// A limit beyond the most rows of one answer, in the words of listings.
    pub fn too_many_rows(limit: u64, most: u64) -> Self {
        Self::new("limit-exceeded", crate::error::too_many_rows(limit, most))
    }

    /// There is no such row, or not for this caller.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new("not-found", message)
    }

    /// A status machine has no such transition.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new("conflict", message)
    }

    /// The caller's roles do not allow it.
    pub fn denied() -> Self {
        Self::new(DENIED.0, DENIED.1)
    }

    /// Whether this is a failure of ours, and nothing a caller could mend.
    pub fn is_unexpected(&self) -> bool {
        self.code == UNEXPECTED
    }

    /// As the store carries it, of code that follows from a change: the store knows the place.
    pub fn into_error(self) -> StoreError {
        self.at(String::new())
    }

    /// As the store carries it to the answer.
    pub(crate) fn at(self, place: String) -> StoreError {
        match self.code {
            UNEXPECTED => StoreError::Code(self.message.into()),
            CANCELLED => StoreError::Interrupted,
            code => {
                let keeps_changes = self.keeps_changes;
                StoreError::Refused { code, place, message: self.message, keeps_changes }
            }
        }
    }
}

const DENIED: (&str, &str) = ("permission-error", "Access Denied: your roles do not allow this");
const UNEXPECTED: &str = "unexpected";
const CANCELLED: &str = "cancelled";

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match code(&error) {
            Some(code) if code == DENIED.0 => Self::denied(),
            Some(code) => Self::new(code, error.to_string()),
            None => Self::new(UNEXPECTED, chain(&error)),
        }
    }
}

/// The code of what a caller can act on; `None` for a failure of ours.
pub(crate) fn code(error: &StoreError) -> Option<&'static str> {
    Some(match error {
        StoreError::Denied => DENIED.0,
        StoreError::Forbidden { .. } => "FORBIDDEN",
        StoreError::Refused { code, .. } => code,
        StoreError::Unique { .. } | StoreError::ForeignKey(_) | StoreError::NotNull { .. } => {
            "constraint-violation"
        }
        StoreError::TooManyRows { .. }
        | StoreError::TooManyBytes { .. }
        | StoreError::TooLong { .. }
        | StoreError::TooManyPasses { .. }
        | StoreError::TooManyRelated { .. } => "limit-exceeded",
        StoreError::Interrupted => CANCELLED,
        StoreError::NoParent { .. }
        | StoreError::WrongValue { .. }
        | StoreError::TwoValues { .. }
        | StoreError::OutOfRange(_)
        | StoreError::WrongJson(_) => "data-exception",
        _ => return None,
    })
}

/// An error with all its causes.
fn chain(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        text.push_str(&format!(": {next}"));
        cause = next.source();
    }
    text
}

/// An interface without code: every operation is refused.
pub(crate) struct NoOperations;

impl Operations for NoOperations {
    fn has(&self, _: Root, _: &str) -> bool {
        false
    }

    fn call(&self, call: &Call<'_>) -> Result<Value, Refusal> {
        Err(Refusal::new("not-supported", format!("nobody serves `{}` here", call.name)))
    }
}
