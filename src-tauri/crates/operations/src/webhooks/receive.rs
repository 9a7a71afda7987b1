//! Receives webhook messages and limits their rate.

use super::{TABLE, message_store};
use crate::kit::{Look, uuid};
use auth::fingerprint;
use catalogue::{Caller, ValueRef};
use formats::alerts::{self, AlertError};
use graphql::Refusal;
use serde_json::Value as Json;
use std::ops::AddAssign;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

/// Maximum number of messages per minute and address.
const LIMIT_PER_MINUTE: i64 = 600;
const MINUTE: i64 = 60_000_000;
const SECOND: i64 = 1_000_000;
/// Maximum length of a stored error message.
const MAX_ERROR_LENGTH: usize = 500;

/// The columns read for an address.
pub(super) const COLUMNS: [&str; 7] =
    ["id", "tenant_id", "account_id", "name", "received", "minute_count", "minute_started_at"];

/// The result of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WebhookReceipt {
    /// Number of alerts in the message.
    pub alerts: u64,
    /// Number of events created, including those that were already resolved.
    pub created: u64,
    /// Number of open events updated or closed.
    pub updated: u64,
}

impl AddAssign for WebhookReceipt {
    fn add_assign(&mut self, other: Self) {
        self.alerts += other.alerts;
        self.created += other.created;
        self.updated += other.updated;
    }
}

/// Why a message was refused. Nothing of it is stored.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// The token is unknown or was revoked.
    #[error("There is no webhook at this address, or it was revoked")]
    Unknown,
    #[error("This webhook takes {LIMIT_PER_MINUTE} messages a minute; try again in {seconds} s")]
    TooMany { seconds: i64 },
    #[error(transparent)]
    Body(#[from] AlertError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Refusal> for WebhookError {
    fn from(refusal: Refusal) -> Self {
        Self::Store(refusal.into_error())
    }
}

/// Receives a message sent to the address with `token`. Blocks. A message is stored before the call returns.
pub fn receive(store: &Store, token: &str, body: &[u8]) -> Result<WebhookReceipt, WebhookError> {
    let hash = fingerprint(token);
    let system = Caller::system();
    let (id, outcome) = store.transaction::<_, WebhookError>(&system, |rows| {
        let found =
            Look::at(rows, TABLE)?.with("token_hash", hash.as_str())?.with("revoked_at", ValueRef::Null)?;
        let receiver = found.first(&COLUMNS)?.ok_or(WebhookError::Unknown)?;
        let (id, tenant) =
            uuid(&receiver, "id").zip(uuid(&receiver, "tenant_id")).ok_or(WebhookError::Unknown)?;
        let own = Caller::system_for(tenant);
        let rows = rows.as_caller(&own);
        check_rate(&rows, id, &receiver)?;
        // An unreadable message also counts and its error is stored; therefore the transaction commits in both cases.
        match take(&rows, &receiver, body) {
            Err(WebhookError::Body(error)) => {
                refuse(&rows, id, &error)?;
                Ok((id, Err(error)))
            }
            other => other.map(|receipt| (id, Ok(receipt))),
        }
    })?;
    tracing::debug!(webhook = %id, "a message came in");
    Ok(outcome?)
}

/// Parses a message and stores its alerts in the transaction of `rows`, which act for the tenant of the address.
pub(super) fn take(
    rows: &Transaction<'_>,
    receiver: &Json,
    body: &[u8],
) -> Result<WebhookReceipt, WebhookError> {
    let message = alerts::read_body(body)?;
    let target = uuid(receiver, "id").zip(uuid(receiver, "account_id")).ok_or(WebhookError::Unknown)?;
    let receipt = message_store::store(rows, target, message, body)?;
    let count = receiver["received"].as_i64().unwrap_or_default() + 1;
    let sets = [
        ("received", ValueRef::Int(count)),
        ("received_at", ValueRef::Timestamp(rows.now())),
        ("last_error", ValueRef::Null),
    ];
    rows.update(TABLE, &[eq("id", target.0)], &sets)?;
    Ok(receipt)
}

/// Counts the message, or refuses it if the limit of this minute is reached. The count is in the database and shared by all services.
fn check_rate(rows: &Transaction<'_>, id: Uuid, receiver: &Json) -> Result<(), WebhookError> {
    let now = rows.now();
    let started = receiver["minute_started_at"].as_str().and_then(catalogue::parse_timestamp);
    let (started, count) = match started {
        Some(started) if now - started < MINUTE => {
            (started, receiver["minute_count"].as_i64().unwrap_or_default())
        }
        _ => (now, 0),
    };
    if count >= LIMIT_PER_MINUTE {
        return Err(WebhookError::TooMany { seconds: (started + MINUTE - now) / SECOND + 1 });
    }
    let sets =
        [("minute_started_at", ValueRef::Timestamp(started)), ("minute_count", ValueRef::Int(count + 1))];
    rows.update(TABLE, &[eq("id", id)], &sets)?;
    Ok(())
}

fn refuse(rows: &Transaction<'_>, id: Uuid, error: &AlertError) -> Result<(), StoreError> {
    let reason: String = error.to_string().chars().take(MAX_ERROR_LENGTH).collect();
    let sets = [("received_at", ValueRef::Timestamp(rows.now())), ("last_error", reason.as_str().into())];
    rows.update(TABLE, &[eq("id", id)], &sets).map(drop)
}
