//! Where messages go: kinds of channels, and what each needs to be known.

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

    /// As `kind` has it.
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

    /// The address of a hook, checked; what is wrong with it when it cannot be used. Never repeats it, since it opens the channel.
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

/// How the connection to a mail server is closed to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// TLS after the greeting; a server without it is not used.
    StartTls,
    /// TLS from the first byte on.
    Tls,
    /// None: only for servers that want no password.
    None,
}

impl Security {
    pub const ALL: [Self; 3] = [Self::StartTls, Self::Tls, Self::None];

    /// As settings have it.
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

    /// The port that is usual for it.
    pub fn port(self) -> u16 {
        match self {
            Self::StartTls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// A mail server, as the settings of a channel have it: all but its password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailServer {
    pub host: String,
    pub port: u16,
    pub security: Security,
    /// Who signs in there; empty for a server that asks nobody.
    pub username: String,
    /// Whom messages come from, such as `Quarterdeck <costs@example.com>`.
    pub sender: String,
    /// Who gets them.
    pub recipients: Vec<String>,
}

impl MailServer {
    /// What keeps it from being used, with the field it is about.
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

/// An address of mail, with a name or without; what is wrong with it in words.
pub(crate) fn mailbox(typed: &str) -> Result<Mailbox, String> {
    let wrong =
        || format!("is \"{typed}\": expected an address such as ada@example.com or Ada <ada@example.com>");
    if typed.chars().any(char::is_control) {
        return Err(wrong());
    }
    typed.trim().parse().map_err(|_| wrong())
}

/// That a text is an address of mail; what is wrong with it in words.
pub fn check_address(typed: &str) -> Result<(), String> {
    mailbox(typed).map(drop)
}

/// Who takes the messages of a channel.
#[derive(Clone)]
pub enum Receiver {
    Mail(MailServer),
    /// An address that takes messages, with the key that signs them where there is one (webhooks).
    Hook {
        kind: Kind,
        url: Zeroizing<String>,
        key: Option<Zeroizing<String>>,
    },
}

/// A channel with what opens it.
#[derive(Clone)]
pub struct Channel {
    /// As people call it.
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
