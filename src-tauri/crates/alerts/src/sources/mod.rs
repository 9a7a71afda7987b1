//! The senders, each recognised by keys that only its bodies have. The order matters where bodies share keys.

mod alertmanager;
mod azure_monitor;
mod cloudwatch;
mod datadog;
mod dynatrace;
mod new_relic;
mod opsgenie;
mod pagerduty;
mod zenduty;

use crate::{Message, ReadError};
use serde_json::Value;

/// Reads the body of one sender: `None` when it is another's.
type Reader = fn(&Value, i64) -> Option<Result<Message, ReadError>>;

const READERS: &[Reader] = &[
    alertmanager::read,
    azure_monitor::read,
    pagerduty::read,
    zenduty::read,
    cloudwatch::read,
    opsgenie::read,
    new_relic::read,
    dynatrace::read,
    datadog::read,
];

/// Reads a body with the reader that knows it.
pub fn read(json: &Value, received_at: i64) -> Result<Message, ReadError> {
    READERS
        .iter()
        .find_map(|reader| reader(json, received_at))
        .unwrap_or_else(|| Err(ReadError::Unknown { found: found(json) }))
}

/// What a body is, for whoever has to find out why it was refused: the names of its keys, never its values.
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
