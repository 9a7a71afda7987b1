//! OpenTelemetry logs in JSON.

use super::line::severity as severity_word;
use crate::kubernetes::json_path::{list_at, str_at, string_at, value_at};
use crate::record::{Account, LogLine};
use serde_json::{Map, Value};

/// Resource attributes, and the labels they become.
const LABELS: [(&str, &str); 8] = [
    ("service.name", "app"),
    ("service.namespace", "service_namespace"),
    ("k8s.namespace.name", "namespace"),
    ("k8s.pod.name", "pod"),
    ("k8s.container.name", "container"),
    ("k8s.deployment.name", "deployment"),
    ("k8s.node.name", "node"),
    ("host.name", "host"),
];

/// Reads one element of `resourceLogs`. Returns the path of each record within the element, with the line or the reason it is left out.
pub fn resource_logs(element: &Value, fallback: &Account) -> Vec<(String, Result<LogLine, &'static str>)> {
    let attributes = attributes(value_at(element, &["resource", "attributes"]));
    let account = account(&attributes).unwrap_or_else(|| fallback.clone());
    let mut labels = Map::new();
    for (name, value) in &attributes {
        let label =
            LABELS.iter().find(|(attribute, _)| attribute == name).map_or(name.as_str(), |(_, label)| label);
        labels.insert(label.to_owned(), value.clone());
    }
    let mut lines = Vec::new();
    // Older versions write `instrumentationLibraryLogs`.
    for key in ["scopeLogs", "instrumentationLibraryLogs"] {
        for (scope_place, scope) in list_at(element, &[key]).iter().enumerate() {
            for (place, record) in list_at(scope, &["logRecords"]).iter().enumerate() {
                let path = format!(".{key}[{scope_place}].logRecords[{place}]");
                lines.push((path, line(record, &account, &labels)));
            }
        }
    }
    lines
}

fn line(record: &Value, account: &Account, labels: &Map<String, Value>) -> Result<LogLine, &'static str> {
    let at_time = nanos(value_at(record, &["timeUnixNano"]))
        .or_else(|| nanos(value_at(record, &["observedTimeUnixNano"])));
    let number = value_at(record, &["severityNumber"]);
    let severity = str_at(record, &["severityText"]).and_then(severity_word).or_else(|| {
        Some(
            match number.as_u64()? {
                1..=8 => "debug",
                9..=12 => "info",
                13..=16 => "warn",
                17..=20 => "error",
                21..=24 => "fatal",
                _ => return None,
            }
            .to_owned(),
        )
    });
    let message = match plain(value_at(record, &["body"])) {
        Value::Null => return Err("it has no body"),
        Value::String(text) => text,
        value => value.to_string(),
    };
    let mut labels = labels.clone();
    labels.extend(attributes(value_at(record, &["attributes"])));
    for (key, label) in [("traceId", "trace_id"), ("spanId", "span_id")] {
        if let Some(id) = string_at(record, &[key]) {
            labels.insert(label.to_owned(), id.into());
        }
    }
    Ok(LogLine {
        account: account.clone(),
        at: at_time.ok_or("it has no time")?,
        untimed_order: None,
        severity,
        message,
        labels,
    })
}

/// Nanoseconds since 1970, as a string (64 bits do not fit into every JSON number) or a number; 0 means no time. Returns µs.
fn nanos(value: &Value) -> Option<i64> {
    let nanos: i64 = match value {
        Value::String(text) => text.parse().ok()?,
        value => value.as_i64()?,
    };
    (nanos > 0).then_some(nanos / 1_000)
}

fn attributes(list: &Value) -> Map<String, Value> {
    let pairs = list.as_array().map_or(&[][..], Vec::as_slice).iter();
    pairs.filter_map(|pair| Some((string_at(pair, &["key"])?, plain(value_at(pair, &["value"]))))).collect()
}

/// Converts an OpenTelemetry `AnyValue` to plain JSON.
fn plain(value: &Value) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|map| map.iter().next()) else {
        return value.clone();
    };
    match kind.as_str() {
        "arrayValue" => list_at(inner, &["values"]).iter().map(plain).collect(),
        "kvlistValue" => Value::Object(attributes(value_at(inner, &["values"]))),
        _ => inner.clone(),
    }
}

/// The cluster or account that the attributes name.
fn account(attributes: &Map<String, Value>) -> Option<Account> {
    let get = |name: &str| attributes.get(name).and_then(Value::as_str).map(str::to_owned);
    let name = get("k8s.cluster.name");
    if let Some(number) = get("k8s.cluster.uid").or_else(|| name.clone()) {
        return Some(Account { provider: "K8s".to_owned(), number, name });
    }
    let provider = match get("cloud.provider")?.as_str() {
        "aws" => "AWS",
        "azure" => "Azure",
        "gcp" => "GCP",
        _ => return None,
    };
    Some(Account { provider: provider.to_owned(), number: get("cloud.account.id")?, name: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn records_are_lines_of_their_cluster() {
        let text = |text: &str| json!({"stringValue": text});
        let element = json!({
            "resource": {"attributes": [
                {"key": "k8s.cluster.name", "value": text("prod")}, {"key": "service.name", "value": text("shop")}]},
            "scopeLogs": [{"logRecords": [
                {"timeUnixNano": "0", "observedTimeUnixNano": "1767355200000000000", "severityNumber": 17, "body": text("failed"),
                    "traceId": "abc", "attributes": [{"key": "n", "value": {"intValue": "7"}}]},
                {"timeUnixNano": "1767355200000000000", "severityText": "WARN", "body": {"kvlistValue": {"values": [{"key": "a", "value": {"boolValue": true}}]}}},
                {"severityText": "WARN", "body": text("when?")},
            ]}],
        });
        let nobody = Account { provider: "Other".to_owned(), number: "x".to_owned(), name: None };
        let lines = resource_logs(&element, &nobody);
        let first = lines[0].1.clone().unwrap();
        assert_eq!(
            (first.account.number.as_str(), first.severity.as_deref(), first.message.as_str()),
            ("prod", Some("error"), "failed")
        );
        assert_eq!(Some(first.at), catalogue::parse_timestamp("2026-01-02T12:00:00Z"));
        assert_eq!(
            (&first.labels["app"], &first.labels["n"], &first.labels["trace_id"]),
            (&json!("shop"), &json!("7"), &json!("abc"))
        );
        assert_eq!(lines[1].1.clone().unwrap().message, r#"{"a":true}"#);
        assert_eq!(lines[2], (".scopeLogs[0].logRecords[2]".to_owned(), Err("it has no time")));
    }
}
