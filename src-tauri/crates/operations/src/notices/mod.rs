//! Notices: messages about things people should know, and their delivery.
//!
//! The module `review` updates the rows of `notice` to the current state. Each subject has one row and is sent
//! once, however often it is found. A new notice gets a `notice_delivery` for every channel that subscribes to its
//! subject. A sender [`claim`]s the due deliveries of one channel for a limited time, which lets several services
//! on one database send a message only once, and then [`settle`]s the result. This module does no network calls.

mod channel;
mod conditions;
mod desktop;
mod draft;
mod messenger_access;
mod outbox;
mod raise;
mod windows;

pub use channel::StoredChannel;
pub(crate) use conditions::active_conditions;
pub use desktop::{RaisedNotice, RaisedNotices, raised_since};
pub use messenger_access::{Messengers, NoMessengers};
pub use outbox::{DELIVERIES, Dispatch, claim, extend_claim, next, settle};
pub(crate) use raise::{
    ActiveCondition, Cause, ChannelState, delete_untried, has_channel, mail_channel, named_channel,
    queue_report_message, raise,
};
pub use raise::{Changes, ChannelMessage, queue_message};

use crate::Function;
use crate::kit::refuse_inside_request;
use graphql::{PreTransactionCall, Refusal};
use serde_json::Value as Json;
use store::AfterWriteHook;

/// A field that is handled before the request's transaction.
type NoticeFunction = fn(&PreTransactionCall<'_>, &dyn Messengers) -> Result<Json, Refusal>;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("notice_channel_save", refuse_inside_request),
    ("notice_channel_test", refuse_inside_request),
    ("notice_channel_remove", channel::remove),
];

pub(crate) const PRE_TRANSACTION_FIELDS: &[(&str, NoticeFunction)] =
    &[("notice_channel_save", draft::save), ("notice_channel_test", draft::test)];

/// Refuses invalid maintenance windows, whichever way they are written, and reschedules waiting deliveries.
pub(crate) const AFTER_WRITE: AfterWriteHook = AfterWriteHook {
    table: "notice_window",
    columns: &["days", "starts_at", "minutes", "is_active"],
    deletions: false,
    run: windows::after_write,
};
