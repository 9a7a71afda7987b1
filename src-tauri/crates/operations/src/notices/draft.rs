//! Channels submitted in a form: validated together with the stored channel, saved with an encrypted secret, and tested.

use super::channel::{self, Secret, StoredChannel, purpose};
use super::{messenger_access::Messengers, outbox};
use crate::kit::Arguments;
use catalogue::{Caller, ValueRef};
use channels::{Item, Kind, MailServer, Message, Quiet, Security, Severity, TimeOfDay};
use graphql::{PreTransactionCall, Refusal};
use serde::Serialize;
use serde_json::Value as Json;
use store::{Transaction, eq};
use uuid::Uuid;

const MAX_LENGTH: usize = 4_000;
const MAX_RECIPIENTS: usize = 50;
/// The default subjects of a new channel.
const SUBJECTS: [&str; 5] = ["budget", "anomaly", "finding", "stale", "approval"];
const KINDS: [&str; 4] = ["email", "slack", "teams", "webhook"];
const SECURITIES: [&str; 3] = ["starttls", "tls", "none"];

/// The submitted channel, with its secret not yet encrypted.
struct Form {
    channel: StoredChannel,
    secret: Secret,
}

fn wrong(name: &str, why: &str) -> Refusal {
    Refusal::invalid(format!("`{name}` {why}"))
}

/// Loads the stored channel that the form refers to by id.
fn find_stored(
    ahead: &PreTransactionCall<'_>,
    object: Arguments<'_>,
) -> Result<Option<StoredChannel>, Refusal> {
    let Some(id) = object.id("id")? else { return Ok(None) };
    let system = Caller::system_for(ahead.caller.tenant().ok_or_else(Refusal::denied)?);
    let known = ahead.engine.store().snapshot(&system, |rows| channel::find(rows, id))?;
    let none =
        || Refusal::not_found(format!("there is no channel {id} in this tenant: leave `id` out to add one"));
    known.ok_or_else(none).map(Some)
}

/// Reads and validates a form; `known` supplies the values it leaves out. Blocks if the stored secret must be decrypted.
fn read_form(
    object: Arguments<'_>,
    known: Option<&StoredChannel>,
    messengers: &dyn Messengers,
) -> Result<Form, Refusal> {
    for name in ["name", "host", "security", "username", "password", "sender", "url", "key"] {
        let typed = object.text(name).unwrap_or_default();
        if typed.len() > MAX_LENGTH || typed.chars().any(char::is_control) {
            return Err(wrong(name, "is too long, or has line breaks in it: copy it again"));
        }
    }
    let kind = object.word("kind", &KINDS)?.and_then(Kind::find).or(known.map(|known| known.kind));
    let kind = kind.ok_or_else(|| wrong("kind", "is missing: expected email, slack, teams or webhook"))?;
    if known.is_some_and(|known| known.kind != kind) {
        return Err(wrong("kind", "cannot be changed: add another channel"));
    }
    let fresh = StoredChannel {
        id: Uuid::new_v4(),
        name: String::new(),
        kind,
        target: String::new(),
        server: None,
        is_active: true,
        subjects: SUBJECTS.map(str::to_owned).into(),
        quiet: None,
        is_removed: false,
        secret: String::new(),
    };
    let mut channel = known.cloned().unwrap_or(fresh);
    if known.is_none() || object.text("name").is_some() {
        object.needed("name")?.trim().clone_into(&mut channel.name);
    }
    channel.is_active = object.flag("is_active").unwrap_or(channel.is_active);
    if let Some(subjects) = object.value("subjects").and_then(Json::as_array) {
        channel.subjects = subjects.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    }
    channel.quiet = quiet(object, channel.quiet)?;
    let secret = if kind == Kind::Email {
        mail(object, known, &mut channel, messengers)?
    } else {
        hook(object, known, &mut channel, messengers)?
    };
    Ok(Form { channel, secret })
}

fn quiet(object: Arguments<'_>, known: Option<Quiet>) -> Result<Option<Quiet>, Refusal> {
    let time = |name: &str, text: &str| {
        let why = format!("is \"{text}\": expected a time of day, UTC, such as 22:00");
        TimeOfDay::parse(text).ok_or_else(|| wrong(name, &why))
    };
    match (object.text("quiet_from"), object.text("quiet_until")) {
        (None, None) => Ok(known),
        (Some(""), Some("")) => Ok(None),
        (Some(from), Some(until)) => {
            Ok(Some(Quiet { from: time("quiet_from", from)?, until: time("quiet_until", until)? }))
        }
        _ => Err(wrong("quiet_from", "and `quiet_until` belong together: give both, or neither")),
    }
}

/// Decrypts the stored secret.
fn stored_secret(known: &StoredChannel, messengers: &dyn Messengers) -> Result<Secret, Refusal> {
    known.secret(messengers).map_err(|why| {
        Refusal::invalid(format!("the secret of {} cannot be used: {why}; type it again", known.name))
    })
}

fn mail(
    object: Arguments<'_>,
    known: Option<&StoredChannel>,
    channel: &mut StoredChannel,
    messengers: &dyn Messengers,
) -> Result<Secret, Refusal> {
    let before = channel.server.clone();
    let security = object.word("security", &SECURITIES)?.and_then(Security::find);
    let security = security.or(before.as_ref().map(|server| server.security)).unwrap_or(Security::StartTls);
    let port = match object.whole("port") {
        Some(port) => {
            u16::try_from(port).map_err(|_| wrong("port", "is no port: expected one such as 587"))?
        }
        None => before
            .as_ref()
            .filter(|server| server.security == security)
            .map_or_else(|| security.port(), |server| server.port),
    };
    let text = |name: &str, before: Option<&String>| {
        object.text(name).map(|typed| typed.trim().to_owned()).or(before.cloned()).unwrap_or_default()
    };
    let recipients = match object.value("recipients").and_then(Json::as_array) {
        Some(typed) => typed.iter().filter_map(Json::as_str).map(|one| one.trim().to_owned()).collect(),
        None => before.as_ref().map(|server| server.recipients.clone()).unwrap_or_default(),
    };
    if recipients.len() > MAX_RECIPIENTS {
        let why = format!(
            "has {} addresses: expected {MAX_RECIPIENTS} at most; use a list of your mail server",
            recipients.len()
        );
        return Err(wrong("recipients", &why));
    }
    let server = MailServer {
        host: text("host", before.as_ref().map(|server| &server.host)),
        port,
        security,
        username: text("username", before.as_ref().map(|server| &server.username)),
        sender: text("sender", before.as_ref().map(|server| &server.sender)),
        recipients,
    };
    server.check().map_err(|(name, why)| wrong(name, &why))?;
    channel.target = server.recipients.join(", ");
    let typed = object.text("password").filter(|typed| !typed.is_empty()).map(str::to_owned);
    let is_same_place =
        before.as_ref().is_some_and(|before| (&before.host, before.port) == (&server.host, server.port));
    let password = match (typed, known) {
        _ if server.username.is_empty() => String::new(),
        (Some(typed), _) => typed,
        (None, Some(known)) if is_same_place => stored_secret(known, messengers)?.password,
        (None, Some(_)) => {
            let why =
                "is missing: the one that is kept belongs to another server; type the one for this server";
            return Err(wrong("password", why));
        }
        (None, None) => return Err(wrong("password", "is missing: expected the password of `username`")),
    };
    if !server.username.is_empty() && password.is_empty() {
        return Err(wrong("password", "is missing: expected the password of `username`"));
    }
    channel.server = Some(server);
    Ok(Secret { password, ..Secret::default() })
}

fn hook(
    object: Arguments<'_>,
    known: Option<&StoredChannel>,
    channel: &mut StoredChannel,
    messengers: &dyn Messengers,
) -> Result<Secret, Refusal> {
    let mut secret = match known {
        Some(known) => stored_secret(known, messengers)?,
        None => Secret::default(),
    };
    if let Some(typed) = object.text("url").map(str::trim).filter(|typed| !typed.is_empty()) {
        let url = channel.kind.hook(typed).map_err(|why| wrong("url", &why))?;
        url.host_str().unwrap_or_default().clone_into(&mut channel.target);
        url.as_str().clone_into(&mut secret.url);
    }
    if secret.url.is_empty() {
        return Err(wrong("url", "is missing: expected the address of the webhook"));
    }
    if let Some(typed) = object.text("key") {
        if channel.kind != Kind::Webhook && !typed.is_empty() {
            return Err(wrong("key", "belongs to webhooks: Slack and Teams look at no signature"));
        }
        typed.clone_into(&mut secret.key);
    }
    Ok(secret)
}

/// Handles `notice_channel_save`.
pub(super) fn save(ahead: &PreTransactionCall<'_>, messengers: &dyn Messengers) -> Result<Json, Refusal> {
    let object = Arguments(ahead.arguments).object("object");
    let known = find_stored(ahead, object)?;
    let Form { channel, secret } = read_form(object, known.as_ref(), messengers)?;
    // Encrypt before the transaction starts: reading the key from the keyring can be slow.
    let open =
        serde_json::to_string(&secret).map_err(|error| Refusal::new("unexpected", error.to_string()))?;
    let purpose = purpose(channel.id, channel.kind, channel.server.as_ref());
    let sealed = messengers
        .encrypt(&purpose, &open)
        .map_err(|why| Refusal::new("not-supported", format!("the secret cannot be kept: {why}")))?;
    let system = Caller::system_for(ahead.caller.tenant().ok_or_else(Refusal::denied)?);
    ahead.engine.store().transaction(&system, |rows| {
        let rows = rows.with_audit_operation(ahead.name, ahead.caller.user);
        channel::check_name(&rows, &channel)?;
        write_row(&rows, &channel, &sealed, known.is_some())?;
        outbox::make_due(&rows, Some(channel.id))?;
        channel::answer(channel.id)
    })
}

fn write_row(
    rows: &Transaction<'_>,
    channel: &StoredChannel,
    sealed: &str,
    is_known: bool,
) -> Result<(), Refusal> {
    let json = |error: serde_json::Error| Refusal::new("unexpected", error.to_string());
    let settings = match &channel.server {
        Some(server) => serde_json::to_string(server).map_err(json)?,
        None => "{}".to_owned(),
    };
    let subjects = serde_json::to_string(&channel.subjects).map_err(json)?;
    let times = channel.quiet.map(|quiet| (quiet.from.to_string(), quiet.until.to_string())).unzip();
    let row = [
        ("name", channel.name.as_str().into()),
        ("kind", channel.kind.name().into()),
        ("target", channel.target.as_str().into()),
        ("settings", ValueRef::Json(&settings)),
        ("secret", sealed.into()),
        ("is_active", channel.is_active.into()),
        ("subjects", ValueRef::Json(&subjects)),
        ("quiet_from", times.0.as_deref().into()),
        ("quiet_until", times.1.as_deref().into()),
        ("updated_at", ValueRef::Timestamp(rows.now())),
    ];
    if is_known {
        rows.update(channel::TABLE, &[eq("id", channel.id)], &row)?;
        return Ok(());
    }
    Ok(rows.insert(channel::TABLE, &[&row[..], &[("id", channel.id.into())]].concat())?)
}

#[derive(Serialize)]
struct TestResult {
    success: bool,
    error: Option<String>,
}

/// Handles `notice_channel_test`.
pub(super) fn test(ahead: &PreTransactionCall<'_>, messengers: &dyn Messengers) -> Result<Json, Refusal> {
    let object = Arguments(ahead.arguments).object("object");
    let known = find_stored(ahead, object)?;
    let Form { channel, secret } = read_form(object, known.as_ref(), messengers)?;
    let tenant = ahead.caller.tenant().ok_or_else(Refusal::denied)?;
    let system = Caller::system_for(tenant);
    let now = ahead.engine.store().snapshot(&system, |rows| Ok::<_, Refusal>(rows.now()))?;
    let item = Item {
        subject: "test".to_owned(),
        severity: Severity::Info,
        title: "Test message from Quarterdeck".to_owned(),
        text: format!("Notices reach you through {}.", channel.name),
        link: None,
        raised_at: now,
    };
    let message = Message {
        id: Uuid::new_v4(),
        items: vec![item],
        recipients: Vec::new(),
        reply_to: None,
        attachments: Vec::new(),
    };
    let outcome = channel.with_secret(secret).and_then(|channel| messengers.send(tenant, &channel, &message));
    let error = outcome.err().map(|failure| failure.message);
    serde_json::to_value(TestResult { success: error.is_none(), error })
        .map_err(|error| Refusal::new("unexpected", error.to_string()))
}
