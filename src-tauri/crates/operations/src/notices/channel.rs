//! Notification channels as stored rows.
//!
//! The secret is encrypted for one channel and, for mail, one server. To change where a password is sent, a user must enter it again.

use super::messenger_access::Messengers;
use super::{outbox, windows};
use crate::kit::{Arguments, Look, text, uuid};
use catalogue::ValueRef;
use channels::{Channel, Failure, Kind, MailServer, Quiet, Receiver, TimeOfDay};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use store::{Transaction, eq, is_null};
use uuid::Uuid;

pub(super) const TABLE: &str = "notice_channel";
const COLUMNS: [&str; 10] = [
    "id",
    "name",
    "kind",
    "target",
    "settings",
    "is_active",
    "subjects",
    "quiet_from",
    "quiet_until",
    "removed_at",
];

/// A channel with its secret encrypted.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredChannel {
    pub id: Uuid,
    pub name: String,
    pub(super) kind: Kind,
    pub(super) target: String,
    pub(super) server: Option<MailServer>,
    pub(super) is_active: bool,
    pub(super) subjects: Vec<String>,
    pub(super) quiet: Option<Quiet>,
    pub(super) is_removed: bool,
    pub(super) secret: String,
}

/// The secret values of a channel, stored encrypted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Secret {
    /// For mail.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub password: String,
    /// For webhooks: the URL, which itself grants access.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
}

/// The purpose that binds an encrypted secret to its channel and server.
pub(super) fn purpose(id: Uuid, kind: Kind, server: Option<&MailServer>) -> String {
    let place = server.map(|server| format!(" at {}:{}", server.host, server.port)).unwrap_or_default();
    format!("quarterdeck notices {id}, {}{place}", kind.name())
}

/// All channels of the tenant that were not removed, sorted by name.
pub(super) fn all(rows: &Transaction<'_>) -> Result<Vec<StoredChannel>, Refusal> {
    let look = Look::at(rows, TABLE)?.with("removed_at", ValueRef::Null)?;
    let found = look.ordered("name", false)?.ordered("id", false)?.rows(&COLUMNS)?;
    found.iter().map(|row| read(rows, row)).collect()
}

pub(super) fn find(rows: &Transaction<'_>, id: Uuid) -> Result<Option<StoredChannel>, Refusal> {
    let found = Look::at(rows, TABLE)?.with("id", id)?.first(&COLUMNS)?;
    found.map(|row| read(rows, &row)).transpose()
}

fn read(rows: &Transaction<'_>, row: &Json) -> Result<StoredChannel, Refusal> {
    let id = uuid(row, "id").unwrap_or_default();
    let secret = rows.select(TABLE, &["secret"], &[eq("id", id)])?;
    let secret = secret.first().and_then(|cells| cells.first()).and_then(|cell| cell.as_text());
    let time = |name: &str| row[name].as_str().and_then(TimeOfDay::parse);
    let subjects = row["subjects"].as_array().into_iter().flatten();
    Ok(StoredChannel {
        id,
        name: text(row, "name").to_owned(),
        kind: Kind::find(text(row, "kind")).unwrap_or(Kind::Webhook),
        target: text(row, "target").to_owned(),
        server: MailServer::deserialize(&row["settings"]).ok(),
        is_active: row["is_active"] == Json::Bool(true),
        subjects: subjects.filter_map(Json::as_str).map(str::to_owned).collect(),
        quiet: time("quiet_from").zip(time("quiet_until")).map(|(from, until)| Quiet { from, until }),
        is_removed: !row["removed_at"].is_null(),
        secret: secret.unwrap_or_default().to_owned(),
    })
}

impl StoredChannel {
    /// Whether the channel accepts notices.
    pub(super) fn is_open(&self) -> bool {
        self.is_active && !self.is_removed
    }

    /// Decrypts the secret. Blocks.
    pub(super) fn secret(&self, messengers: &dyn Messengers) -> Result<Secret, String> {
        let purpose = purpose(self.id, self.kind, self.server.as_ref());
        let opened = messengers.decrypt(&purpose, &self.secret)?;
        serde_json::from_str(&opened).map_err(|_| "it is damaged".to_owned())
    }

    /// Returns the channel with its secret decrypted. Blocks while reading the key from the keyring.
    pub fn decrypt(&self, messengers: &dyn Messengers) -> Result<Channel, Failure> {
        let secret = self.secret(messengers).map_err(|why| {
            Failure::lasting(format!(
                "The secret of {} cannot be used: {why}. Type it again in Settings, Notifications.",
                self.name
            ))
        })?;
        self.with_secret(secret)
    }

    pub(super) fn with_secret(&self, secret: Secret) -> Result<Channel, Failure> {
        let (password, key) = (secret.password, secret.key);
        let receiver = match (self.kind, &self.server) {
            (Kind::Email, Some(server)) => Receiver::Mail(server.clone()),
            (Kind::Email, None) => {
                return Err(Failure::lasting(format!("{} has no mail server.", self.name)));
            }
            (kind, _) => {
                Receiver::Hook { kind, url: secret.url.into(), key: (!key.is_empty()).then(|| key.into()) }
            }
        };
        Ok(Channel {
            name: self.name.clone(),
            receiver,
            password: (!password.is_empty()).then(|| password.into()),
        })
    }
}

#[derive(Serialize)]
pub(super) struct ChannelResult {
    pub id: Uuid,
}

/// Handles `notice_channel_remove`.
pub(super) fn remove(call: &Call<'_>) -> Result<Json, Refusal> {
    let arguments = Arguments(call.arguments);
    let (id, is_back) = (arguments.needed_id("id")?, arguments.flag("restore").unwrap_or_default());
    let none = || Refusal::not_found(format!("there is no channel {id} in this tenant"));
    let known = find(call.rows, id)?.ok_or_else(none)?;
    let at = if is_back { ValueRef::Null } else { ValueRef::Timestamp(call.now) };
    if is_back {
        check_name(call.rows, &known)?;
    }
    let system = catalogue::Caller::system_for(crate::kit::tenant(call)?);
    let rows = call.rows.as_caller(&system);
    rows.update(
        TABLE,
        &[eq("id", id)],
        &[("removed_at", at), ("updated_at", ValueRef::Timestamp(call.now))],
    )?;
    outbox::make_due(&rows, Some(id))?;
    answer(id)
}

pub(super) fn answer(id: Uuid) -> Result<Json, Refusal> {
    serde_json::to_value(ChannelResult { id }).map_err(|error| Refusal::new("unexpected", error.to_string()))
}

/// Checks that no other channel of the tenant has the same name.
pub(super) fn check_name(rows: &Transaction<'_>, channel: &StoredChannel) -> Result<(), Refusal> {
    let same = rows.select(TABLE, &["id"], &[eq("name", channel.name.as_str()), is_null("removed_at")])?;
    if same.iter().flatten().all(|cell| cell.as_uuid() == Some(channel.id)) {
        return Ok(());
    }
    let message = format!("`name` is \"{}\": another channel is called that", channel.name);
    Err(Refusal::invalid(message))
}

/// The earliest time from `now` on at which the channel may be used, after its quiet hours and the
/// tenant's maintenance windows. `None` if there is no such time.
pub(super) fn allowed_at(
    rows: &Transaction<'_>,
    channel: &StoredChannel,
    now: i64,
) -> Result<Option<i64>, Refusal> {
    Ok(channels::allowed_at(now, channel.quiet, &windows::active(rows)?))
}
