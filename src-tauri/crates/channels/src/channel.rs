//! Channels: their kinds, and the settings of each.

use lettre::message::Mailbox;
use serde::{Deserialize, Serialize};
use url::Url;
use zeroize::Zeroizing;

/// A kind of channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Email,
    Slack,
    Teams,
    Webhook,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Email, Self::Slack, Self::Teams, Self::Webhook];

    /// The value of the column `kind`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Slack => "slack",
            Self::Teams => "teams",
            Self::Webhook => "webhook",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Validates the URL of a webhook. The error never contains the URL, since it grants access to the channel.
    pub fn hook(self, typed: &str) -> Result<Url, String> {
        let example = match self {
            Self::Slack => "https://hooks.slack.com/services/T000/B000/XXXX",
            Self::Teams => "https://example.westeurope.logic.azure.com/workflows/…",
            Self::Email | Self::Webhook => "https://example.com/hooks/costs",
        };
        let expected = format!("expected the address of the webhook, such as {example}");
        let url = Url::parse(typed.trim()).map_err(|_| format!("is not a full URL: {expected}"))?;
        if !matches!(url.scheme(), "https" | "http") || !url.has_host() {
            return Err(format!("begins with {}: — {expected}", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("holds a name or password, which would show in logs on the way".to_owned());
        }
        Ok(url)
    }
}

/// Encryption of the connection to a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// STARTTLS; a server without it is not used.
    StartTls,
    /// TLS from the first byte.
    Tls,
    /// No encryption; only for servers without a password.
    None,
}

impl Security {
    pub const ALL: [Self; 3] = [Self::StartTls, Self::Tls, Self::None];

    /// The value in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::StartTls => "starttls",
            Self::Tls => "tls",
            Self::None => "none",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|security| security.name() == name)
    }

    /// The default port.
    pub fn port(self) -> u16 {
        match self {
            Self::StartTls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// The settings of a mail server, except its password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub security: Security,
    /// User name; empty for a server without authentication.
    pub username: String,
    /// The sender of messages, such as `Quarterdeck <costs@example.com>`.
    pub sender: String,
    /// The recipients of messages.
    pub recipients: Vec<String>,
}

impl MailServer {
    /// The first invalid field, with the reason.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let is_host = !self.host.is_empty()
            && self.host.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._:[]".contains(letter));
        if !is_host {
            let message =
                format!("is \"{}\": expected the name of a mail server, such as smtp.example.com", self.host);
            return Err(("host", message));
        }
        if self.port == 0 {
            return Err(("port", "is 0: expected the port of a mail server, such as 587".to_owned()));
        }
        if self.security == Security::None && !self.username.is_empty() {
            let message = "needs a connection with TLS: expected security starttls or tls, or no username";
            return Err(("username", message.to_owned()));
        }
        mailbox(&self.sender).map_err(|why| ("sender", why))?;
        if self.recipients.is_empty() {
            return Err(("recipients", "is empty: expected one address at least".to_owned()));
        }
        for recipient in &self.recipients {
            mailbox(recipient).map_err(|why| ("recipients", why))?;
        }
        Ok(())
    }
}

/// Parses a mail address, with or without a display name. The error is a message for the user.
pub(crate) fn mailbox(typed: &str) -> Result<Mailbox, String> {
    let wrong =
        || format!("is \"{typed}\": expected an address such as ada@example.com or Ada <ada@example.com>");
    if typed.chars().any(char::is_control) {
        return Err(wrong());
    }
    typed.trim().parse().map_err(|_| wrong())
}

/// Checks that a text is a mail address. The error is a message for the user.
pub fn check_address(typed: &str) -> Result<(), String> {
    mailbox(typed).map(drop)
}

/// The destination of a channel's messages.
#[derive(Clone)]
pub enum Receiver {
    Mail(MailServer),
    /// The URL of a webhook, with the key that signs messages, if any (webhooks only).
    Hook {
        kind: Kind,
        url: Zeroizing<String>,
        key: Option<Zeroizing<String>>,
    },
}

/// A channel with its credentials.
#[derive(Clone)]
pub struct Channel {
    /// The name given by the user.
    pub name: String,
    pub receiver: Receiver,
    /// The password of the mail server.
    pub password: Option<Zeroizing<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> MailServer {
        MailServer {
            host: "smtp.example.com".to_owned(),
            port: 587,
            security: Security::StartTls,
            username: "costs".to_owned(),
            sender: "Quarterdeck <costs@example.com>".to_owned(),
            recipients: vec!["ada@example.com".to_owned()],
        }
    }

    #[test]
    fn a_mail_server_says_which_field_is_wrong() {
        assert_eq!(server().check(), Ok(()));
        for (server, field) in [
            (MailServer { host: "smtp example".to_owned(), ..server() }, "host"),
            (MailServer { port: 0, ..server() }, "port"),
            (MailServer { security: Security::None, ..server() }, "username"),
            (MailServer { sender: "nobody".to_owned(), ..server() }, "sender"),
            (MailServer { recipients: Vec::new(), ..server() }, "recipients"),
            (MailServer { recipients: vec!["a@b.c\r\nBcc: x@y.z".to_owned()], ..server() }, "recipients"),
        ] {
            assert_eq!(server.check().unwrap_err().0, field);
        }
    }

    #[test]
    fn the_address_of_a_hook_is_not_repeated_when_it_is_wrong() {
        for typed in ["hooks.slack.com/services/T0/B0/secret", "ftp://host/secret", "https://me:secret@host/"]
        {
            let wrong = Kind::Slack.hook(typed).unwrap_err();
            assert!(!wrong.contains("secret"), "{wrong}");
        }
        assert!(Kind::Teams.hook(" https://example.com/x ").is_ok());
    }
}
