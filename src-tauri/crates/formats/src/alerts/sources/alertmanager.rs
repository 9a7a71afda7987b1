//! Alertmanager: webhook version 4, the list of API v2, and Grafana's webhook, which wraps the same alerts in additional fields.
//!
//! <https://prometheus.io/docs/alerting/latest/configuration/#webhook_config>

use crate::alerts::fields::{at, fingerprint, has, owned, pairs, severity, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

/// Labels that name the subject of an alert, most specific first, with the kind of subject.
const SUBJECTS: [(&str, &str); 12] = [
    ("pod", "pod"),
    ("deployment", "deployment"),
    ("statefulset", "statefulset"),
    ("daemonset", "daemonset"),
    ("job_name", "job"),
    ("workload", "workload"),
    ("persistentvolumeclaim", "persistentvolumeclaim"),
    ("node", "node"),
    ("instance", "instance"),
    ("service", "service"),
    ("job", "job"),
    ("namespace", "namespace"),
];

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    let (list, source) = match json {
        Value::Object(_) if has(json, &["receiver", "alerts"]) => {
            let is_grafana = has(json, &["orgId"]) || has(json, &["title", "state"]);
            (json["alerts"].as_array()?, if is_grafana { Source::Grafana } else { Source::Alertmanager })
        }
        Value::Array(list) if list.first().is_some_and(|first| has(first, &["labels", "startsAt"])) => {
            (list, Source::Alertmanager)
        }
        _ => return None,
    };
    let alerts: Option<Vec<Alert>> = list.iter().map(alert).collect();
    Some(match alerts {
        Some(alerts) => Ok(Message { source, alerts }),
        None => Err(AlertError::Lacks { source_name: source.title(), path: "alerts[].labels" }),
    })
}

/// Reads an alert with labels and annotations.
pub fn alert(json: &Value) -> Option<Alert> {
    let labels = pairs(Some(json.get("labels")?));
    let label = |name: &str| labels.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone());
    let note = |name: &str| owned(json, &["annotations", name]);
    // API v2 writes an object with `state`, the webhook a string.
    let stated_status = owned(json, &["status"]).or_else(|| owned(json, &["status", "state"]));
    let ends_at = time(json, &["endsAt"]);
    let status = match stated_status.as_deref() {
        Some("resolved") => Status::Resolved,
        _ => Status::Firing,
    };
    let stated_severity = label("severity").or_else(|| label("priority"));
    let rule = label("alertname").unwrap_or_else(|| "Alert".to_owned());
    let subject = subject(&label);
    Some(Alert {
        fingerprint: text(json, &["fingerprint"]).map_or_else(|| own_fingerprint(&labels), Into::into),
        title: note("summary").or_else(|| note("message")).unwrap_or_else(|| rule.clone()),
        description: note("description").or_else(|| note("message")),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status,
        stated_status,
        starts_at: time(json, &["startsAt"]),
        // While an alert fires, `endsAt` is the time at which it would be resolved without another message.
        ends_at: ends_at.filter(|_| status == Status::Resolved),
        cluster: label("cluster"),
        subject,
        url: at(json, &["generatorURL"])
            .and_then(Value::as_str)
            .filter(|url| !url.is_empty())
            .map(str::to_owned),
        rule,
        labels,
    })
}

fn subject(label: &dyn Fn(&str) -> Option<String>) -> Subject {
    let found = SUBJECTS.iter().find_map(|(name, kind)| Some((*kind, label(name)?)));
    let (kind, name) = found.unwrap_or(("alert", label("alertname").unwrap_or_default()));
    Subject { kind: kind.to_owned(), name, namespace: label("namespace"), node: label("node") }
}

/// Sorts the labels by name, as Alertmanager does for its fingerprint.
fn own_fingerprint(labels: &[(String, String)]) -> String {
    let mut sorted: Vec<&(String, String)> = labels.iter().collect();
    sorted.sort();
    fingerprint(sorted.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]))
}
