//! Zenduty's outgoing webhooks: `payload.event_type` and `payload.incident`.

use crate::alerts::fields::{at, fingerprint, owned, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::{EventSeverity as Severity, EventStatus as Status};
use serde_json::Value;

const SOURCE: Source = Source::Zenduty;
/// Zenduty's numeric states: 1 triggered, 2 acknowledged, 3 resolved.
const RESOLVED: &str = "3";

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    let payload = json.get("payload")?;
    let incident = at(payload, &["incident"])?;
    let Some(id) = owned(incident, &["unique_id"]).or_else(|| owned(incident, &["incident_number"])) else {
        return Some(Err(AlertError::Lacks {
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
        Some("1") => Some(Severity::High),
        Some("0") => Some(Severity::Low),
        _ => None,
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
        starts_at: time(incident, &["creation_date"]),
        ends_at: None,
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
