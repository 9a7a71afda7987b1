//! Alerts that monitoring systems send: addresses for them, and what becomes of a message.
//!
//! An address belongs to one tenant and one account. A message is read by crate `alerts`; each of its alerts opens an event, brings an open
//! one up to date, or closes it. The message is kept in `event_incoming_webhooks`, from which an event leads back to what was sent.

mod receive;
mod setup;
mod store_alert;

pub use receive::{WebhookError, WebhookReceipt, receive};

use crate::Function;

pub(crate) const FIELDS: &[(&str, Function)] =
    &[("webhook_create", setup::create), ("webhook_revoke", setup::revoke), ("webhook_test", setup::test)];

const TABLE: &str = "webhook_receiver";
