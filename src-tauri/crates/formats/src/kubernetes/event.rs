//! Events of the Kubernetes API.

use super::json_path::{count_at, str_at, string_at, time_at, value_at};
use super::mask::address;
use crate::record::{Account, Event, EventSeverity, EventStatus};
use serde_json::{Map, Value};

/// The value for `event_source`.
const SOURCE: &str = "kubernetes_api_server";

/// Reads an event of either API (`v1` and `events.k8s.io/v1`); `Err` names the missing field.
pub fn event(object: &Value, cluster: &Account) -> Result<Event, &'static str> {
    let subject = match value_at(object, &["involvedObject"]) {
        Value::Null => value_at(object, &["regarding"]),
        subject => subject,
    };
    let reason = string_at(object, &["reason"]).ok_or("reason")?;
    let name = str_at(subject, &["name"]).ok_or("involvedObject.name")?;
    let kind = str_at(subject, &["kind"]).unwrap_or("Object");
    let namespace =
        string_at(subject, &["namespace"]).or_else(|| string_at(object, &["metadata", "namespace"]));
    let message = str_at(object, &["message"]).or_else(|| str_at(object, &["note"])).map(address);
    let is_warning = str_at(object, &["type"]).map(|word| word.eq_ignore_ascii_case("warning"));
    let moment = |paths: [&[&str]; 4]| paths.into_iter().find_map(|path| time_at(object, path));
    let starts_at = moment([
        &["firstTimestamp"],
        &["deprecatedFirstTimestamp"],
        &["eventTime"],
        &["metadata", "creationTimestamp"],
    ]);
    let last = moment([
        &["series", "lastObservedTime"],
        &["lastTimestamp"],
        &["deprecatedLastTimestamp"],
        &["eventTime"],
    ])
    .or(starts_at);
    let count = count_at(object, &["series", "count"])
        .or_else(|| count_at(object, &["count"]))
        .or_else(|| count_at(object, &["deprecatedCount"]))
        .unwrap_or(1);
    let finding_id = match str_at(object, &["metadata", "uid"]) {
        Some(uid) => uid.to_owned(),
        None => str_at(object, &["metadata", "name"]).ok_or("metadata.uid")?.to_owned(),
    };
    let identity = str_at(subject, &["uid"])
        .map_or_else(|| format!("{kind}/{}/{name}", namespace.as_deref().unwrap_or_default()), str::to_owned);
    let node = str_at(object, &["source", "host"]).map(str::to_owned);
    let subject_node = if kind == "Node" { Some(name.to_owned()) } else { node };
    let mut evidence = Map::new();
    evidence.insert("count".to_owned(), count.into());
    if let Some(last) = last {
        evidence.insert("last_seen".to_owned(), catalogue::format_timestamp(last).into());
    }
    for (key, path) in [("field", "fieldPath"), ("subject_uid", "uid")] {
        if let Some(value) = str_at(subject, &[path]) {
            evidence.insert(key.to_owned(), value.into());
        }
    }
    let mut labels = Map::new();
    labels.insert("reason".to_owned(), reason.as_str().into());
    let component =
        str_at(object, &["source", "component"]).or_else(|| str_at(object, &["reportingComponent"]));
    for (key, value) in [("type", str_at(object, &["type"])), ("component", component)] {
        if let Some(value) = value {
            labels.insert(key.to_owned(), value.into());
        }
    }
    Ok(Event {
        account: Some(cluster.clone()),
        source: SOURCE,
        finding_id,
        fingerprint: Some(format!("{identity}/{reason}")),
        title: format!("{reason}: {kind} {name}"),
        kind: reason,
        description: message,
        severity: is_warning.map(|is| if is { EventSeverity::Medium } else { EventSeverity::Info }),
        // A normal event is over when it is reported. A warning has no such end.
        status: if is_warning == Some(true) { EventStatus::Firing } else { EventStatus::Closed },
        starts_at,
        ends_at: if is_warning == Some(true) { None } else { last },
        subject_kind: Some(kind.to_owned()),
        subject_name: Some(name.to_owned()),
        subject_namespace: namespace,
        subject_node,
        labels,
        evidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cluster() -> Account {
        Account { provider: "K8s".to_owned(), number: "c".to_owned(), name: None }
    }

    #[test]
    fn both_apis_are_read() {
        let old = json!({
            "metadata": {"uid": "e1", "namespace": "shop"}, "reason": "BackOff", "type": "Warning", "count": 7,
            "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web-1", "uid": "p1"},
            "message": "Back-off", "source": {"component": "kubelet", "host": "n1"},
            "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:05:00Z",
        });
        let read = event(&old, &cluster()).unwrap();
        assert_eq!((read.finding_id.as_str(), read.fingerprint.as_deref()), ("e1", Some("p1/BackOff")));
        assert_eq!(
            (read.severity, read.status, read.ends_at),
            (Some(EventSeverity::Medium), EventStatus::Firing, None)
        );
        assert_eq!(read.evidence["count"], 7);
        assert_eq!(read.subject_node.as_deref(), Some("n1"));
        let new = json!({
            "metadata": {"uid": "e2"}, "reason": "Scheduled", "type": "Normal", "note": "done",
            "regarding": {"kind": "Pod", "name": "web-1"}, "eventTime": "2026-01-01T00:00:00.5Z",
        });
        let read = event(&new, &cluster()).unwrap();
        assert_eq!(read.description.as_deref(), Some("done"));
        assert_eq!(read.starts_at, read.ends_at);
        assert_eq!(read.status, EventStatus::Closed);
    }

    #[test]
    fn an_event_about_nothing_says_what_lacks() {
        let read = event(&json!({"reason": "BackOff", "metadata": {"uid": "e"}}), &cluster());
        assert_eq!(read, Err("involvedObject.name"));
    }
}
