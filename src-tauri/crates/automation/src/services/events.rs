//! The task `events.get`: reads an event of the account, or waits until it is resolved.

use crate::call::TaskFailure;
use crate::duration;
use crate::template::to_text;
use serde_json::Value;

/// The kind of the task.
pub const KIND: &str = "events.get";
/// A waiting run is notified when the event changes, and checks again at the latest after this time; µs.
pub(crate) const LOOK_AGAIN: i64 = 3_600_000_000;

/// The parameters of the task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTask {
    /// Id of the event.
    pub event: String,
    /// Whether to wait until the event is resolved.
    pub until_resolved: bool,
    /// Maximum time to wait, if given; µs.
    pub patience: Option<i64>,
}

impl EventTask {
    /// Reads rendered parameters.
    ///
    /// # Errors
    /// A parameter is missing or invalid.
    pub fn read(params: &Value) -> Result<Self, TaskFailure> {
        let text = |name: &str| to_text(&params[name]).trim().to_owned();
        let wrong = |message: String| TaskFailure::new("InvalidParameters", message);
        let event = text("event_id");
        if event.is_empty() {
            return Err(wrong(
                "event_id: expected the id of an event, such as {{ Inputs.event.id }}".to_owned(),
            ));
        }
        let until_resolved = match text("until").to_lowercase().as_str() {
            "" => false,
            "resolved" => true,
            other => return Err(wrong(format!("until: expected resolved or nothing, found \"{other}\""))),
        };
        let patience = match text("timeout").as_str() {
            "" => None,
            given => Some(duration::parse(given).ok_or_else(|| {
                wrong(format!("timeout: expected a span of time such as 30m or 72h, found \"{given}\""))
            })?),
        };
        Ok(Self { event, until_resolved, patience })
    }

    /// Describes the task.
    pub fn told(&self) -> String {
        if self.until_resolved {
            format!("Wait until the event {} is resolved", self.event)
        } else {
            format!("Read the event {}", self.event)
        }
    }
}
