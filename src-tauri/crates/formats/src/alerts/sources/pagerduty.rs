//! PagerDuty's webhooks, version 3.
//!
//! <https://developer.pagerduty.com/docs/webhooks-overview>

use crate::alerts::fields::{at, fingerprint, owned, severity, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

const SOURCE: Source = Source::PagerDuty;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    let event = json.get("event")?;
    let kind = text(event, &["event_type"])?;
    let data = event.get("data")?;
    // Other resources (services, pings, notes) are not alerts: they are accepted, with nothing to store.
    if !kind.starts_with("incident.") || text(data, &["type"]).as_deref() != Some("incident") {
        return Some(Ok(Message { source: SOURCE, alerts: Vec::new() }));
    }
    let Some(id) = owned(data, &["id"]) else {
        return Some(Err(AlertError::Lacks { source_name: SOURCE.title(), path: "event.data.id" }));
    };
    let is_resolved = kind == "incident.resolved" || text(data, &["status"]).as_deref() == Some("resolved");
    let stated_severity = owned(data, &["priority", "summary"]).or_else(|| owned(data, &["urgency"]));
    let title =
        owned(data, &["title"]).map_or_else(|| format!("Incident {id}"), |title| title.trim().to_owned());
    let service = owned(data, &["service", "summary"]);
    let mut labels: Vec<(String, String)> = [
        ("urgency", &["urgency"][..]),
        ("incident_number", &["number"]),
        ("incident_key", &["incident_key"]),
    ]
    .iter()
    .filter_map(|(name, path)| Some(((*name).to_owned(), owned(data, path)?)))
    .collect();
    labels.extend(service.clone().map(|service| ("service".to_owned(), service)));
    let alert = Alert {
        fingerprint: fingerprint([id.as_str()]),
        rule: title.clone(),
        title,
        description: at(data, &["body", "details"]).and_then(Value::as_str).map(str::to_owned),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: owned(data, &["status"]),
        starts_at: time(data, &["created_at"]),
        ends_at: time(event, &["occurred_at"]).filter(|_| is_resolved),
        cluster: None,
        subject: Subject {
            kind: "service".to_owned(),
            name: service.unwrap_or(id),
            namespace: None,
            node: None,
        },
        labels,
        url: owned(data, &["html_url"]),
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}
