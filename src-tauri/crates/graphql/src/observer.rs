//! What is told of answered requests to whoever counts them.

use std::time::Duration;

/// Hears of every request that was answered. Called on the thread that answered it, so it must not block.
pub trait Observer: Send + Sync {
    fn answered(&self, request: &ObservedRequest<'_>);
}

/// One request, in words of which there are few: nothing a caller chose is among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedRequest<'a> {
    /// The root field, by its name in the schema; `several` when there was more than one, `none` when the request was not understood.
    pub operation: &'a str,
    pub outcome: RequestOutcome,
    pub plan: PlanUse,
    /// From its compilation until the answer was there.
    pub took: Duration,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOutcome {
    Answered,
    /// The caller was told of an error that is the caller's.
    Refused,
    /// A failure of the service.
    Failed,
}

/// Where the plans of a request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanUse {
    /// They were known from an earlier request.
    Known,
    /// They were made for this one.
    Compiled,
}
