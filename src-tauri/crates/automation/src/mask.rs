//! Finds the secrets a definition uses, and masks them in stored and displayed values.

use crate::commands::named_by_integrations;
use crate::secrets::{REPOSITORY_SECRETS, SLACK_TOKEN, WEBHOOK_SECRETS};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Replacement for a secret.
pub const MASK: &str = "***";

static NAMED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"Secrets\s*(?:\.\s*|\[\s*\\?["'])([A-Za-z0-9_]+)"#).ok());

/// The names of the secrets a definition may use: `Secrets.NAME`, and those of message channels if it sends messages.
pub fn named(definition: &Value) -> BTreeSet<String> {
    let text = definition.to_string();
    let found =
        NAMED.iter().flat_map(|pattern| pattern.captures_iter(&text)).map(|found| found[1].to_owned());
    let mut names: BTreeSet<String> = found.collect();
    if text.contains("notifications.im") {
        names.extend(WEBHOOK_SECRETS.iter().map(|(_, name)| (*name).to_owned()));
    }
    if text.contains("\"scm.") || text.contains("gitops_config") {
        names.extend(REPOSITORY_SECRETS.iter().map(|(_, name)| (*name).to_owned()));
    }
    if text.contains("\"slack.") || text.contains("notifications.") {
        names.insert(SLACK_TOKEN.to_owned());
    }
    named_by_integrations(definition, &mut names);
    names
}

/// Minimum length of a secret whose base64 form is masked, in bytes: shorter ones occur in other texts by chance.
const SHORTEST_ENCODED: usize = 8;

/// Adds encoded forms of secrets, to mask them too: base64, alone or within a longer text, and percent-encoded for URLs.
pub fn with_encodings(secrets: &mut Map<String, Value>) {
    let mut found = Map::new();
    for (name, secret) in &*secrets {
        let Some(secret) = secret.as_str().filter(|secret| secret.len() >= SHORTEST_ENCODED) else {
            continue;
        };
        for (place, encoded) in encodings(secret).into_iter().enumerate() {
            found.insert(format!("{name} (encoded {place})"), encoded.into());
        }
    }
    secrets.extend(found);
}

fn encodings(secret: &str) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = (0..3)
        .flat_map(|before| {
            // The bytes before and after a secret affect the first and last base64 characters.
            let bytes = [vec![0; before], secret.as_bytes().to_vec()].concat();
            let inside = (before * 8).div_ceil(6)..bytes.len() * 8 / 6;
            [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)]
                .map(|text| text[inside.clone()].to_owned())
        })
        .collect();
    let address: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    found.insert(address.replace('+', "%20"));
    found.insert(address);
    found.remove(secret);
    found
}

/// Masks every secret in a value. A secret of fewer than four bytes is masked only if it is the whole text.
pub fn mask(value: &Value, secrets: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => Value::String(mask_text(text, secrets)),
        Value::Array(list) => list.iter().map(|value| mask(value, secrets)).collect(),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(key, value)| (mask_text(key, secrets), mask(value, secrets))).collect(),
        ),
        other => other.clone(),
    }
}

/// Like [`mask`], for a text.
pub fn mask_text(text: &str, secrets: &Map<String, Value>) -> String {
    let mut masked = text.to_owned();
    for secret in secrets.values().filter_map(Value::as_str).filter(|secret| !secret.is_empty()) {
        if masked == secret {
            return MASK.to_owned();
        }
        if secret.len() >= 4 {
            masked = masked.replace(secret, MASK);
            // The form within JSON that was rendered to text.
            let escaped = Value::from(secret).to_string();
            masked = masked.replace(&escaped[1..escaped.len() - 1], MASK);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{mask, mask_text, named, with_encodings};
    use serde_json::{Map, json};

    #[test]
    fn what_is_made_of_a_secret_is_masked_like_it() {
        let mut secrets = Map::from_iter([("TOKEN".to_owned(), json!("open sesame/77?"))]);
        with_encodings(&mut secrets);
        // "ops:open sesame/77?" and the secret alone in base64, then in URLs.
        for (text, expected) in [
            ("Basic b3BzOm9wZW4gc2VzYW1lLzc3Pw==", "Basic b3BzOm***w=="),
            ("b3BlbiBzZXNhbWUvNzc/", "***"),
            ("https://a.example/?t=open+sesame%2F77%3F", "https://a.example/?t=***"),
            ("https://a.example/?t=open%20sesame%2F77%3F", "https://a.example/?t=***"),
        ] {
            assert_eq!(mask_text(text, &secrets), expected, "{text}");
        }
    }

    #[test]
    fn secrets_are_found_by_name_and_kept_out_of_values() {
        let definition =
            json!({ "a": "{{ Secrets.TOKEN }}", "b": "{{ Secrets['KEY'] }} {{ Secrets[\"OTHER\"] }}" });
        assert_eq!(named(&definition).into_iter().collect::<Vec<_>>(), ["KEY", "OTHER", "TOKEN"]);
        let secrets =
            Map::from_iter([("TOKEN".to_owned(), json!("s3cr\"et")), ("PIN".to_owned(), json!("12"))]);
        let value = json!({ "header": "Bearer s3cr\"et", "json": "{\"t\":\"s3cr\\\"et\"}", "pin": "12", "year": "2012" });
        let masked =
            json!({ "header": "Bearer ***", "json": "{\"t\":\"***\"}", "pin": "***", "year": "2012" });
        assert_eq!(mask(&value, &secrets), masked);
    }
}
