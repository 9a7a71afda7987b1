//! Sends deliveries: each is claimed by one sender at a time, settled with the result, and retried on failure.

use super::channel::{self, StoredChannel};
use super::raise;
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Value, ValueRef, parse_timestamp};
use channels::{BACKOFF, Failure, Item, Message};
use graphql::Refusal;
use serde_json::Value as Json;
use std::time::Duration;
use store::query::{Operator, Test};
use store::{Store, StoreError, Transaction, eq, one_of};
use uuid::Uuid;

const TABLE: &str = "notice_delivery";
/// Tables whose changes may create deliveries to send.
pub const DELIVERIES: [&str; 3] = [TABLE, channel::TABLE, "notice_window"];

pub(super) const WAITING: &str = "waiting";
const SENT: &str = "sent";
const FAILED: &str = "failed";
pub(super) const DROPPED: &str = "dropped";

/// A sender that has neither settled nor [extended](extend_claim) its claim for this time is assumed to have stopped.
const LEASE: Duration = Duration::from_mins(1);
/// How long sending a message is retried.
const MAX_RETRY_TIME: Duration = Duration::from_hours(24);
/// Maximum number of notices in one message.
const MAX_ITEMS: u64 = 50;
/// If maintenance windows leave no time to send, deliveries are checked again after this time.
const RECHECK_INTERVAL: Duration = Duration::from_hours(6);

/// A message claimed for sending.
pub struct Dispatch {
    tenant: Uuid,
    channel: StoredChannel,
    deliveries: Vec<Uuid>,
    claim: Uuid,
    /// The highest number of earlier attempts among the deliveries.
    tries: u32,
    opened_at: i64,
    message: Message,
}

impl Dispatch {
    /// The tenant that owns the message.
    pub fn tenant(&self) -> Uuid {
        self.tenant
    }

    pub fn channel(&self) -> &StoredChannel {
        &self.channel
    }

    pub fn message(&self) -> &Message {
        &self.message
    }
}

/// When the next delivery is due, µs since 1970 UTC.
pub fn next(store: &Store) -> Result<Option<i64>, StoreError> {
    let first = |rows: &Transaction<'_>| Ok(first(rows)?.map(|(_, due)| due));
    store.snapshot(&Caller::system(), first).map_err(Refusal::into_error)
}

/// The delivery with the earliest due time, and that time.
fn first(rows: &Transaction<'_>) -> Result<Option<(Json, i64)>, Refusal> {
    let look = Look::at(rows, TABLE)?.with("state", WAITING)?.ordered("due_at", false)?.limit(1);
    let found = look.first(&["id", "tenant", "channel_id", "is_urgent", "due_at"])?;
    Ok(found.and_then(|row| {
        let due = parse_timestamp(text(&row, "due_at"))?;
        Some((row, due))
    }))
}

/// Makes the waiting deliveries of a channel, or of the whole tenant, due immediately. Quiet hours
/// and windows are checked when a delivery is claimed.
pub(super) fn make_due(rows: &Transaction<'_>, channel: Option<Uuid>) -> Result<(), Refusal> {
    let mut which = vec![eq("state", WAITING), store::is_null("claim")];
    which.extend(channel.map(|channel| eq("channel_id", channel)));
    rows.without_actor().update(TABLE, &which, &[("due_at", ValueRef::Timestamp(rows.now()))])?;
    Ok(())
}

/// The next action of the sender.
enum Next {
    /// Nothing is due.
    Nothing,
    /// A delivery was postponed or dropped; try the next one.
    Again,
    Send(Box<Dispatch>),
}

/// Claims the due deliveries of one channel to keep other senders from taking them for a while. `claim` is a new random id. Deliveries that must
/// not be sent any more are dropped; those due in quiet hours or in a maintenance window are postponed. Links start with `base_url`. Blocks.
pub fn claim(store: &Store, claim: Uuid, base_url: &str) -> Result<Option<Dispatch>, StoreError> {
    loop {
        let next = store.transaction(&Caller::system(), |rows| claim_next(rows, claim, base_url));
        match next.map_err(Refusal::into_error)? {
            Next::Nothing => return Ok(None),
            Next::Again => {}
            Next::Send(dispatch) => return Ok(Some(*dispatch)),
        }
    }
}

fn claim_next(house_rows: &Transaction<'_>, claim: Uuid, base_url: &str) -> Result<Next, Refusal> {
    let Some((row, _)) = first(house_rows)?.filter(|(_, due)| *due <= house_rows.now()) else {
        return Ok(Next::Nothing);
    };
    let (Some(tenant), Some(channel_id)) = (uuid(&row, "tenant"), uuid(&row, "channel_id")) else {
        return Ok(Next::Nothing);
    };
    let system = Caller::system_for(tenant);
    let rows = house_rows.without_actor();
    let rows = rows.as_caller(&system);
    let channel = channel::find(&rows, channel_id)?.filter(StoredChannel::is_open);
    let Some(channel) = channel else {
        set(
            &rows,
            &[eq("channel_id", channel_id), eq("state", WAITING)],
            DROPPED,
            "Its channel was switched off.",
        )?;
        return Ok(Next::Again);
    };
    let is_urgent = row["is_urgent"] == Json::Bool(true);
    if !is_urgent && let Some(later) = postponed_until(&rows, &channel)? {
        let waiting = [eq("channel_id", channel_id), eq("state", WAITING), eq("is_urgent", false)];
        rows.update(TABLE, &waiting, &[("due_at", ValueRef::Timestamp(later))])?;
        return Ok(Next::Again);
    }
    collect_deliveries(&rows, channel, &row, claim, base_url)
}

/// The time until which the channel must not be used, if any.
fn postponed_until(rows: &Transaction<'_>, channel: &StoredChannel) -> Result<Option<i64>, Refusal> {
    let now = rows.now();
    let at = channel::allowed_at(rows, channel, now)?.unwrap_or(now + micros(RECHECK_INTERVAL));
    Ok((at > now).then_some(at))
}

/// Collects the deliveries for one message: a workflow's message is sent alone, notices are sent together.
fn collect_deliveries(
    rows: &Transaction<'_>,
    channel: StoredChannel,
    first: &Json,
    claim: Uuid,
    base_url: &str,
) -> Result<Next, Refusal> {
    let now = rows.now();
    let mut look = Look::at(rows, TABLE)?
        .with("channel_id", channel.id)?
        .with("state", WAITING)?
        .that("due_at", Test::Compare(Operator::LessOrEqual, Value::Timestamp(now)))?;
    look = if first["is_urgent"] == Json::Bool(true) {
        look.with("id", uuid(first, "id").unwrap_or_default())?
    } else {
        look.with("is_urgent", false)?
    };
    let look = look.ordered("created_at", false)?.ordered("id", false)?.limit(MAX_ITEMS);
    let columns = ["id", "notice_id", "tries", "created_at", "recipients", "reply_to", "is_urgent"];
    let due = look.rows(&columns)?;
    let ids = due.iter().filter_map(|row| uuid(row, "notice_id")).map(Value::Uuid).collect();
    let notices = raise::items(rows, ids, base_url)?;
    let of =
        due.first().filter(|_| first["is_urgent"] == Json::Bool(true)).and_then(|row| uuid(row, "notice_id"));
    let attachments =
        of.map(|notice| crate::report_files::attachments(rows, notice)).transpose()?.unwrap_or_default();
    let (mut deliveries, mut items, mut over) = (Vec::new(), Vec::new(), Vec::new());
    for row in &due {
        let (Some(id), Some(notice)) = (uuid(row, "id"), uuid(row, "notice_id")) else { continue };
        match notices.get(&notice) {
            Some((item, false)) => {
                deliveries.push(id);
                items.push(item.clone());
            }
            _ => over.push(id),
        }
    }
    if !over.is_empty() {
        set(rows, &[among(&over)], DROPPED, "It was no longer so.")?;
    }
    let Some(id) = deliveries.first().copied() else { return Ok(Next::Again) };
    let whole = |name: &str| due.iter().filter_map(|row| row[name].as_u64()).max().unwrap_or_default();
    let tries = whole("tries");
    rows.update(
        TABLE,
        &[among(&deliveries)],
        &[
            ("tries", ValueRef::Int(i64::try_from(tries + 1).unwrap_or(i64::MAX))),
            ("due_at", ValueRef::Timestamp(now + micros(LEASE))),
            ("claim", claim.into()),
        ],
    )?;
    Ok(Next::Send(Box::new(Dispatch {
        tenant: rows.caller().tenant().unwrap_or_default(),
        claim,
        tries: u32::try_from(tries).unwrap_or(u32::MAX),
        opened_at: due.iter().filter_map(|row| parse_timestamp(text(row, "created_at"))).min().unwrap_or(now),
        message: Message { attachments, ..message(id, items, &due) },
        deliveries,
        channel,
    })))
}

fn message(id: Uuid, items: Vec<Item>, due: &[Json]) -> Message {
    // Only workflow messages have an envelope, and each is sent alone.
    let envelope = due.iter().find(|row| row["is_urgent"] == Json::Bool(true));
    let recipients = envelope.and_then(|row| row["recipients"].as_array()).into_iter().flatten();
    Message {
        id,
        items,
        recipients: recipients.filter_map(Json::as_str).map(str::to_owned).collect(),
        reply_to: envelope.and_then(|row| row["reply_to"].as_str()).map(str::to_owned),
        attachments: Vec::new(),
    }
}

fn among(ids: &[Uuid]) -> store::Condition<'static> {
    one_of("id", ids.iter().map(|id| ValueRef::Uuid(*id)).collect())
}

/// Sets the final state of deliveries.
fn set(
    rows: &Transaction<'_>,
    which: &[store::Condition<'_>],
    state: &str,
    error: &str,
) -> Result<(), StoreError> {
    let cells = [("state", state.into()), ("error", error.into()), ("claim", ValueRef::Null)];
    rows.update(TABLE, which, &cells).map(|_| ())
}

/// Extends the claim while sending continues. Blocks.
pub fn extend_claim(store: &Store, dispatch: &Dispatch) -> Result<(), StoreError> {
    store.concurrent_transaction(&Caller::system_for(dispatch.tenant), |rows| {
        let ours = [among(&dispatch.deliveries), eq("claim", dispatch.claim)];
        let until = ValueRef::Timestamp(rows.now() + micros(LEASE));
        rows.without_actor().update(TABLE, &ours, &[("due_at", until)]).map(|_| ())
    })
}

/// Stores the result of sending: success, or the error and the time of the next attempt. `chance` (0 to
/// 1) adds jitter to the retry time. If the sender's claim has expired, only a success is stored. Blocks.
pub fn settle(
    store: &Store,
    dispatch: &Dispatch,
    outcome: &Result<(), Failure>,
    chance: f64,
) -> Result<(), StoreError> {
    store.transaction(&Caller::system_for(dispatch.tenant), |rows| {
        let (rows, now) = (rows.without_actor(), rows.now());
        let ours = [among(&dispatch.deliveries), eq("claim", dispatch.claim), eq("state", WAITING)];
        let of_channel = |cells: &[(&str, ValueRef<'_>)]| {
            rows.update(channel::TABLE, &[eq("id", dispatch.channel.id)], cells).map(|_| ())
        };
        match outcome {
            Ok(()) => {
                let cells = [
                    ("state", SENT.into()),
                    ("sent_at", ValueRef::Timestamp(now)),
                    ("error", ValueRef::Null),
                    ("claim", ValueRef::Null),
                ];
                rows.update(TABLE, &[among(&dispatch.deliveries), eq("state", WAITING)], &cells)?;
                of_channel(&[("last_sent_at", ValueRef::Timestamp(now)), ("last_error", ValueRef::Null)])
            }
            Err(failure) => {
                let is_over = failure.is_final || now - dispatch.opened_at > micros(MAX_RETRY_TIME);
                let wait = BACKOFF.wait(dispatch.tries.saturating_add(1), failure.retry_after, chance);
                let cells = [
                    ("state", if is_over { FAILED } else { WAITING }.into()),
                    ("error", failure.message.as_str().into()),
                    ("due_at", ValueRef::Timestamp(now + micros(wait))),
                    ("claim", ValueRef::Null),
                ];
                if rows.update(TABLE, &ours, &cells)? == 0 {
                    return Ok(());
                }
                of_channel(&[("last_error", failure.message.as_str().into())])
            }
        }
    })
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
