//! Opsgenie's outgoing webhooks: `action` and `alert`.
//!
//! <https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/>

use crate::alerts::fields::{at, fingerprint, has, owned, severity, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

const SOURCE: Source = Source::Opsgenie;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    if !has(json, &["action", "alert"]) || !has(&json["alert"], &["alertId"]) {
        return None;
    }
    let inside = &json["alert"];
    let Some(id) = owned(inside, &["alertId"]) else {
        return Some(Err(AlertError::Lacks { source_name: SOURCE.title(), path: "alert.alertId" }));
    };
    let action = owned(json, &["action"]);
    let is_resolved = matches!(action.as_deref(), Some("Close" | "Delete"));
    let title = owned(inside, &["message"]).unwrap_or_else(|| format!("Alert {id}"));
    let stated_severity = owned(inside, &["priority"]);
    let tags = at(inside, &["tags"]).and_then(Value::as_array).into_iter().flatten();
    let labels = tags.filter_map(Value::as_str).map(|tag| (tag.to_owned(), String::new())).collect();
    let alert = Alert {
        fingerprint: text(inside, &["alias"])
            .map_or_else(|| fingerprint([id.as_str()]), |alias| fingerprint([alias.as_ref()])),
        rule: title.clone(),
        title,
        description: owned(inside, &["description"]),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: action,
        starts_at: time(inside, &["createdAt"]),
        ends_at: time(inside, &["updatedAt"]).filter(|_| is_resolved),
        cluster: None,
        subject: Subject {
            kind: "entity".to_owned(),
            name: owned(inside, &["entity"]).or_else(|| owned(inside, &["source"])).unwrap_or(id),
            namespace: None,
            node: None,
        },
        labels,
        url: None,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}
