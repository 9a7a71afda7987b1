//! Notices: what people should know without asking, and its way to them.
//!
//! The module `review` brings the rows of `notice` to what is so now: one row a subject, which is told once however often it is found. Each new one has a
//! `notice_delivery` for every channel that wants its subject. Whoever sends takes those that are due of one channel ([`claim`]) for a while, so that
//! several services on one database send a message once, and [`settle`]s what came of it. The network itself is not here.

mod channel;
mod desktop;
mod draft;
mod office;
mod outbox;
mod raise;
mod standing;
mod windows;

pub use channel::SealedChannel;
pub use desktop::{RaisedNotice, RaisedNotices, raised_since};
pub use office::{Messengers, NoMessengers};
pub use outbox::{DELIVERIES, Dispatch, claim, hold, next, settle};
pub(crate) use raise::{
    Cause, ChannelState, StandingNotice, forget, has_channel, mail_channel, named_channel, post_report, raise,
};
pub use raise::{Changes, Post, post};
pub(crate) use standing::standing;

use crate::Function;
use graphql::{Ahead, Call, Refusal};
use serde_json::Value as Json;
use store::AfterWriteHook;

/// The code of a field that is answered ahead of its request.
type NoticeFunction = fn(&Ahead<'_>, &dyn Messengers) -> Result<Json, Refusal>;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("notice_channel_save", by_itself),
    ("notice_channel_test", by_itself),
    ("notice_channel_remove", channel::remove),
];

pub(crate) const AHEAD: &[(&str, NoticeFunction)] =
    &[("notice_channel_save", draft::save), ("notice_channel_test", draft::test)];

/// No window is stored that cannot be read, whoever writes it; what waits looks at it anew.
pub(crate) const FOLLOW: AfterWriteHook = AfterWriteHook {
    table: "notice_window",
    columns: &["days", "starts_at", "minutes", "is_active"],
    deletions: false,
    run: windows::written,
};

/// They are answered ahead of a request's transaction.
fn by_itself(call: &Call<'_>) -> Result<Json, Refusal> {
    let message = format!("{} is not answered inside another request: ask for it by itself", call.name);
    Err(Refusal::new("not-supported", message))
}
