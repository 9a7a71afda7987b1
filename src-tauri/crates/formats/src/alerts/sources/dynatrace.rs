//! Dynatrace: a Davis event as sent by a workflow, with dotted field names.
//!
//! <https://docs.dynatrace.com/docs/semantic-dictionary/model/davis>

use crate::alerts::fields::{fingerprint, has, owned, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::{EventSeverity as Severity, EventStatus as Status};
use serde_json::Value;

const SOURCE: Source = Source::Dynatrace;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    if !has(json, &["event.kind", "event.category"]) {
        return None;
    }
    let field = |name: &str| owned(json, &[name]);
    let Some(id) = field("event.id") else {
        return Some(Err(AlertError::Lacks { source_name: SOURCE.title(), path: "event.id" }));
    };
    let rule = field("event.name").unwrap_or_else(|| "Davis event".to_owned());
    let is_resolved = text(json, &["event.status"]).as_deref() == Some("CLOSED")
        || matches!(text(json, &["event.status_transition"]).as_deref(), Some("CLOSED" | "RESOLVED"));
    let category = field("event.category");
    let severity = match category.as_deref() {
        Some("AVAILABILITY" | "ERROR") => Some(Severity::High),
        Some("SLOWDOWN" | "RESOURCE_CONTENTION" | "CUSTOM_ALERT") => Some(Severity::Medium),
        Some("INFO") => Some(Severity::Info),
        _ => None,
    };
    let subjects = [
        ("dt.entity.process_group_instance.name", "process"),
        ("dt.entity.service.name", "service"),
        ("k8s.workload.name", "workload"),
        ("host.name", "host"),
        ("k8s.node.name", "node"),
        ("dt.source_entity", "entity"),
    ];
    let subject = subjects.iter().find_map(|(name, kind)| Some(((*kind).to_owned(), field(name)?)));
    let (kind, name) = subject.unwrap_or_else(|| ("entity".to_owned(), id.clone()));
    let labels = [
        "event.provider",
        "event.type",
        "dt.source_entity",
        "host.name",
        "k8s.node.name",
        "gcp.zone",
        "aws.availability_zone",
    ];
    let alert = Alert {
        fingerprint: fingerprint([id.as_str()]),
        title: rule.clone(),
        description: field("event.description"),
        severity,
        stated_severity: category,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: field("event.status").or_else(|| field("event.status_transition")),
        starts_at: time(json, &["event.start"]),
        ends_at: time(json, &["event.end"]).filter(|_| is_resolved),
        cluster: field("k8s.cluster.name"),
        subject: Subject { kind, name, namespace: field("k8s.namespace.name"), node: field("k8s.node.name") },
        labels: labels.iter().filter_map(|name| Some(((*name).to_owned(), field(name)?))).collect(),
        url: None,
        rule,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}
