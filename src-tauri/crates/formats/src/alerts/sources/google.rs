//! Google Cloud Monitoring: an incident, as sent by its webhooks and Pub/Sub (versions 1.0 to 1.2).
//!
//! <https://cloud.google.com/monitoring/support/notification-options#schema-pubsub>

use crate::alerts::fields::{at, fingerprint, has, owned, pairs, severity, text};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

const SOURCE: Source = Source::Google;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    let incident = json.get("incident")?;
    if !has(incident, &["policy_name", "state"]) {
        return None;
    }
    let Some(id) = owned(incident, &["incident_id"]) else {
        return Some(Err(AlertError::Lacks { source_name: SOURCE.title(), path: "incident.incident_id" }));
    };
    let rule = owned(incident, &["policy_name"]).unwrap_or_default();
    let condition = owned(incident, &["condition_name"]);
    let state = owned(incident, &["state"]);
    let is_closed = state.as_deref() == Some("closed");
    let stated_severity = owned(incident, &["severity"]).filter(|word| word != "No severity");
    let name = owned(incident, &["resource_display_name"]).or_else(|| owned(incident, &["resource_name"]));
    let kind =
        owned(incident, &["resource", "type"]).or_else(|| owned(incident, &["resource_type_display_name"]));
    let mut labels = pairs(at(incident, &["resource", "labels"]));
    labels.extend(pairs(at(incident, &["policy_user_labels"])));
    labels.extend(condition.iter().map(|condition| ("condition".to_owned(), condition.clone())));
    labels.sort();
    labels.dedup_by(|next, before| next.0 == before.0);
    let alert = Alert {
        fingerprint: fingerprint([id.as_str()]),
        title: condition.map_or_else(|| rule.clone(), |condition| format!("{rule}: {condition}")),
        description: owned(incident, &["summary"]).or_else(|| owned(incident, &["documentation", "content"])),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_closed { Status::Resolved } else { Status::Firing },
        stated_status: state,
        starts_at: seconds(incident, "started_at"),
        ends_at: seconds(incident, "ended_at").filter(|_| is_closed),
        cluster: owned(incident, &["scoping_project_id"]),
        subject: Subject {
            kind: kind.unwrap_or_else(|| "resource".to_owned()),
            name: name.unwrap_or_else(|| rule.clone()),
            namespace: None,
            node: None,
        },
        url: owned(incident, &["url"]),
        rule,
        labels,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}

/// A field with seconds since 1970, as µs since 1970 UTC.
fn seconds(incident: &Value, key: &str) -> Option<i64> {
    text(incident, &[key])?.parse::<i64>().ok().filter(|time| *time > 0)?.checked_mul(1_000_000)
}
