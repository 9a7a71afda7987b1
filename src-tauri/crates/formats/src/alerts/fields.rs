//! Reads fields of a JSON body: texts, times in the forms that senders use, and fingerprints.

use crate::record::EventSeverity as Severity;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The text at a path of keys: a non-empty string, or a number as written. `None` for `null` and Datadog's `"null"`.
pub fn text<'a>(json: &'a Value, path: &[&str]) -> Option<std::borrow::Cow<'a, str>> {
    match at(json, path)? {
        Value::String(text) if text.trim().is_empty() || text == "null" => None,
        Value::String(text) => Some(text.as_str().into()),
        Value::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}

/// The text at a path of keys, owned.
pub fn owned(json: &Value, path: &[&str]) -> Option<String> {
    text(json, path).map(std::borrow::Cow::into_owned)
}

/// The value at a path of keys.
pub fn at<'a>(json: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(json, |value, key| value.get(key))
}

/// Whether an object has all of these keys.
pub fn has(json: &Value, keys: &[&str]) -> bool {
    keys.iter().all(|key| json.get(key).is_some())
}

/// A time in µs since 1970 UTC. Accepts RFC 3339, RFC 3339 with an offset without colon (Amazon), and milliseconds since 1970 as a number or
/// text (Datadog, New Relic, Opsgenie). The year 1 of Alertmanager and Grafana means "not yet" and gives `None`.
pub fn time(json: &Value, path: &[&str]) -> Option<i64> {
    let text = text(json, path)?;
    let micros = match text.parse::<i64>() {
        Ok(milliseconds) => milliseconds.checked_mul(1_000)?,
        Err(_) => catalogue::parse_timestamp(&text)?,
    };
    (micros > 0).then_some(micros)
}

/// The string members of an object, in its order.
pub fn pairs(json: Option<&Value>) -> Vec<(String, String)> {
    let Some(Value::Object(object)) = json else { return Vec::new() };
    object
        .iter()
        .filter_map(|(name, value)| match value {
            Value::String(text) => Some((name.clone(), text.clone())),
            Value::Number(_) | Value::Bool(_) => Some((name.clone(), value.to_string())),
            _ => None,
        })
        .collect()
}

/// A fingerprint of the parts that identify an alert, for senders that state none: 16 hexadecimal digits.
pub fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length distinguishes ("a", "bc") from ("ab", "c").
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The severity for a sender's term: critical and error are HIGH, warning is MEDIUM, info is INFO, none is DEBUG; P1 to P5 and Sev0 to Sev4 are
/// HIGH down to INFO. `None` for an unknown term.
pub fn severity(word: &str) -> Option<Severity> {
    Some(match word.to_ascii_lowercase().as_str() {
        "critical" | "error" | "fatal" | "emergency" | "page" | "high" | "p0" | "p1" | "p2" | "sev0"
        | "sev1" => Severity::High,
        "warning" | "warn" | "medium" | "moderate" | "p3" | "sev2" => Severity::Medium,
        "low" | "minor" | "p4" | "sev3" => Severity::Low,
        "info" | "informational" | "notice" | "p5" | "sev4" => Severity::Info,
        "none" | "debug" => Severity::Debug,
        _ => return None,
    })
}
