//! Zenduty's outgoing webhooks: `payload.event_type` and `payload.incident`.

use crate::fields::{at, fingerprint, owned, text, time};
use crate::{Alert, Message, ReadError, Severity, Source, Status, Subject};
use serde_json::Value;

const SOURCE: Source = Source::Zenduty;
/// Zenduty counts states: 1 triggered, 2 acknowledged, 3 resolved.
const RESOLVED: &str = "3";

pub fn read(json: &Value, received_at: i64) -> Option<Result<Message, ReadError>> {
    let payload = json.get("payload")?;
    let incident = at(payload, &["incident"])?;
    let Some(id) = owned(incident, &["unique_id"]).or_else(|| owned(incident, &["incident_number"])) else {
        return Some(Err(ReadError::Lacks {
            source_name: SOURCE.title(),
            path: "payload.incident.unique_id",
        }));
    };
    let kind = owned(payload, &["event_type"]);
    let is_resolved =
        kind.as_deref() == Some("resolved") || text(incident, &["status"]).as_deref() == Some(RESOLVED);
    let title = owned(incident, &["title"]).unwrap_or_else(|| format!("Incident {id}"));
    let service = owned(incident, &["service", "name"]);
    // 0 is low, 1 is high.
    let urgency = owned(incident, &["urgency"]);
    let severity = match urgency.as_deref() {
        Some("1") => Severity::High,
        _ => Severity::Low,
    };
    let alert = Alert {
        fingerprint: fingerprint([id.as_str()]),
        rule: title.clone(),
        title,
        description: owned(incident, &["summary"]),
        severity,
        stated_severity: urgency,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: kind,
        starts_at: time(incident, &["creation_date"]).unwrap_or(received_at),
        ends_at: is_resolved.then_some(received_at),
        cluster: None,
        subject: Subject {
            kind: "service".to_owned(),
            name: service.clone().unwrap_or(id),
            namespace: None,
            node: None,
        },
        labels: service.map(|service| ("service".to_owned(), service)).into_iter().collect(),
        url: None,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}
