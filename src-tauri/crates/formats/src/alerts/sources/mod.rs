//! The senders, each recognised by keys that only its bodies have. The order matters where bodies share keys.

mod alertmanager;
mod azure_monitor;
mod cloudwatch;
mod datadog;
mod dynatrace;
mod google;
mod new_relic;
mod opsgenie;
mod pagerduty;
mod prometheus;
mod servicenow;
mod zenduty;

pub use prometheus::pending;

use crate::alerts::{AlertError, Message};
use serde_json::Value;

/// Reads the body of one sender; `None` when it is from another sender.
type Reader = fn(&Value) -> Option<Result<Message, AlertError>>;

const READERS: &[Reader] = &[
    alertmanager::read,
    prometheus::read,
    azure_monitor::read,
    pagerduty::read,
    zenduty::read,
    cloudwatch::read,
    opsgenie::read,
    new_relic::read,
    dynatrace::read,
    google::read,
    servicenow::read,
    datadog::read,
];

/// Reads a body with the first reader that recognises it; `None` when no reader does.
pub fn read(json: &Value) -> Option<Result<Message, AlertError>> {
    READERS.iter().find_map(|reader| reader(json))
}
