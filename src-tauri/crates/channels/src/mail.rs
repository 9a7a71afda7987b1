//! Sends messages by mail: SMTP, with the same TLS trust as the rest of the product. The connection is subject to the egress policy, and does not
//! use the proxy.

use crate::channel::{Channel, MailServer, Security, mailbox};
use crate::failure::{Failure, clean};
use crate::message::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Message as Mail, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters, TlsParametersBuilder,
};
use lettre::transport::smtp::extension::ClientId;
use outgoing::OutgoingSettings;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Sends a message through the mail server of a channel. `now` is µs since 1970 UTC.
pub(crate) async fn send(
    way: &OutgoingSettings,
    channel: &Channel,
    server: &MailServer,
    message: &Message,
    now: i64,
) -> Result<(), Failure> {
    let mail = compose(channel, server, message, now)?;
    let addresses = way.addresses(&server.host, server.port).await?;
    // Responses from internal addresses are not revealed to users who may not read them.
    let is_quoted = addresses.iter().all(|address| way.egress.may_be_quoted(&server.host, address.ip()));
    let password = channel.password.as_ref().map(|password| password.as_str()).unwrap_or_default();
    let failed = |error: lettre::transport::smtp::Error| of_smtp(&channel.name, &error, is_quoted, password);
    let mut connection = connect(way, server, &addresses, &failed).await?;
    if !server.username.is_empty() {
        let credentials = Credentials::new(server.username.clone(), password.to_owned());
        connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await.map_err(failed)?;
    }
    connection.send(mail.envelope(), &mail.formatted()).await.map_err(failed)?;
    // The message was accepted; the result of QUIT does not matter.
    let _ = connection.quit().await;
    Ok(())
}

async fn connect(
    way: &OutgoingSettings,
    server: &MailServer,
    addresses: &[SocketAddr],
    failed: &impl Fn(lettre::transport::smtp::Error) -> Failure,
) -> Result<AsyncSmtpConnection, Failure> {
    let hello = ClientId::default();
    let tls = || trust(way, &server.host).map_err(failed);
    let at_once = if server.security == Security::Tls { Some(tls()?) } else { None };
    let patience = Some(way.connecting.min(Duration::from_secs(20)));
    let mut connection = AsyncSmtpConnection::connect_tokio1(addresses, patience, &hello, at_once, None)
        .await
        .map_err(failed)?;
    if server.security == Security::StartTls {
        if !connection.can_starttls() {
            let message = format!(
                "{} offers no STARTTLS on port {}: nothing was sent. Use TLS on port 465 if it has that.",
                server.host, server.port
            );
            return Err(Failure::lasting(message));
        }
        connection.starttls(tls()?, &hello).await.map_err(failed)?;
    }
    Ok(connection)
}

/// TLS parameters with Mozilla's authorities, and those added by a user.
fn trust(way: &OutgoingSettings, host: &str) -> Result<TlsParameters, lettre::transport::smtp::Error> {
    let mut builder =
        TlsParametersBuilder::new(host.to_owned()).certificate_store(CertificateStore::WebpkiRoots);
    for authority in way.authorities.der() {
        builder = builder.add_root_certificate(Certificate::from_der(authority)?);
    }
    builder.build_rustls()
}

fn compose(channel: &Channel, server: &MailServer, message: &Message, now: i64) -> Result<Mail, Failure> {
    let wrong = |why: String| Failure::lasting(format!("{}: an address {why}.", channel.name));
    let recipients = if message.recipients.is_empty() { &server.recipients } else { &message.recipients };
    let at = UNIX_EPOCH + Duration::from_micros(u64::try_from(now).unwrap_or_default());
    let mut builder = Mail::builder()
        .from(mailbox(&server.sender).map_err(wrong)?)
        .date(SystemTime::max(at, UNIX_EPOCH))
        .subject(message.title())
        .message_id(Some(format!("<{}@quarterdeck.invalid>", message.id)))
        // RFC 3834: prevents automatic replies.
        .raw_header(HeaderValue::new(
            HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        ));
    for recipient in recipients {
        builder = builder.to(mailbox(recipient).map_err(wrong)?);
    }
    if let Some(reply_to) = &message.reply_to {
        builder = builder.reply_to(mailbox(reply_to).map_err(wrong)?);
    }
    let failed =
        |error: &dyn std::fmt::Display| Failure::lasting(format!("The mail cannot be written: {error}."));
    if message.attachments.is_empty() {
        let plain = builder.header(ContentType::TEXT_PLAIN).body(message.text());
        return plain.map_err(|error| failed(&error));
    }
    let mut parts = MultiPart::mixed().singlepart(SinglePart::plain(message.text()));
    for attachment in &message.attachments {
        let kind = ContentType::parse(attachment.media_type).map_err(|error| failed(&error))?;
        let part = Attachment::new(attachment.name.clone()).body(attachment.bytes.clone(), kind);
        parts = parts.singlepart(part);
    }
    builder.multipart(parts).map_err(|error| failed(&error))
}

/// The failure for an SMTP error, with the server's own text if it may be quoted.
fn of_smtp(who: &str, error: &lettre::transport::smtp::Error, is_quoted: bool, password: &str) -> Failure {
    let words = || clean(&causes(error), &[password]);
    if let Some(code) = error.status() {
        let said = if is_quoted { format!(" It says: {}", words()) } else { String::new() };
        let message = format!("{who} was refused by its mail server (status {code}).{said}");
        return if error.is_permanent() { Failure::lasting(message) } else { Failure::passing(message) };
    }
    if error.is_tls() {
        let message = format!(
            "The mail server of {who} could not prove who it is ({}). Where it has an authority of its own, add that authority's certificate.",
            words()
        );
        return Failure::lasting(message);
    }
    if error.is_client() {
        return Failure::lasting(format!("{who} cannot be sent to: {}.", words()));
    }
    Failure::passing(format!("The mail server of {who} cannot be reached ({}). It is tried again.", words()))
}

fn causes(error: &lettre::transport::smtp::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        let deeper_text = deeper.to_string();
        if !text.contains(&deeper_text) {
            text = format!("{text}: {deeper_text}");
        }
        cause = deeper.source();
    }
    text
}
