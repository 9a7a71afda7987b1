//! Finds the secrets that templates of a definition refer to.
//!
//! The caller checks whether they exist.

use super::{named, names_below};
use crate::template::parts;
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

static SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| named("Secrets"));

/// Fields without templates.
const APART: [&str; 3] = ["description", "layout", "pinned_output"];

/// A secret used in a template, with its location, such as `tasks[0].params.url`.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedSecret {
    pub place: String,
    pub name: String,
}

/// The required secrets: one with a `default` may be missing.
pub fn named_secrets(definition: &Value) -> Vec<NamedSecret> {
    let mut found = Vec::new();
    for part in ["tasks", "hooks", "output"] {
        visit(&definition[part], part, &mut found);
    }
    found
}

fn visit(value: &Value, place: &str, found: &mut Vec<NamedSecret>) {
    match value {
        Value::String(text) => {
            let templates = parts(text).join(" ");
            // A template with a fallback expects that the secret may be missing.
            if !["default", "defined", " or ", "if "].iter().any(|word| templates.contains(word)) {
                let names = names_below(SECRET.as_ref(), text).into_iter();
                found.extend(names.map(|name| NamedSecret { place: place.to_owned(), name }));
            }
        }
        Value::Array(list) => {
            for (number, one) in list.iter().enumerate() {
                visit(one, &format!("{place}[{number}]"), found);
            }
        }
        Value::Object(fields) => {
            let is_task = value["type"].is_string() && value["id"].is_string();
            for (name, one) in fields.iter().filter(|(name, _)| !is_task || !APART.contains(&name.as_str())) {
                visit(one, &format!("{place}.{name}"), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::named_secrets;
    use serde_json::json;

    #[test]
    fn secrets_are_found_where_templates_name_them() {
        let found = named_secrets(&json!({
            "triggers": [{ "type": "webhook", "params": { "secret": "{{ Secrets.HOOK }}" } }],
            "tasks": [{
                "id": "a", "type": "integrations.http", "description": "uses {{ Secrets.TOLD }}",
                "params": { "headers": { "X": ["{{ Secrets['A_1'] }} {{ Secrets.B }}"] }, "body": "{{ Secrets.C | default('') }}", "url": "Secrets.D" },
            }],
            "hooks": [{ "tasks": [{ "id": "b", "type": "core.print", "params": { "message": "{{ Secrets.E }}" } }] }],
        }));
        let told: Vec<String> = found.into_iter().map(|one| format!("{}: {}", one.place, one.name)).collect();
        assert_eq!(
            told,
            [
                "tasks[0].params.headers.X[0]: A_1",
                "tasks[0].params.headers.X[0]: B",
                "hooks[0].tasks[0].params.message: E"
            ]
        );
    }
}
