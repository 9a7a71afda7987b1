//! Reads alerts of monitoring systems: webhook bodies, received directly or in files.
//!
//! [`read_body`] recognises the sender by the body's content, never by an address or a header. Each source has its own file in
//! `sources/`.

mod alert;
mod error;
mod fields;
pub mod rules;
mod sources;
#[cfg(test)]
mod tests;

pub use alert::{Alert, Message, Source, Subject};
pub use error::AlertError;

use crate::format::Format;
use crate::head::Head;
use crate::read_error::ReadError;
use crate::reason;
use crate::record::Record;
use crate::shape::{Json, Kind};
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

/// Maximum number of alerts in one body. Alertmanager groups far fewer.
const MAX_ALERTS: usize = 5_000;

pub const FORMAT: Format = Format {
    id: "alerts",
    title: "Alerts",
    source: "bodies of webhooks as JSON, one or a line each: Alertmanager (also GET /api/v2/alerts), Grafana, PagerDuty v3, \
             Opsgenie, Datadog, New Relic, Dynatrace, CloudWatch or SNS, Azure Monitor, Google Cloud \
             Monitoring, ServiceNow, Zenduty; Prometheus: /api/v1/alerts, /api/v1/rules and files of rules (groups: \
             in YAML)",
    fills: "events, rules for alerts",
    lacks_currency: false,
    certainty,
    read,
};

/// Reads a webhook body.
pub fn read_body(body: &[u8]) -> Result<Message, AlertError> {
    let json: Value = serde_json::from_slice(body).map_err(|error| AlertError::NotJson {
        line: error.line(),
        column: error.column(),
        reason: error.to_string(),
    })?;
    let message = sources::read(&json).unwrap_or_else(|| Err(AlertError::Unknown { found: found(&json) }))?;
    if message.alerts.len() > MAX_ALERTS {
        return Err(AlertError::TooMany { found: message.alerts.len(), limit: MAX_ALERTS });
    }
    Ok(message)
}

fn certainty(head: &Head<'_>) -> u8 {
    let Some(outline) = head.outline() else { return rules::certainty(head) };
    let document = if outline.is_sequence { outline.first() } else { outline.document() };
    let is_alert = match document {
        // A body that is recognised but lacks a required field is still an alert.
        Value::Object(_) => rules::is_answer(document) || sources::read(document).is_some(),
        Value::Array(list) => {
            list.first().is_some_and(|first| crate::has(first, &["labels", "annotations", "startsAt"]))
        }
        _ => false,
    };
    if is_alert { 95 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut start = Vec::new();
    read.take(512).read_to_end(&mut start)?;
    let first = String::from_utf8_lossy(&start).trim_start_matches('\u{feff}').trim_start().chars().next();
    let mut all = start.as_slice().chain(read);
    if !matches!(first, Some('{' | '[')) {
        return rules::read(&mut all, sink);
    }
    let mut json = Json::new(&mut all);
    while json.next_document()? {
        if json.kind()? == Kind::List {
            json.list(&mut |json, _| {
                let place = json.position();
                match json.element()? {
                    // The list of Alertmanager's API, one alert at a time.
                    Ok(value) => take(&Value::Array(vec![value]), &place, sink),
                    Err(flaw) => sink.skip(&place, flaw.reason(), ""),
                }
            })?;
            continue;
        }
        let place = json.position();
        match json.element()? {
            Ok(value) if rules::is_answer(&value) => rules::answer(&value, &place, sink)?,
            Ok(value) => take(&value, &place, sink)?,
            Err(flaw) => return Err(refused(flaw.reason())),
        }
    }
    Ok(())
}

/// Emits the alerts of one message, each as a record.
fn take(json: &Value, place: &Position, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let message = match sources::read(json) {
        Some(Ok(message)) => message,
        Some(Err(AlertError::Confirmation { .. })) => {
            return sink.skip(place, reason::NO_ALERT, "a request of SNS to confirm a subscription");
        }
        Some(Err(error)) => return sink.skip(place, reason::NO_ID, &error.to_string()),
        None => return sink.skip(place, reason::NO_OBJECT, &found(json)),
    };
    let pending = sources::pending(json);
    for index in &pending {
        let place = Position(format!("{}.data.alerts[{index}]", place.0));
        sink.skip(&place, "it is pending: it does not fire yet", message.source.title())?;
    }
    if message.alerts.is_empty() && !pending.is_empty() {
        return Ok(());
    }
    if message.alerts.is_empty() {
        return sink.skip(place, reason::NO_ALERT, message.source.title());
    }
    let is_one = message.alerts.len() == 1;
    for (index, alert) in message.alerts.into_iter().enumerate() {
        let own = Position(format!("{}.alerts[{index}]", place.0));
        let place = if is_one { place } else { &own };
        sink.record(place, Record::Event(Box::new(alert.into_event(message.source))))?;
    }
    Ok(())
}

fn refused(why: &str) -> ReadError {
    ReadError::Refused {
        message: format!("The file is no alert that can be read: {why}. Nothing was imported."),
        expected: "the body of a webhook".to_owned(),
        found: why.to_owned(),
    }
}

/// Describes a refused body by the names of its keys, never by its values.
fn found(json: &Value) -> String {
    match json {
        Value::Object(object) if object.is_empty() => "an empty object".to_owned(),
        Value::Object(object) => {
            let names: Vec<&str> = object.keys().take(8).map(String::as_str).collect();
            format!("an object with {}", names.join(", "))
        }
        Value::Array(list) if list.is_empty() => "an empty list".to_owned(),
        Value::Array(_) => "a list of something else than alerts".to_owned(),
        _ => "a single value".to_owned(),
    }
}
