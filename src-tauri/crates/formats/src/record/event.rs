//! Alerts and things that happened.

use crate::record::Account;
use serde_json::{Map, Value};

/// Whether an event goes on, as its source says; the words of `event_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventStatus {
    Firing,
    Resolved,
    Closed,
}

/// How bad an event is, as its source says; the words of `event_severity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventSeverity {
    Debug,
    Info,
    Low,
    Medium,
    High,
}

/// One event. Its identity is account and `finding_id`; those of one `fingerprint` are the same thing happening again.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The account or cluster it happened in, where the file names one.
    pub account: Option<Account>,
    /// A value of `event_source`, such as `prometheus_alertmanager_webhook`.
    pub source: &'static str,
    pub finding_id: String,
    pub fingerprint: Option<String>,
    /// The name of the alert or the reason of the event.
    pub kind: String,
    pub title: String,
    pub description: Option<String>,
    /// `None` where the source states none: shown as unset, never guessed.
    pub severity: Option<EventSeverity>,
    pub status: EventStatus,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub subject_kind: Option<String>,
    pub subject_name: Option<String>,
    pub subject_namespace: Option<String>,
    pub subject_node: Option<String>,
    pub labels: Map<String, Value>,
    /// Whatever else the file says: annotations, links, counts.
    pub evidence: Map<String, Value>,
}
