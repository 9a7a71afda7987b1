//! Receives alerts from monitoring systems at webhook addresses.
//!
//! An address belongs to one tenant and one account. Crate `formats` parses a message in the same way as a file of alerts. Each
//! alert opens, updates or closes an event. The message is stored in `event_incoming_webhooks`, and the event links to it.

mod message_store;
mod receive;
mod setup;

pub use receive::{WebhookError, WebhookReceipt, receive};

use crate::Function;
use crate::kit::typed;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("webhook_create", typed!(setup::create)),
    ("webhook_revoke", typed!(setup::revoke)),
    ("webhook_test", typed!(setup::test)),
];

const TABLE: &str = "webhook_receiver";
