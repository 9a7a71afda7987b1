//! Errors of reading an alert body.

/// The reason a body was refused. Nothing of it is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlertError {
    #[error("The body is not JSON (line {line}, column {column}): {reason}")]
    NotJson { line: usize, column: usize, reason: String },
    /// JSON that no known sender writes.
    #[error(
        "The body is not an alert that Quarterdeck knows: found {found}. Expected the webhook of Alertmanager, Grafana, \
         Azure Monitor, CloudWatch (SNS), Datadog, Dynatrace, Google Cloud Monitoring, New Relic, Opsgenie, PagerDuty, ServiceNow or Zenduty"
    )]
    Unknown { found: String },
    /// The sender was recognised, but a field that it always sends is missing.
    #[error("The {source_name} message lacks {path}")]
    Lacks { source_name: &'static str, path: &'static str },
    #[error("The body has {found} alerts; the limit is {limit}")]
    TooMany { found: usize, limit: usize },
    /// Amazon SNS asks the receiver to open a URL. The service does not open URLs that a message contains.
    #[error(
        "Amazon SNS asks to confirm the subscription of {topic}. Quarterdeck opens no address that a message names: confirm it in the \
         SNS console, or with `aws sns confirm-subscription`"
    )]
    Confirmation { topic: String },
}
