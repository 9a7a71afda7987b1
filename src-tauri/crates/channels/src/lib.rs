//! Sends messages to people: by mail, to a Slack or Teams channel, or to any webhook.
//!
//! Each message is in the format of its receiver and is sent through `outgoing`. The content of messages, and when to retry, is decided elsewhere.
//!
//! Start at [`send`]. The secret of a channel is never in a message, log or failure. A message that is sent twice has the same [`Message::id`], by
//! which receivers can detect duplicates.

mod channel;
mod failure;
mod mail;
mod message;
mod post;
mod schedule;
#[cfg(test)]
mod tests;

pub use channel::{Channel, Kind, MailServer, Receiver, Security, check_address};
pub use failure::Failure;
pub use message::{Attachment, Item, Message, Severity};
pub use schedule::{Quiet, TimeOfDay, Window, allowed_at};

use outgoing::{Backoff, OutgoingSettings};
use std::time::Duration;

/// Retry delays of a message: from half a minute to half an hour, and up to six hours if the receiver requests it.
pub const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(30),
    longest: Duration::from_mins(30),
    longest_asked: Duration::from_hours(6),
};

/// Timeout of sending a message.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends a message. `now` is µs since 1970 UTC.
pub async fn send(
    way: &OutgoingSettings,
    channel: &Channel,
    message: &Message,
    now: i64,
) -> Result<(), Failure> {
    let sent = async {
        match &channel.receiver {
            Receiver::Mail(server) => mail::send(way, channel, server, message, now).await,
            Receiver::Hook { kind, url, key } => {
                post::send(way, channel, (*kind, url, key.as_deref().map(String::as_str)), message).await
            }
        }
    };
    let slow =
        || Failure::passing(format!("{} took longer than {} s to answer.", channel.name, PATIENCE.as_secs()));
    tokio::time::timeout(PATIENCE, sent).await.unwrap_or_else(|_| Err(slow()))
}
