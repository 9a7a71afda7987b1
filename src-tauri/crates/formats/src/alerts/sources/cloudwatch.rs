//! Amazon CloudWatch alarms: the message itself, or an SNS notification that contains it as JSON in a string.
//!
//! <https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html>

use crate::alerts::fields::{at, fingerprint, owned, text, time};
use crate::alerts::{Alert, AlertError, Message, Source, Subject};
use crate::record::{EventSeverity as Severity, EventStatus as Status};
use serde_json::Value;

const SOURCE: Source = Source::CloudWatch;

pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    if let (Some(kind), Some(topic)) = (text(json, &["Type"]), owned(json, &["TopicArn"])) {
        if kind != "Notification" {
            return Some(Err(AlertError::Confirmation { topic }));
        }
        let message: Value = serde_json::from_str(&text(json, &["Message"])?).ok()?;
        return alarm(&message);
    }
    alarm(json)
}

fn alarm(json: &Value) -> Option<Result<Message, AlertError>> {
    let name = owned(json, &["AlarmName"])?;
    let state = owned(json, &["NewStateValue"])?;
    let changed = time(json, &["StateChangeTime"]);
    let is_over = state != "ALARM";
    let dimensions: Vec<(String, String)> = at(json, &["Trigger", "Dimensions"])
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|pair| Some((owned(pair, &["name"])?, owned(pair, &["value"])?)))
        .collect();
    let (kind, subject) = dimensions.first().cloned().unwrap_or_else(|| ("alarm".to_owned(), name.clone()));
    let mut labels = dimensions;
    for (label, path) in [
        ("namespace", &["Trigger", "Namespace"][..]),
        ("metric", &["Trigger", "MetricName"]),
        ("region", &["Region"]),
        ("account", &["AWSAccountId"]),
    ] {
        labels.extend(owned(json, path).map(|value| (label.to_owned(), value)));
    }
    let arn = owned(json, &["AlarmArn"]).unwrap_or_else(|| name.clone());
    let alert = Alert {
        fingerprint: fingerprint([arn.as_str()]),
        rule: name.clone(),
        title: name,
        description: owned(json, &["AlarmDescription"]).or_else(|| owned(json, &["NewStateReason"])),
        // Alarms have no severity; one with insufficient data is only informational.
        severity: (state == "INSUFFICIENT_DATA").then_some(Severity::Info),
        stated_severity: None,
        status: if is_over { Status::Resolved } else { Status::Firing },
        stated_status: Some(state),
        starts_at: changed,
        ends_at: changed.filter(|_| is_over),
        cluster: owned(json, &["AWSAccountId"]),
        subject: Subject { kind, name: subject, namespace: None, node: None },
        labels,
        url: None,
    };
    Some(Ok(Message { source: SOURCE, alerts: vec![alert] }))
}
