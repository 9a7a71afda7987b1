//! Notifies an observer of answered requests, for metrics.

use std::time::Duration;

/// Is notified of every answered request, on the thread that answered it. Must not block.
pub trait Observer: Send + Sync {
    fn answered(&self, request: &ObservedRequest<'_>);
}

/// One request, described by values with low cardinality. None is chosen by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedRequest<'a> {
    /// The root field, by its name in the schema; `several` if there was more than one, `none` if the request could not be compiled.
    pub operation: &'a str,
    pub outcome: RequestOutcome,
    pub plan: PlanUse,
    /// Time from the start of compilation until the response was complete.
    pub took: Duration,
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOutcome {
    Answered,
    /// An error caused by the request was returned.
    Refused,
    /// An internal failure.
    Failed,
}

/// Whether the plans of a request were cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanUse {
    /// Cached from an earlier request.
    Known,
    /// Compiled for this request.
    Compiled,
}
