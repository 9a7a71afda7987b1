//! Why a message was not accepted, and whether a retry may help.

use outgoing::{Fault, FaultKind, StatusCode};
use std::time::Duration;

/// Maximum number of characters kept of a receiver's own text.
const LONGEST: usize = 300;

/// A message that was not accepted, explained in whole sentences, without secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub message: String,
    /// A retry would fail again until something is changed.
    pub is_final: bool,
    /// The delay that the receiver requests.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure that persists until something is changed.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_final: true, retry_after: None }
    }

    /// A failure that may have passed at a retry.
    pub fn passing(message: impl Into<String>) -> Self {
        Self { is_final: false, ..Self::lasting(message) }
    }

    /// The failure for an HTTP error status; `words` is the receiver's own text.
    pub(crate) fn of_status(
        who: &str,
        status: StatusCode,
        retry_after: Option<Duration>,
        words: &str,
    ) -> Self {
        let code = status.as_u16();
        let happened = match code {
            429 => "wants fewer messages",
            401 | 403 => "does not accept the address or its key",
            404 | 410 => "knows no such webhook; it may have been removed there",
            300..=399 => "sends elsewhere, which is not followed: use the address it leads to",
            500.. => "has trouble of its own",
            _ => "refuses the message",
        };
        let said = if words.is_empty() { String::new() } else { format!(" It says: {words}") };
        Self {
            message: format!("{who} {happened} (status {code}).{said}"),
            is_final: !matches!(code, 408 | 425 | 429 | 500..),
            retry_after,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault.trouble {
            FaultKind::Address => Self::lasting(fault.to_string()),
            FaultKind::Inside => Self::lasting(format!("{fault} The setting private_addresses says where.")),
            _ => Self::passing(fault.to_string()),
        }
    }
}

/// A receiver's text in one line, cut to the maximum length, with the given secrets replaced.
pub(crate) fn clean(words: &str, secrets: &[&str]) -> String {
    let mut words = words.to_owned();
    for secret in secrets.iter().filter(|secret| secret.len() >= 4) {
        words = words.replace(secret, "(secret)");
    }
    let one_line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = one_line.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    if short.len() < one_line.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_has_to_change_is_final() {
        for (status, is_final) in
            [(400, true), (403, true), (404, true), (302, true), (429, false), (500, false)]
        {
            let failure = Failure::of_status("ops", StatusCode::from_u16(status).unwrap(), None, "");
            assert_eq!(failure.is_final, is_final, "{status}");
        }
    }

    #[test]
    fn words_of_others_are_short_and_without_the_secret() {
        assert_eq!(clean("no\r\n such  token-1234", &["token-1234"]), "no such (secret)");
        assert!(clean(&"a".repeat(9000), &[]).chars().count() <= LONGEST + 1);
    }
}
