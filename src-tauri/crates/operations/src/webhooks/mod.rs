//! Alerts that monitoring systems send: addresses for them, and what becomes of a message.
//!
//! An address belongs to one tenant and one account. A message is read by crate `formats`, as a file of alerts is; each of its alerts opens an event,
//! brings an open one up to date, or ends it. The message is kept in `event_incoming_webhooks`, from which an event leads back to what was sent.

mod keep;
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
