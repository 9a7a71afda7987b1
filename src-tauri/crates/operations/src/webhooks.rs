//! Alerts that monitoring systems send: addresses for them, and what becomes of a message.
//!
//! An address belongs to one tenant and one account. A message is read by crate `formats`, as a file of alerts is; each of its alerts opens an event,
//! brings an open one up to date, or ends it. The message is kept in `event_incoming_webhooks`, from which an event leads back to what was sent.

mod keep;
mod receive;
mod setup;

pub use receive::{WebhookError, WebhookReceipt, receive};

use crate::Function;

pub(crate) const FIELDS: &[(&str, Function)] =
    &[("webhook_create", setup::create), ("webhook_revoke", setup::revoke), ("webhook_test", setup::test)];

const TABLE: &str = "webhook_receiver";
