//! Alerts as monitoring systems send them: a JSON body in, [`Alert`]s out.
//!
//! Start at [`read`]: it recognises the sender by the content of the body, never by an address or a header. Each source has one file in
//! `sources/`. Nothing here reads a clock, a database or the network: the time of receipt is an argument, and who stores the alerts decides
//! what a repeated fingerprint means.

mod alert;
mod error;
mod fields;
mod sources;
#[cfg(test)]
mod tests;

pub use alert::{Alert, Message, Severity, Source, Status, Subject};
pub use error::ReadError;

use serde_json::Value;

/// Alerts of one body. Alertmanager groups far fewer.
const MAX_ALERTS: usize = 5_000;

/// Reads the body of a webhook, or a file of alerts.
///
/// `received_at` (µs since 1970 UTC) is the start of an alert whose sender states none.
pub fn read(body: &[u8], received_at: i64) -> Result<Message, ReadError> {
    let json: Value = serde_json::from_slice(body).map_err(|error| ReadError::NotJson {
        line: error.line(),
        column: error.column(),
        reason: error.to_string(),
    })?;
    let message = sources::read(&json, received_at)?;
    if message.alerts.len() > MAX_ALERTS {
        return Err(ReadError::TooMany { found: message.alerts.len(), limit: MAX_ALERTS });
    }
    Ok(message)
}
