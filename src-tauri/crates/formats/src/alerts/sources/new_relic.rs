//! New Relic: the webhook of a workflow (an issue), and the older one of an alert policy (an incident).
//!
//! <https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/>

use crate::alerts::fields::{at, fingerprint, has, owned, pairs, severity, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::EventStatus as Status;
use serde_json::Value;

const SOURCE: Source = Source::NewRelic;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    let alert = if has(json, &["issueUrl", "state"]) {
        issue(json)
    } else if has(json, &["condition_id", "current_state"]) {
        incident(json)
    } else {
        return None;
    };
    Some(alert.map(|alert| Message { source: SOURCE, alerts: vec![alert] }))
}

fn issue(json: &Value) -> Result<Alert, AlertError> {
    let id = owned(json, &["id"]).ok_or(AlertError::Lacks { source_name: SOURCE.title(), path: "id" })?;
    let state = owned(json, &["state"]);
    let is_resolved = state.as_deref().is_some_and(|state| state.eq_ignore_ascii_case("closed"));
    let first =
        |key: &str| at(json, &[key]).and_then(|list| list.get(0)).and_then(Value::as_str).map(str::to_owned);
    let title = owned(json, &["title"]).unwrap_or_else(|| format!("Issue {id}"));
    let stated_severity = owned(json, &["priority"]);
    let labels = [
        ("policy", first("alertPolicyNames")),
        ("condition", first("alertConditionNames")),
        ("workflow", owned(json, &["workflowName"])),
    ];
    Ok(Alert {
        fingerprint: fingerprint([id.as_str()]),
        rule: first("alertConditionNames").unwrap_or_else(|| title.clone()),
        title,
        description: None,
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: state,
        starts_at: time(json, &["createdAt"]),
        ends_at: time(json, &["updatedAt"]).filter(|_| is_resolved),
        cluster: None,
        subject: Subject {
            kind: "entity".to_owned(),
            name: first("impactedEntities").unwrap_or(id),
            namespace: None,
            node: None,
        },
        labels: labels.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
        url: owned(json, &["issueUrl"]),
    })
}

fn incident(json: &Value) -> Result<Alert, AlertError> {
    let id = owned(json, &["incident_id"])
        .ok_or(AlertError::Lacks { source_name: SOURCE.title(), path: "incident_id" })?;
    let state = owned(json, &["current_state"]);
    let is_resolved = state.as_deref() == Some("closed");
    let rule = owned(json, &["condition_name"]).unwrap_or_else(|| format!("Incident {id}"));
    let target = at(json, &["targets"]).and_then(|targets| targets.get(0)).unwrap_or(&Value::Null);
    let stated_severity = owned(json, &["severity"]);
    let mut labels = pairs(target.get("labels"));
    labels.extend(owned(json, &["policy_name"]).map(|policy| ("policy".to_owned(), policy)));
    let sent_at = time(json, &["timestamp"]);
    Ok(Alert {
        fingerprint: fingerprint([id.as_str()]),
        title: rule.clone(),
        description: owned(json, &["details"]),
        severity: stated_severity.as_deref().and_then(severity),
        stated_severity,
        status: if is_resolved { Status::Resolved } else { Status::Firing },
        stated_status: state,
        starts_at: sent_at,
        ends_at: sent_at.filter(|_| is_resolved),
        cluster: owned(json, &["account_name"]),
        subject: Subject {
            kind: owned(target, &["type"]).map_or_else(|| "entity".to_owned(), |kind| kind.to_lowercase()),
            name: owned(target, &["name"]).unwrap_or(id),
            namespace: None,
            node: None,
        },
        url: owned(json, &["incident_url"]),
        rule,
        labels,
    })
}
