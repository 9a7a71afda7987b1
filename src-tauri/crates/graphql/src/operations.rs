//! The interface between root fields implemented in code and the code itself.
//!
//! The catalogue declares the fields ([`catalogue::Operation`]); a service implements [`Operations`]. Arguments are validated before a
//! call, and the request's selection is applied to the result afterwards, therefore code handles plain JSON only.

use crate::Engine;
use catalogue::{Caller, Root};
use serde_json::{Map, Value};
use std::any::Any;
use store::{Cancel, StoreError, Transaction};

/// The code of all declared operations.
pub trait Operations: Send + Sync {
    /// Whether there is code for a root field.
    fn has(&self, root: Root, name: &str) -> bool;

    /// Answers one call with JSON in the shape of the declared type; a missing key is null.
    fn call(&self, call: &Call<'_>) -> Result<Value, Refusal>;

    /// Answers a call before the request's snapshot or transaction starts. For calls that take long or query another machine; they write
    /// in their own transactions. The default `None` leaves the call to [`Self::call`].
    fn resolve_before_transaction(&self, _: &PreTransactionCall<'_>) -> Option<Result<Value, Refusal>> {
        None
    }

    /// Reads data for a mutation before the request's transaction starts, if reading takes long, so that others can write meanwhile. Must
    /// not write; [`Self::call`] must check that the data is still valid ([`Call::read_ahead`]). Only called for a mutation that is alone
    /// in its request, because sibling fields have not been written yet. `None`, the default, leaves everything to [`Self::call`].
    fn read_ahead(&self, _: &PreTransactionCall<'_>) -> Option<ReadAhead> {
        None
    }
}

/// Data read before a transaction, of a type known to the operation.
pub type ReadAhead = Box<dyn Any + Send + Sync>;

/// A call that may be answered before its request's snapshot or transaction.
pub struct PreTransactionCall<'a> {
    pub name: &'a str,
    pub root: Root,
    /// See [`Call::arguments`].
    pub arguments: &'a Map<String, Value>,
    pub caller: &'a Caller,
    /// The engine, for queries with the caller's rights, limits and tenant.
    pub engine: &'a Engine,
    /// Set when the request is cancelled.
    pub cancel: &'a Cancel,
}

/// One call of an operation.
pub struct Call<'a> {
    pub name: &'a str,
    /// Both roots may have a field of this name.
    pub root: Root,
    /// Arguments as declared: with defaults, single values converted to lists where a list is declared, unknown fields refused. Omitted
    /// arguments are absent. Times and dates are valid texts; uuids are in lower case.
    pub arguments: &'a Map<String, Value>,
    pub caller: &'a Caller,
    /// The rows of the request's snapshot (query) or transaction (mutation) that the caller may access.
    pub rows: &'a Transaction<'a>,
    /// µs since 1970 UTC.
    pub now: i64,
    /// The request's selection on the result; see [`Self::selects`].
    pub(crate) selection: &'a dyn Selection,
    /// See [`Self::read_ahead`].
    pub(crate) read_ahead: Option<&'a ReadAhead>,
}

impl Call<'_> {
    /// Whether the request selects the member at `path`, so that expensive data need not be read otherwise.
    pub fn selects(&self, path: &[&str]) -> bool {
        self.selection.has(path)
    }

    /// The data read by [`Operations::read_ahead`], if any.
    pub fn read_ahead<T: Any>(&self) -> Option<&T> {
        self.read_ahead.and_then(|ahead| ahead.downcast_ref())
    }
}

/// The selection on a result.
pub(crate) trait Selection: Sync {
    fn has(&self, path: &[&str]) -> bool;
}

/// Why a call is refused. Everything the request has written is rolled back, unless the refusal [keeps](Self::keeping_changes) it.
///
/// The code `unexpected` means an internal failure: its message is logged, not returned.
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

    /// The same refusal, but earlier writes of the request are committed: a question that cannot be answered remains stored.
    #[must_use]
    pub fn keeping_changes(self) -> Self {
        Self { keeps_changes: true, ..self }
    }

    /// The request conflicts with stored data or is not allowed. The message should state what was expected, what was found and what to do.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new("validation-failed", message)
    }

    /// A limit above the maximum number of rows, with the message of listings.
    pub fn too_many_rows(limit: u64, most: u64) -> Self {
        Self::new("limit-exceeded", crate::error::too_many_rows(limit, most))
    }

    /// The row does not exist or is not accessible to the caller.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new("not-found", message)
    }

    /// The state machine does not allow this transition.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new("conflict", message)
    }

    /// The caller's roles do not allow it.
    pub fn denied() -> Self {
        Self::new(DENIED.0, DENIED.1)
    }

    /// Whether this is an internal failure, which the caller cannot fix.
    pub fn is_unexpected(&self) -> bool {
        self.code == UNEXPECTED
    }

    /// Converts the refusal of a hook to a store error; the store adds the position.
    pub fn into_error(self) -> StoreError {
        self.with_position(String::new())
    }

    /// Converts the refusal to a store error with a position in the request.
    pub(crate) fn with_position(self, place: String) -> StoreError {
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

/// The error code for errors that the caller can act on; `None` for an internal failure.
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

/// An error message with all its causes.
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
