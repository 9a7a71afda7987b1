//! Messages: one or several items each.

use chrono::DateTime;
use serde::Serialize;
use uuid::Uuid;

/// Severity of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Info,
    Warning,
    Critical,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Critical];

    /// The value of the column `severity`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

/// An item of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The kind of subject: budget, anomaly, finding, stale, digest, workflow.
    pub subject: String,
    pub severity: Severity,
    pub title: String,
    /// Plain text; may be empty.
    pub text: String,
    /// The full URL of the page that shows it.
    pub link: Option<String>,
    /// µs since 1970 UTC.
    pub raised_at: i64,
}

/// A message to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The same for every attempt.
    pub id: Uuid,
    pub items: Vec<Item>,
    /// Mail only: recipients that replace those of the channel.
    pub recipients: Vec<String>,
    /// Mail only: the Reply-To address.
    pub reply_to: Option<String>,
    /// Mail only: attached documents.
    pub attachments: Vec<Attachment>,
}

/// A document attached to mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    /// Such as `application/pdf`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

impl Message {
    /// One line: the title of the only item, or the number of items and the title of the most severe one.
    pub fn title(&self) -> String {
        let gravest = self.items.iter().rev().max_by_key(|item| item.severity);
        match (self.items.as_slice(), gravest) {
            ([], _) | (_, None) => "Quarterdeck".to_owned(),
            ([only], _) => one_line(&only.title),
            (several, Some(gravest)) => {
                format!("{} notices: {}, …", several.len(), one_line(&gravest.title))
            }
        }
    }

    /// The message as plain text.
    pub fn text(&self) -> String {
        let item = |item: &Item| {
            let lines = [Some(item.title.clone()), Some(item.text.clone()), item.link.clone()];
            lines.into_iter().flatten().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
        };
        self.items.iter().map(item).collect::<Vec<_>>().join("\n\n")
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats a time: `2026-11-21T04:05:06Z`.
pub(crate) fn time(micros: i64) -> String {
    let time = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn item(severity: Severity, title: &str) -> Item {
        Item {
            subject: "budget".to_owned(),
            severity,
            title: title.to_owned(),
            text: "USD 820.00 of 1,000.00".to_owned(),
            link: Some("https://q.example.com/costs/budgets?open=1".to_owned()),
            raised_at: 0,
        }
    }

    pub(crate) fn message(items: Vec<Item>) -> Message {
        Message { id: Uuid::nil(), items, recipients: Vec::new(), reply_to: None, attachments: Vec::new() }
    }

    #[test]
    fn a_title_is_one_line_and_tells_the_gravest() {
        let single = message(vec![item(Severity::Info, "One\r\nBcc: nobody@example.com")]);
        assert_eq!(single.title(), "One Bcc: nobody@example.com");
        let several = message(vec![item(Severity::Info, "One"), item(Severity::Critical, "Two")]);
        assert_eq!(several.title(), "2 notices: Two, …");
        assert!(several.text().starts_with("One\nUSD 820.00 of 1,000.00\nhttps://q.example.com"));
    }
}
