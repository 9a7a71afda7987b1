//! Azure Monitor's common alert schema.
//!
//! <https://learn.microsoft.com/azure/azure-monitor/alerts/alerts-common-schema>

use crate::alerts::fields::{at, fingerprint, owned, severity, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

const SOURCE: Source = Source::AzureMonitor;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    json.get("schemaId")?;
    let essentials = at(json, &["data", "essentials"])?;
    let Some(rule) = owned(essentials, &["alertRule"]) else {
        return Some(Err(AlertError::Lacks {
            source_name: SOURCE.title(),
            path: "data.essentials.alertRule",
        }));
    };
    let target = at(essentials, &["alertTargetIDs"]).and_then(|ids| ids.get(0)).and_then(Value::as_str);
    let name = at(essentials, &["configurationItems"]).and_then(|items| items.get(0)).and_then(Value::as_str);
    let is_resolved = text(essentials, &["monitorCondition"]).as_deref() == Some("Resolved");
    let stated_severity = owned(essentials, &["severity"]);
    let mut labels: Vec<(String, String)> = [
        ("signalType", "signalType"),
        ("monitoringService", "monitoringService"),
        ("targetResourceGroup", "targetResourceGroup"),
        ("targetResourceType", "targetResourceType"),
    ]
    .iter()
    .filter_map(|(name, key)| Some(((*name).to_owned(), owned(essentials, &[key])?)))
    .collect();
    labels.extend(target.map(|target| ("target".to_owned(), target.to_owned())));
    // The alert's id is the same when it fires and when it is resolved.
    let fingerprint = match owned(essentials, &["originAlertId"]).or_else(|| owned(essentials, &["alertId"]))
    {
        Some(id) => fingerprint([id.as_str()]),
        None => fingerprint([rule.as_str(), target.unwrap_or_default()]),
    };
    let alert = Alert {
        fingerprint,
        title: rule.clone(),
        description: owned(essentials, &["description"]),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: owned(essentials, &["monitorCondition"]),
        starts_at: time(essentials, &["firedDateTime"]),
        ends_at: time(essentials, &["resolvedDateTime"]).filter(|_| is_resolved),
        cluster: target.and_then(subscription).map(str::to_owned),
        subject: Subject {
            kind: owned(essentials, &["targetResourceType"]).unwrap_or_else(|| "resource".to_owned()),
            name: name.or(target).unwrap_or(&rule).to_owned(),
            namespace: None,
            node: None,
        },
        url: owned(essentials, &["investigationLink"]),
        rule,
        labels,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}

/// The subscription in a resource id: `/subscriptions/<id>/…`.
fn subscription(id: &str) -> Option<&str> {
    let mut parts = id.trim_start_matches('/').split('/');
    parts.next().filter(|first| first.eq_ignore_ascii_case("subscriptions")).and_then(|_| parts.next())
}
