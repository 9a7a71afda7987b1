//! Why a tracker has not taken something, and whether trying again may help.

use outgoing::{Fault, StatusCode, Trouble};
use serde_json::Value;
use std::time::Duration;

/// A tracker that wants to be left alone, and for how long where it says that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit(pub Option<Duration>);

/// Most letters of a tracker's own words that are kept.
const LONGEST: usize = 600;

/// A request that came to nothing, in whole sentences with the tracker's own words, and without secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub message: String,
    /// Trying again leads to the same: somebody has to change something.
    pub is_final: bool,
    /// The tracker wants to be left alone, by everybody.
    pub is_limit: bool,
    /// For how long.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// One that stays as it is until somebody changes something.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_final: true, is_limit: false, retry_after: None }
    }

    /// One that may have passed when it is tried again.
    pub fn passing(message: impl Into<String>) -> Self {
        Self { is_final: false, ..Self::lasting(message) }
    }

    /// What came is no answer of such a tracker.
    pub(crate) fn nonsense(who: &str, why: &str) -> Self {
        Self::passing(format!(
            "{who} answered with something that is no answer of such a tracker ({why}). Look at its address: another program may be answering there."
        ))
    }

    /// A status that is no success.
    pub(crate) fn of_status(
        who: &str,
        status: StatusCode,
        limit: Option<Limit>,
        body: &[u8],
        secret: &str,
    ) -> Self {
        let words = serde_json::from_slice::<Value>(body).map(|body| words(&body)).unwrap_or_default();
        let words = clean(&words.join(" "), secret);
        let code = status.as_u16();
        let is_limit = code == 429 || limit.is_some();
        let happened = match code {
            _ if is_limit => "wants fewer requests",
            401 => "does not accept the name and key",
            403 => "does not allow this to whom the key belongs to",
            404 => "knows no such place",
            300..=399 => "sends elsewhere, which is not followed: use the address it leads to",
            500.. => "has trouble of its own",
            _ => "refuses this",
        };
        let said = if words.is_empty() { String::new() } else { format!(" It says: {words}") };
        Self {
            message: format!("{who} {happened} (status {code}).{said}"),
            is_final: !is_limit && !matches!(code, 408 | 425 | 500..),
            is_limit,
            retry_after: limit.and_then(|Limit(wait)| wait),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault.trouble {
            Trouble::Address | Trouble::Inside => Self::lasting(fault.to_string()),
            _ => Self::passing(fault.to_string()),
        }
    }
}

/// Sentences in a body, wherever this tracker puts them: Jira's `errorMessages` and `errors` by field, GitHub's `message` and `errors`, GitLab's `message`
/// (a text, or texts by field) and `error`, ServiceNow's and PagerDuty's `error` object.
fn words(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for place in ["errorMessages", "message", "detail", "error", "error_description", "errors"] {
        match &body[place] {
            Value::Object(_) if place == "error" => found.extend(words(&body[place])),
            value => gather(value, &mut found),
        }
    }
    found
}

fn gather(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
        // GitHub's: what is wrong with which field.
        Value::Object(item) if item.contains_key("code") => {
            let part = |name: &str| item.get(name).and_then(Value::as_str);
            let field = [part("field"), part("message").or(part("code"))];
            found.push(field.into_iter().flatten().collect::<Vec<_>>().join(": "));
        }
        Value::Object(fields) => {
            for (field, value) in fields {
                let mut inner = Vec::new();
                gather(value, &mut inner);
                found.extend(inner.into_iter().map(|text| format!("{field}: {text}")));
            }
        }
        _ => {}
    }
}

fn clean(words: &str, secret: &str) -> String {
    let words = if secret.len() >= 4 { words.replace(secret, "(key)") } else { words.to_owned() };
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

    fn refused(status: u16, body: &str) -> Failure {
        let status = StatusCode::from_u16(status).unwrap();
        Failure::of_status("desk", status, None, body.as_bytes(), "secret-1234")
    }

    #[test]
    fn every_tracker_is_told_in_its_own_words_without_the_key() {
        for (body, words) in [
            (
                r#"{"errorMessages":["No access."],"errors":{"project":"project is required"}}"#,
                "No access. project: project is required",
            ),
            (
                r#"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}]}"#,
                "Validation Failed title: missing_field",
            ),
            (r#"{"message":{"title":["can't be blank"]}}"#, "title: can't be blank"),
            (
                r#"{"error":{"message":"Invalid table x","detail":"none"},"status":"failure"}"#,
                "Invalid table x none",
            ),
            (
                r#"{"error":{"message":"Invalid Input Provided","code":2001,"errors":["Service not found"]}}"#,
                "Invalid Input Provided Service not found",
            ),
            (
                r#"{"error":"invalid_token","error_description":"secret-1234 was revoked"}"#,
                "invalid_token (key) was revoked",
            ),
        ] {
            let message = refused(400, body).message;
            assert_eq!(message, format!("desk refuses this (status 400). It says: {words}"));
        }
        assert_eq!(refused(502, "<html>").message, "desk has trouble of its own (status 502).");
    }

    #[test]
    fn what_somebody_has_to_change_is_final_and_what_may_pass_is_not() {
        for (status, is_final) in [
            (302, true),
            (400, true),
            (401, true),
            (403, true),
            (404, true),
            (422, true),
            (408, false),
            (429, false),
            (500, false),
            (503, false),
        ] {
            assert_eq!(refused(status, "{}").is_final, is_final, "{status}");
        }
    }
}
