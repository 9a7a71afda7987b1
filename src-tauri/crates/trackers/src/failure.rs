//! Why a tracker has not accepted a request, and whether a retry may help.

use crate::tool::Tool;
use outgoing::{Fault, FaultKind, StatusCode};
use serde_json::Value;
use std::time::Duration;

/// The tracker's rate limit was reached, with the requested delay if stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit(pub Option<Duration>);

/// Maximum number of characters kept of a tracker's own text.
const LONGEST: usize = 300;

/// A failed request, explained in whole sentences with the tracker's own text, without secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub message: String,
    /// A retry would fail again until something is changed.
    pub is_final: bool,
    /// The rate limit of the tracker was reached; it applies to all requests.
    pub is_limit: bool,
    /// The delay that the tracker requests.
    pub retry_after: Option<Duration>,
    /// The object does not exist, or no longer: status 404 or 410.
    pub is_absent: bool,
}

impl Failure {
    /// A failure that persists until something is changed.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_final: true, is_limit: false, retry_after: None, is_absent: false }
    }

    /// A failure that may have passed at a retry.
    pub fn passing(message: impl Into<String>) -> Self {
        Self { is_final: false, ..Self::lasting(message) }
    }

    /// The response is not that of such a tracker.
    pub(crate) fn nonsense(who: &str, why: &str) -> Self {
        Self::passing(format!(
            "{who} answered with something that is no answer of such a tracker ({why}). Look at its address: another program may be answering there."
        ))
    }

    /// The failure for an HTTP error status. `words` is the tracker's own text, from [`words_of`].
    pub(crate) fn of_status(who: &str, status: StatusCode, limit: Option<Limit>, words: &str) -> Self {
        let code = status.as_u16();
        let is_limit = code == 429 || limit.is_some();
        let happened = match code {
            _ if is_limit => "wants fewer requests",
            401 => "does not accept the name and key",
            403 => "does not allow this to whom the key belongs to",
            404 | 410 => "knows no such place",
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
            is_absent: matches!(code, 404 | 410),
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

/// The error text in a response in the format of this tool, in one line and without the secret; empty for a body in any other format.
pub(crate) fn words_of(tool: Tool, body: &[u8], secret: &str) -> String {
    let Ok(body) = serde_json::from_slice::<Value>(body) else { return String::new() };
    let words = match tool {
        Tool::Jira => [texts(&body["errorMessages"]), by_field(&body["errors"])].concat(),
        Tool::GitHub => [texts(&body["message"]), codes(&body["errors"])].concat(),
        Tool::GitLab => {
            let error = [texts(&body["error"]), texts(&body["error_description"])].concat();
            [texts(&body["message"]), by_field(&body["message"]), error].concat()
        }
        Tool::PagerDuty => {
            let error = &body["error"];
            [texts(error), texts(&error["message"]), texts(&error["errors"])].concat()
        }
        Tool::ServiceNow => {
            let error = &body["error"];
            [texts(&error["message"]), texts(&error["detail"])].concat()
        }
    };
    clean(&words.join(" "), secret)
}

/// A string, or the strings in a list.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Texts with the field they are about.
fn by_field(value: &Value) -> Vec<String> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .flat_map(|(field, value)| texts(value).into_iter().map(move |text| format!("{field}: {text}")))
        .collect()
}

/// Errors in GitHub's format: a code or message for each field.
fn codes(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten().filter(|item| item["code"].is_string());
    let part = |item: &Value, name: &str| item[name].as_str().map(str::to_owned);
    items
        .map(|item| {
            let parts = [part(item, "field"), part(item, "message").or_else(|| part(item, "code"))];
            parts.into_iter().flatten().collect::<Vec<_>>().join(": ")
        })
        .collect()
}

/// A tracker's text in one line, cut to the maximum length, with the secret replaced.
pub(crate) fn clean(words: &str, secret: &str) -> String {
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

    fn refused(status: u16, words: &str) -> Failure {
        Failure::of_status("desk", StatusCode::from_u16(status).unwrap(), None, words)
    }

    #[test]
    fn every_tracker_is_told_in_its_own_words_without_the_key() {
        for (tool, body, words) in [
            (
                Tool::Jira,
                r#"{"errorMessages":["No access."],"errors":{"project":"project is required"}}"#,
                "No access. project: project is required",
            ),
            (
                Tool::GitHub,
                r#"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}]}"#,
                "Validation Failed title: missing_field",
            ),
            (Tool::GitLab, r#"{"message":{"title":["can't be blank"]}}"#, "title: can't be blank"),
            (
                Tool::ServiceNow,
                r#"{"error":{"message":"Invalid table x","detail":"none"},"status":"failure"}"#,
                "Invalid table x none",
            ),
            (
                Tool::PagerDuty,
                r#"{"error":{"message":"Invalid Input Provided","code":2001,"errors":["Service not found"]}}"#,
                "Invalid Input Provided Service not found",
            ),
            (
                Tool::GitLab,
                r#"{"error":"invalid_token","error_description":"secret-1234 was revoked"}"#,
                "invalid_token (key) was revoked",
            ),
        ] {
            let found = words_of(tool, body.as_bytes(), "secret-1234");
            assert_eq!(found, words);
            let message = refused(400, &found).message;
            assert_eq!(message, format!("desk refuses this (status 400). It says: {words}"));
        }
        assert_eq!(refused(502, "").message, "desk has trouble of its own (status 502).");
    }

    #[test]
    fn a_body_that_is_no_error_of_the_tool_is_not_repeated() {
        for tool in Tool::ALL {
            for body in [
                "<html>root password: hunter2</html>",
                r#""root password: hunter2""#,
                r#"{"detail":"hunter2","password":"hunter2","data":{"message":"hunter2"},"error":7}"#,
                r#"["hunter2"]"#,
            ] {
                assert_eq!(words_of(tool, body.as_bytes(), "secret-1234"), "", "{tool:?}: {body}");
            }
        }
        let long = format!(r#"{{"message":"{}"}}"#, "a".repeat(10_000));
        assert!(words_of(Tool::GitHub, long.as_bytes(), "").chars().count() <= LONGEST + 1);
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
            assert_eq!(refused(status, "").is_final, is_final, "{status}");
        }
    }
}
