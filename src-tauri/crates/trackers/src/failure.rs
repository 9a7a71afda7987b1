//! Why a tracker has not taken something, and whether trying again may help.

use crate::tool::Tool;
use outgoing::{Fault, StatusCode, Trouble};
use serde_json::Value;
use std::time::Duration;

/// A tracker that wants to be left alone, and for how long where it says that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit(pub Option<Duration>);

/// Most letters of a tracker's own words that are kept.
const LONGEST: usize = 300;

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
    /// Nothing is there, or nothing any more: status 404 or 410.
    pub is_absent: bool,
}

impl Failure {
    /// One that stays as it is until somebody changes something.
    pub fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_final: true, is_limit: false, retry_after: None, is_absent: false }
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

    /// A status that is no success. `words` are the tracker's own, from [`words_of`].
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
            Trouble::Address => Self::lasting(fault.to_string()),
            Trouble::Inside => Self::lasting(format!("{fault} The setting private_addresses says where.")),
            _ => Self::passing(fault.to_string()),
        }
    }
}

/// The sentences of an error in the form that this tool has, in one line and without the secret; empty for every other body, whatever it is.
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

/// A text, or a list of texts.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Texts by the field they are about.
fn by_field(value: &Value) -> Vec<String> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .flat_map(|(field, value)| texts(value).into_iter().map(move |text| format!("{field}: {text}")))
        .collect()
}

/// GitHub's: what is wrong with which field.
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

/// One line of a tracker's own words, as long as messages may be, without the secret.
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
