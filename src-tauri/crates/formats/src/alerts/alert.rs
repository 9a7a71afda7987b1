//! The common representation of alerts of all senders, before conversion to events.

use crate::record::{Event, EventSeverity, EventStatus};
use serde_json::{Map, Value};

/// The contents of one webhook body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub source: Source,
    pub alerts: Vec<Alert>,
}

/// The system that sent an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Alertmanager,
    AzureMonitor,
    CloudWatch,
    Datadog,
    Dynatrace,
    Google,
    Grafana,
    NewRelic,
    Opsgenie,
    PagerDuty,
    Prometheus,
    ServiceNow,
    Zenduty,
}

impl Source {
    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Alertmanager => "Alertmanager",
            Self::AzureMonitor => "Azure Monitor",
            Self::CloudWatch => "Amazon CloudWatch",
            Self::Datadog => "Datadog",
            Self::Dynatrace => "Dynatrace",
            Self::Google => "Google Cloud Monitoring",
            Self::Grafana => "Grafana",
            Self::NewRelic => "New Relic",
            Self::Opsgenie => "Opsgenie",
            Self::PagerDuty => "PagerDuty",
            Self::Prometheus => "Prometheus",
            Self::ServiceNow => "ServiceNow",
            Self::Zenduty => "Zenduty",
        }
    }

    /// Whether the message that an alert is resolved states the same start as the message that it fires.
    fn repeats_start(self) -> bool {
        !matches!(self, Self::CloudWatch | Self::Datadog | Self::NewRelic)
    }

    /// The value of the lookup `event_source`.
    pub fn lookup_value(self) -> &'static str {
        match self {
            Self::Alertmanager => "prometheus_alertmanager_webhook",
            Self::AzureMonitor => "azure_monitor_webhook",
            Self::CloudWatch => "AWS_CloudWatch_Alarm",
            Self::Datadog => "datadog_webhook",
            Self::Dynatrace => "dynatrace_webhook",
            Self::Google => "GCP_Metric_Alert",
            Self::Grafana => "grafana_webhook",
            Self::NewRelic => "newrelic_webhook",
            Self::Opsgenie => "opsgenie_webhook",
            Self::PagerDuty => "pagerduty_webhook",
            Self::Prometheus => "prometheus",
            Self::ServiceNow => "servicenow_webhook",
            Self::Zenduty => "zenduty_webhook",
        }
    }
}

/// The object that an alert is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// The kind of object: pod, deployment, node, service, resource …
    pub kind: String,
    pub name: String,
    pub namespace: Option<String>,
    pub node: Option<String>,
}

/// One alert. Its texts are as the sender wrote them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// Alerts with the same fingerprint are one condition: firing, resolved or occurring again.
    pub fingerprint: String,
    /// The alerting rule or type of alert, such as `CPUThrottlingHigh`.
    pub rule: String,
    pub title: String,
    pub description: Option<String>,
    /// `None` when the sender states no severity or an unknown one.
    pub severity: Option<EventSeverity>,
    /// The severity as the sender wrote it; `None` if it states none.
    pub stated_severity: Option<String>,
    pub status: EventStatus,
    /// The status as the sender wrote it.
    pub stated_status: Option<String>,
    /// µs since 1970 UTC; `None` when the sender states no start.
    pub starts_at: Option<i64>,
    /// µs since 1970 UTC; `None` while the alert is firing or when the sender states no end.
    pub ends_at: Option<i64>,
    /// The cluster or account it happened in, if the sender names one.
    pub cluster: Option<String>,
    pub subject: Subject,
    /// In the sender's order, each name once.
    pub labels: Vec<(String, String)>,
    /// The URL of the sender's page about the alert.
    pub url: Option<String>,
}

impl Alert {
    /// Converts the alert to an event of its source.
    pub fn into_event(self, source: Source) -> Event {
        // An event is one occurrence: when an alert starts again, it is another event with the same fingerprint.
        let finding_id = match self.starts_at {
            Some(start) if source.repeats_start() => format!("{}:{start}", self.fingerprint),
            Some(start) if self.status == EventStatus::Firing => format!("{}:{start}", self.fingerprint),
            _ => self.fingerprint.clone(),
        };
        let mut evidence = Map::new();
        let said = [
            ("type", Some("alert".to_owned())),
            ("source", Some(source.title().to_owned())),
            ("severity", self.stated_severity),
            ("status", self.stated_status),
            ("url", self.url),
            ("cluster", self.cluster.clone()),
        ];
        for (name, value) in said {
            evidence.insert(name.to_owned(), value.map_or(Value::Null, Value::String));
        }
        let mut labels: Map<String, Value> =
            self.labels.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        if let Some(cluster) = self.cluster {
            labels.entry("cluster").or_insert(Value::String(cluster));
        }
        Event {
            account: None,
            source: source.lookup_value(),
            finding_id,
            fingerprint: Some(self.fingerprint),
            title: title(&self.title)
                .or_else(|| title(&self.rule))
                .unwrap_or_else(|| source.title().to_owned()),
            kind: self.rule,
            // The full text of a truncated title becomes the description.
            description: self
                .description
                .or_else(|| (self.title.chars().count() > LONGEST_TITLE).then_some(self.title)),
            severity: self.severity,
            status: self.status,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            subject_kind: Some(self.subject.kind),
            subject_name: Some(self.subject.name),
            subject_namespace: self.subject.namespace,
            subject_node: self.subject.node,
            labels,
            evidence,
        }
    }
}

/// Maximum number of characters in a title, which is one line of a list.
const LONGEST_TITLE: usize = 300;

/// A title on one line without control characters; `None` when nothing is left of it.
fn title(text: &str) -> Option<String> {
    // Bidirectional overrides and isolates would reverse the rest of a line.
    let is_sign = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let words: Vec<String> = text
        .split(|letter: char| letter.is_whitespace() || letter.is_control())
        .map(|word| word.replace(is_sign, ""))
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    let cut = || format!("{}…", line.chars().take(LONGEST_TITLE - 1).collect::<String>());
    match line.chars().count() {
        0 => None,
        1..=LONGEST_TITLE => Some(line),
        _ => Some(cut()),
    }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_title_is_one_short_line_that_turns_nothing_around() {
        assert_eq!(title("  Disk\nfull\u{202e} on\t x "), Some("Disk full on x".to_owned()));
        assert_eq!(title(" \u{202e}\u{7} "), None);
        assert_eq!(title(&"é".repeat(300)).map(|line| line.chars().count()), Some(300));
        let cut = title(&"long ".repeat(400)).unwrap();
        assert!(cut.chars().count() == 300 && cut.ends_with('…'), "{cut}");
    }
}
