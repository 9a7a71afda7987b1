//! ServiceNow: an incident record, as business rules and the Table API send it.
//!
//! ServiceNow has no fixed body. A record with `sys_id`, `number` and `short_description` is read, alone or under `result`, `record` or
//! `incident`.

use crate::alerts::fields::{fingerprint, has, owned, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::{EventSeverity as Severity, EventStatus as Status};
use serde_json::Value;

const SOURCE: Source = Source::ServiceNow;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    let inner = ["result", "record", "incident"].iter().find_map(|key| json.get(*key)).unwrap_or(json);
    let records: Vec<&Value> = inner.as_array().map_or_else(|| vec![inner], |list| list.iter().collect());
    let is_record = |record: &Value| has(record, &["sys_id", "number", "short_description"]);
    if records.is_empty() || !records.iter().all(|record| is_record(record)) {
        return None;
    }
    let alerts = records.into_iter().map(alert).collect();
    Some(Ok(Message { source: SOURCE, alerts }))
}

/// A field; the Table API may write it as an object with a display value.
fn field(record: &Value, name: &str) -> Option<String> {
    owned(record, &[name])
        .or_else(|| owned(record, &[name, "display_value"]))
        .or_else(|| owned(record, &[name, "value"]))
}

fn alert(record: &Value) -> Alert {
    let id = field(record, "sys_id").unwrap_or_default();
    let number = field(record, "number").unwrap_or_default();
    let state = field(record, "state").or_else(|| field(record, "incident_state"));
    // 6 resolved, 7 closed, 8 cancelled; or their names.
    let status = match state.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("6" | "resolved") => Status::Resolved,
        Some("7" | "8" | "closed" | "canceled" | "cancelled") => Status::Closed,
        _ => Status::Firing,
    };
    let priority = field(record, "priority");
    let severity = match priority.as_deref().and_then(|word| word.chars().next()) {
        Some('1' | '2') => Some(Severity::High),
        Some('3') => Some(Severity::Medium),
        Some('4') => Some(Severity::Low),
        Some('5') => Some(Severity::Info),
        _ => None,
    };
    let subject = field(record, "cmdb_ci").or_else(|| field(record, "business_service"));
    let labels = ["category", "assignment_group", "assigned_to", "impact", "urgency"];
    let opened = time(record, &["opened_at"]).or_else(|| time(record, &["sys_created_on"]));
    Alert {
        fingerprint: fingerprint([id.as_str()]),
        rule: format!("ServiceNow {number}"),
        title: field(record, "short_description").unwrap_or(number.clone()),
        description: field(record, "description"),
        severity,
        stated_severity: priority,
        stated_status: state,
        starts_at: opened,
        ends_at: time(record, &["resolved_at"]).filter(|_| status != Status::Firing),
        status,
        cluster: None,
        subject: Subject {
            kind: "service".to_owned(),
            name: subject.unwrap_or(number),
            namespace: None,
            node: None,
        },
        labels: labels.iter().filter_map(|name| Some(((*name).to_owned(), field(record, name)?))).collect(),
        url: text(record, &["url"]).map(std::borrow::Cow::into_owned),
    }
}
