//! Secrets of definitions: which are named, and how they are kept out of what is stored and shown.

use crate::commands::named_by_integrations;
use crate::secrets::{REPOSITORY_SECRETS, SLACK_TOKEN, WEBHOOK_SECRETS};
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What stands where a secret stood.
pub const MASK: &str = "***";

static NAMED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"Secrets\s*(?:\.\s*|\[\s*\\?["'])([A-Za-z0-9_]+)"#).ok());

/// The names of the secrets that a definition may use: `Secrets.NAME`, and those of message channels where it sends messages.
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

/// Replaces every secret inside a value. A secret of fewer than four letters is replaced only where it is the whole text.
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

/// The same for a text.
pub fn mask_text(text: &str, secrets: &Map<String, Value>) -> String {
    let mut masked = text.to_owned();
    for secret in secrets.values().filter_map(Value::as_str).filter(|secret| !secret.is_empty()) {
        if masked == secret {
            return MASK.to_owned();
        }
        if secret.len() >= 4 {
            masked = masked.replace(secret, MASK);
            // As it stands inside JSON that was rendered to text.
            let escaped = Value::from(secret).to_string();
            masked = masked.replace(&escaped[1..escaped.len() - 1], MASK);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::{mask, named};
    use serde_json::{Map, json};

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
