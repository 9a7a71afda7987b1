//! Writes notices as rows: raised once per subject, ended when their condition no longer holds.

use super::channel;
use super::outbox::{DROPPED, WAITING};
use crate::kit::{Look, text, uuid};
use catalogue::{Caller, Value, ValueRef};
use channels::{Kind, Severity};
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::query::{Operator, Test};
use store::{Transaction, eq, ne, one_of};
use uuid::Uuid;

const TABLE: &str = "notice";
const WORKFLOW: &str = "workflow";
const REPORT: &str = "report";
/// Subjects of posted messages, which never end.
const MESSAGE_SUBJECTS: [&str; 2] = [WORKFLOW, REPORT];

/// A condition that holds now and has, or should have, a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActiveCondition {
    /// A value of `notice_subject_enum`.
    pub subject: &'static str,
    pub key: String,
    pub severity: Severity,
    pub title: String,
    pub text: String,
    /// Path and query of the page with the details.
    pub link: Option<String>,
    /// Whether the condition is recent enough to raise a notice. An older one only keeps an existing notice active.
    pub is_recent: bool,
    pub cause: Cause,
}

/// The event that raising the notice reports to workflow triggers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// None.
    Other,
    Anomaly(Uuid),
    Budget {
        /// The account of a budget that covers a single account.
        account: Option<Uuid>,
        /// The values of the threshold that a run receives.
        threshold: Json,
    },
}

/// The changes made by one call of [`raise`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub raised: usize,
    pub ended: usize,
}

/// Updates the notices of the tenant to the current conditions: raises and queues new ones, and ends those whose
/// condition no longer holds. Returns the changes and the conditions that were raised. `rows` act for the tenant.
pub(crate) fn raise<'s>(
    rows: &Transaction<'_>,
    conditions: &'s [ActiveCondition],
) -> Result<(Changes, Vec<&'s ActiveCondition>), Refusal> {
    let columns = ["id", "key", "subject", "severity", "title", "text", "link", "ended_at"];
    let stored = Look::at(rows, TABLE)?.rows(&columns)?;
    let known: BTreeMap<&str, &Json> = stored.iter().map(|row| (text(row, "key"), row)).collect();
    let mut changes = Changes::default();
    let mut raised = Vec::new();
    let mut kept = BTreeSet::new();
    for one in conditions {
        kept.insert(one.key.as_str());
        match known.get(one.key.as_str()) {
            None if one.is_recent => {
                let id = insert(rows, one)?;
                deliver(rows, id, one.subject)?;
                changes.raised += 1;
                raised.push(one);
            }
            None => {}
            Some(row) => {
                update_texts(rows, row, one)?;
                if let Some(id) = uuid(row, "id").filter(|_| one.is_recent && !row["ended_at"].is_null()) {
                    requeue_dropped(rows, id, one.subject)?;
                }
            }
        }
    }
    for row in &stored {
        let is_over = row["ended_at"].is_null() && !MESSAGE_SUBJECTS.contains(&text(row, "subject"));
        if let Some(id) = uuid(row, "id").filter(|_| is_over && !kept.contains(text(row, "key"))) {
            rows.update(TABLE, &[eq("id", id)], &[("ended_at", ValueRef::Timestamp(rows.now()))])?;
            changes.ended += 1;
        }
    }
    Ok((changes, raised))
}

/// Deletes notices that ended at `since` or later and whose delivery was never attempted. `rows` act for the tenant.
pub(crate) fn delete_untried(rows: &Transaction<'_>, since: i64) -> Result<(), Refusal> {
    let since = Test::Compare(Operator::GreaterOrEqual, Value::Timestamp(since));
    let ended = Look::at(rows, TABLE)?.that("ended_at", since)?.rows(&["id"])?;
    for id in ended.iter().filter_map(|row| uuid(row, "id")) {
        let tried = [eq("notice_id", id), ne("tries", 0_i64)];
        if rows.count("notice_delivery", &tried)? == 0 {
            rows.delete(TABLE, &[eq("id", id)])?;
        }
    }
    Ok(())
}

/// Requeues dropped deliveries of a notice that became active again. They are sent when their channel allows it.
fn requeue_dropped(rows: &Transaction<'_>, notice: Uuid, subject: &str) -> Result<(), Refusal> {
    let open: Vec<ValueRef<'_>> = channel::all(rows)?
        .iter()
        .filter(|channel| is_subscribed(channel, subject))
        .map(|channel| ValueRef::Uuid(channel.id))
        .collect();
    let given_up = [eq("notice_id", notice), eq("state", DROPPED), one_of("channel_id", open)];
    let cells = [
        ("state", WAITING.into()),
        ("error", ValueRef::Null),
        ("tries", ValueRef::Int(0)),
        ("due_at", ValueRef::Timestamp(rows.now())),
        ("created_at", ValueRef::Timestamp(rows.now())),
    ];
    rows.update("notice_delivery", &given_up, &cells)?;
    Ok(())
}

/// Updates the texts of an existing notice. It is not sent again.
fn update_texts(rows: &Transaction<'_>, row: &Json, one: &ActiveCondition) -> Result<(), Refusal> {
    let is_same = row["ended_at"].is_null()
        && text(row, "severity") == one.severity.name()
        && text(row, "title") == one.title
        && text(row, "text") == one.text
        && row["link"].as_str() == one.link.as_deref();
    let Some(id) = uuid(row, "id").filter(|_| !is_same) else { return Ok(()) };
    let set = [
        ("severity", one.severity.name().into()),
        ("title", one.title.as_str().into()),
        ("text", one.text.as_str().into()),
        ("link", one.link.as_deref().into()),
        ("ended_at", ValueRef::Null),
    ];
    rows.update(TABLE, &[eq("id", id)], &set)?;
    Ok(())
}

fn insert(rows: &Transaction<'_>, one: &ActiveCondition) -> Result<Uuid, Refusal> {
    let id = Uuid::new_v4();
    rows.insert(
        TABLE,
        &[
            ("id", id.into()),
            ("subject", one.subject.into()),
            ("key", one.key.as_str().into()),
            ("severity", one.severity.name().into()),
            ("title", one.title.as_str().into()),
            ("text", one.text.as_str().into()),
            ("link", one.link.as_deref().into()),
            ("raised_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(id)
}

/// Queues a notice for the channels that subscribe to its subject.
fn deliver(rows: &Transaction<'_>, notice: Uuid, subject: &str) -> Result<(), Refusal> {
    for channel in channel::all(rows)?.iter().filter(|channel| is_subscribed(channel, subject)) {
        queue(rows, notice, channel.id, &Envelope::default())?;
    }
    Ok(())
}

fn is_subscribed(channel: &channel::StoredChannel, subject: &str) -> bool {
    channel.is_open() && channel.subjects.iter().any(|wanted| wanted == subject)
}

/// Values that belong to a single delivery.
#[derive(Debug, Clone, Default)]
struct Envelope<'e> {
    recipients: &'e [String],
    reply_to: Option<&'e str>,
    is_urgent: bool,
}

fn queue(
    rows: &Transaction<'_>,
    notice: Uuid,
    channel: Uuid,
    envelope: &Envelope<'_>,
) -> Result<(), Refusal> {
    let recipients = Json::from(envelope.recipients).to_string();
    rows.insert(
        "notice_delivery",
        &[
            ("notice_id", notice.into()),
            ("channel_id", channel.into()),
            ("recipients", ValueRef::Json(&recipients)),
            ("reply_to", envelope.reply_to.into()),
            ("is_urgent", envelope.is_urgent.into()),
            ("due_at", ValueRef::Timestamp(rows.now())),
            ("created_at", ValueRef::Timestamp(rows.now())),
        ],
    )?;
    Ok(())
}

/// A message of a workflow for one channel.
#[derive(Debug, Clone)]
pub struct ChannelMessage<'p> {
    /// The channel's name or id.
    pub channel: &'p str,
    /// Identifies the message, for example the run and the task. Posting the same key again does not send it again.
    pub key: &'p str,
    pub title: &'p str,
    pub text: &'p str,
    /// For mail: recipients that replace those of the channel.
    pub recipients: &'p [String],
    /// For mail: the reply-to address.
    pub reply_to: Option<&'p str>,
}

/// Queues a message in the caller's transaction. It is sent after the commit, even in quiet hours. Returns the
/// id of its notice, which is the existing one for a key that was posted before. `rows` act for the tenant.
pub fn queue_message(rows: &Transaction<'_>, message: &ChannelMessage<'_>) -> Result<Uuid, Refusal> {
    queue_about(rows, message, (WORKFLOW, None))
}

/// Queues a message about a report, with a link to its page. See [`queue_message`].
pub(crate) fn queue_report_message(
    rows: &Transaction<'_>,
    message: &ChannelMessage<'_>,
    link: String,
) -> Result<Uuid, Refusal> {
    queue_about(rows, message, (REPORT, Some(link)))
}

fn queue_about(
    rows: &Transaction<'_>,
    message: &ChannelMessage<'_>,
    (subject, link): (&'static str, Option<String>),
) -> Result<Uuid, Refusal> {
    let tenant = rows.caller().tenant().ok_or_else(Refusal::denied)?;
    let system = Caller::system_for(tenant);
    let rows = &rows.without_actor();
    let rows = &rows.as_caller(&system);
    let key = format!("{subject}:{}", message.key);
    if let Some(known) = Look::at(rows, TABLE)?.with("key", key.as_str())?.first(&["id"])? {
        return Ok(uuid(&known, "id").unwrap_or_default());
    }
    let channels = channel::all(rows)?;
    let is_meant = |channel: &&channel::StoredChannel| {
        channel.name == message.channel || Uuid::parse_str(message.channel).ok() == Some(channel.id)
    };
    let Some(channel) = channels.iter().find(is_meant) else {
        let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
        let known = if names.is_empty() { "there is none yet".to_owned() } else { names.join(", ") };
        let message =
            format!("there is no channel \"{}\" in Settings, Notifications ({known})", message.channel);
        return Err(Refusal::invalid(message));
    };
    if !channel.is_open() {
        return Err(Refusal::invalid(format!("the channel {} is switched off", channel.name)));
    }
    let notice = insert(
        rows,
        &ActiveCondition {
            subject,
            key,
            severity: Severity::Info,
            title: message.title.to_owned(),
            text: message.text.to_owned(),
            link,
            is_recent: true,
            cause: Cause::Other,
        },
    )?;
    let envelope = Envelope { recipients: message.recipients, reply_to: message.reply_to, is_urgent: true };
    queue(rows, notice, channel.id, &envelope)?;
    Ok(notice)
}

/// The state of a channel given by name or id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChannelState {
    Open,
    /// The channel is switched off and accepts no messages.
    Off,
    Missing,
}

/// Looks up a channel by name or id. `rows` act for the tenant.
pub(crate) fn named_channel(rows: &Transaction<'_>, named: &str) -> Result<ChannelState, Refusal> {
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let id = Uuid::parse_str(named).ok();
    let channels = channel::all(&rows.as_caller(&system))?;
    let found = channels.iter().find(|channel| channel.name == named || id == Some(channel.id));
    let state = |channel: &channel::StoredChannel| {
        if channel.is_open() { ChannelState::Open } else { ChannelState::Off }
    };
    Ok(found.map_or(ChannelState::Missing, state))
}

/// Whether a channel with that name or id exists. `rows` act for the tenant.
pub(crate) fn has_channel(rows: &Transaction<'_>, named: &str) -> Result<bool, Refusal> {
    Ok(named_channel(rows, named)? != ChannelState::Missing)
}

/// The id of the first active mail channel by name. `rows` act for the tenant.
pub(crate) fn mail_channel(rows: &Transaction<'_>) -> Result<Option<String>, Refusal> {
    let system = Caller::system_for(rows.caller().tenant().ok_or_else(Refusal::denied)?);
    let channels = channel::all(&rows.as_caller(&system))?;
    let mut mail = channels.into_iter().filter(|channel| channel.is_open() && channel.kind == Kind::Email);
    Ok(mail.next().map(|channel| channel.id.to_string()))
}

/// Reads notices by id, in the form in which they are sent.
pub(super) fn items(
    rows: &Transaction<'_>,
    ids: Vec<Value>,
    base_url: &str,
) -> Result<BTreeMap<Uuid, (channels::Item, bool)>, Refusal> {
    let columns = ["id", "subject", "severity", "title", "text", "link", "raised_at", "ended_at"];
    let found = Look::at(rows, TABLE)?.one_of("id", ids)?.rows(&columns)?;
    let item = |row: &Json| {
        let raised_at = catalogue::parse_timestamp(text(row, "raised_at")).unwrap_or_default();
        let item = channels::Item {
            subject: text(row, "subject").to_owned(),
            severity: Severity::find(text(row, "severity")).unwrap_or(Severity::Info),
            title: text(row, "title").to_owned(),
            text: text(row, "text").to_owned(),
            link: row["link"].as_str().map(|link| format!("{base_url}{link}")),
            raised_at,
        };
        Some((uuid(row, "id")?, (item, !row["ended_at"].is_null())))
    };
    Ok(found.iter().filter_map(item).collect())
}
