//! Alerts and other events.

use crate::record::Account;
use serde_json::{Map, Value};

/// Whether the event continues, as reported by its source; the values of `event_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventStatus {
    Firing,
    Resolved,
    Closed,
}

/// The severity as reported by the event's source; the values of `event_severity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventSeverity {
    Debug,
    Info,
    Low,
    Medium,
    High,
}

/// One event. Identified by account and `finding_id`; events with the same `fingerprint` are occurrences of one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The account or cluster it happened in, if the file names one.
    pub account: Option<Account>,
    /// A value of `event_source`, such as `prometheus_alertmanager_webhook`.
    pub source: &'static str,
    pub finding_id: String,
    pub fingerprint: Option<String>,
    /// The name of the alert or the reason of the event.
    pub kind: String,
    pub title: String,
    pub description: Option<String>,
    /// `None` when the source reports no severity; it is then shown as unset, never guessed.
    pub severity: Option<EventSeverity>,
    pub status: EventStatus,
    pub starts_at: Option<i64>,
    pub ends_at: Option<i64>,
    pub subject_kind: Option<String>,
    pub subject_name: Option<String>,
    pub subject_namespace: Option<String>,
    pub subject_node: Option<String>,
    pub labels: Map<String, Value>,
    /// All other fields of the file: annotations, links, counts.
    pub evidence: Map<String, Value>,
}
