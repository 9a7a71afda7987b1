//! The one shape all senders' alerts are read into.

/// What one body held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub source: Source,
    pub alerts: Vec<Alert>,
}

/// Who sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Alertmanager,
    AzureMonitor,
    CloudWatch,
    Datadog,
    Dynatrace,
    Grafana,
    NewRelic,
    Opsgenie,
    PagerDuty,
    Zenduty,
}

impl Source {
    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Alertmanager => "Alertmanager",
            Self::AzureMonitor => "Azure Monitor",
            Self::CloudWatch => "Amazon CloudWatch",
            Self::Datadog => "Datadog",
            Self::Dynatrace => "Dynatrace",
            Self::Grafana => "Grafana",
            Self::NewRelic => "New Relic",
            Self::Opsgenie => "Opsgenie",
            Self::PagerDuty => "PagerDuty",
            Self::Zenduty => "Zenduty",
        }
    }

    /// The value of the interface's lookup `event_source`.
    pub fn lookup_value(self) -> &'static str {
        match self {
            Self::Alertmanager => "prometheus_alertmanager_webhook",
            Self::AzureMonitor => "azure_monitor_webhook",
            Self::CloudWatch => "AWS_CloudWatch_Alarm",
            Self::Datadog => "datadog_webhook",
            Self::Dynatrace => "dynatrace_webhook",
            Self::Grafana => "grafana_webhook",
            Self::NewRelic => "newrelic_webhook",
            Self::Opsgenie => "opsgenie_webhook",
            Self::PagerDuty => "pagerduty_webhook",
            Self::Zenduty => "zenduty_webhook",
        }
    }
}

/// How bad it is: the values of the interface's lookup `event_severity`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Debug,
    Info,
    Low,
    Medium,
    High,
}

impl Severity {
    pub fn lookup_value(self) -> &'static str {
        match self {
            Self::Debug => "DEBUG",
            Self::Info => "INFO",
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
        }
    }
}

/// Whether it goes on: values of the interface's lookup `event_status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Firing,
    Resolved,
}

impl Status {
    pub fn lookup_value(self) -> &'static str {
        match self {
            Self::Firing => "FIRING",
            Self::Resolved => "RESOLVED",
        }
    }
}

/// What an alert is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// pod, deployment, node, service, resource …
    pub kind: String,
    pub name: String,
    pub namespace: Option<String>,
    pub node: Option<String>,
}

/// One alert, in the sender's words where they are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// Two alerts with one fingerprint are the same thing, once firing and once resolved, or happening again.
    pub fingerprint: String,
    /// The rule or the kind of alert, such as `CPUThrottlingHigh`.
    pub rule: String,
    pub title: String,
    pub description: Option<String>,
    /// LOW where the sender states none; see `stated_severity`.
    pub severity: Severity,
    /// The sender's own word; `None` where it states none.
    pub stated_severity: Option<String>,
    pub status: Status,
    /// The sender's own word for the status.
    pub stated_status: Option<String>,
    /// µs since 1970 UTC.
    pub starts_at: i64,
    /// µs since 1970 UTC; `None` while it goes on or where the sender does not say.
    pub ends_at: Option<i64>,
    /// Cluster or account it happened in, where the sender names one.
    pub cluster: Option<String>,
    pub subject: Subject,
    /// In the sender's order, each name once.
    pub labels: Vec<(String, String)>,
    /// A page of the sender about it.
    pub url: Option<String>,
}
