//! What senders' bodies become. Small bodies of our own; real ones where they are at hand.

mod bodies;
mod samples;

use crate::{Alert, Message, ReadError, read};

/// 2026-01-01T00:00:00Z.
const NOW: i64 = 1_767_225_600_000_000;

fn message(body: &str) -> Message {
    read(body.as_bytes(), NOW).unwrap()
}

fn alert(body: &str) -> Alert {
    let mut message = message(body);
    assert_eq!(message.alerts.len(), 1, "{body}");
    message.alerts.remove(0)
}

fn refusal(body: &str) -> ReadError {
    read(body.as_bytes(), NOW).unwrap_err()
}
