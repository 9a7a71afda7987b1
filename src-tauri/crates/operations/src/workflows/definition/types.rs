//! Checks the parameters of tasks and hooks against the types in the task's schema. Values from templates are only known in the run.

use crate::workflows::tasks;
use automation::checks::{Findings, every_task};
use automation::template::to_text;
use serde_json::{Number, Value};

/// Maximum length of a value quoted in a message, in characters.
const QUOTED: usize = 60;

/// How well a value matches a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TypeMatch {
    Exact,
    /// The value is converted to a text.
    AsText,
    Not,
}

/// Parameters with a type other than the task expects: a mistake if no run could use them, a warning if they are converted to a text.
pub(in crate::workflows) fn type_mismatches(definition: &Value) -> Findings {
    let mut found = Findings::default();
    for (place, task) in every_task(definition) {
        let parameters = tasks::find(task.kind).map_or(&[][..], |known| known.inputs);
        for parameter in parameters {
            let value = &task.params[parameter.name];
            let place = || format!("{place}.params.{}", parameter.name);
            let (wanted, given) = (wanted(parameter.kinds()), shown(value));
            match best_match(parameter.kinds(), value) {
                TypeMatch::Exact => {}
                TypeMatch::AsText => found.warnings.push(format!(
                    "{}: expected {wanted}, found {given}, which is taken for a text: put it in quotes",
                    place()
                )),
                TypeMatch::Not => {
                    found.mistakes.push(format!("{}: expected {wanted}, found {given}", place()));
                }
            }
        }
    }
    found
}

fn best_match<'k>(kinds: impl Iterator<Item = &'k str>, value: &Value) -> TypeMatch {
    kinds.map(|kind| match_type(kind, value)).min().unwrap_or(TypeMatch::Exact)
}

fn match_type(kind: &str, value: &Value) -> TypeMatch {
    if kind == "any" || is_open(value) {
        return TypeMatch::Exact;
    }
    let either = |fits: bool| if fits { TypeMatch::Exact } else { TypeMatch::Not };
    match (kind, value) {
        ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_))
        | ("number", Value::Number(_))
        | ("boolean", Value::Bool(_)) => TypeMatch::Exact,
        ("string", Value::Number(_) | Value::Bool(_)) => TypeMatch::AsText,
        ("number", Value::String(text)) => either(text.trim().parse::<f64>().is_ok_and(f64::is_finite)),
        ("integer", Value::Number(number)) => either(is_whole(number)),
        ("integer", Value::String(text)) => either(text.trim().parse::<i64>().is_ok()),
        ("boolean", Value::String(text)) => {
            either(["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(text.trim())))
        }
        _ => TypeMatch::Not,
    }
}

fn is_whole(number: &Number) -> bool {
    number.as_i64().is_some() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Whether the value is not known yet: a template, null or an empty text. Forms submit empty texts for unset fields.
fn is_open(value: &Value) -> bool {
    let is_template = |text: &str| ["{{", "{%", "{#"].iter().any(|sign| text.contains(sign));
    match value {
        Value::Null => true,
        Value::String(text) => is_template(text) || text.trim().is_empty(),
        _ => false,
    }
}

fn wanted<'k>(kinds: impl Iterator<Item = &'k str>) -> String {
    let word = |kind: &str| match kind {
        "string" => "a text",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        _ => "a value",
    };
    kinds.map(word).collect::<Vec<_>>().join(" or ")
}

fn shown(value: &Value) -> String {
    let text = to_text(value);
    let mut short: String = text.chars().take(QUOTED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    match value {
        Value::String(_) => format!("the text \"{short}\""),
        Value::Number(_) => format!("the number {short}"),
        Value::Array(_) => format!("the list {short}"),
        Value::Object(_) => format!("the object {short}"),
        _ => short,
    }
}

#[cfg(test)]
mod tests {
    use super::type_mismatches;
    use serde_json::{Value, json};

    fn of(kind: &str, params: &Value) -> (String, String) {
        let found = type_mismatches(&json!({ "tasks": [{ "id": "a", "type": kind, "params": params }] }));
        (found.mistakes.join("; "), found.warnings.join("; "))
    }

    #[test]
    fn a_value_of_another_type_is_a_mistake() {
        for (kind, params, told) in [
            (
                "integrations.http",
                json!({ "url": ["https://a"] }),
                "tasks[0].params.url: expected a text, found the list [\"https://a\"]",
            ),
            (
                "integrations.http",
                json!({ "url": "https://a", "headers": "X: 1" }),
                "tasks[0].params.headers: expected an object, found the text \"X: 1\"",
            ),
            (
                "core.approval",
                json!({ "message": "x", "minimum_approvals": 1.5 }),
                "tasks[0].params.minimum_approvals: expected a whole number, found the number 1.5",
            ),
            (
                "core.approval",
                json!({ "message": "x", "exclude_author": "yes" }),
                "tasks[0].params.exclude_author: expected true or false, found the text \"yes\"",
            ),
            (
                "cloud.aws.cli",
                json!({ "command": { "a": 1 } }),
                "tasks[0].params.command: expected a text or a list, found the object {\"a\":1}",
            ),
            (
                "network.ping",
                json!({ "host": "a", "count": "many" }),
                "tasks[0].params.count: expected a number, found the text \"many\"",
            ),
            (
                "llm.classify",
                json!({ "prompt": "x", "options": "a, b" }),
                "tasks[0].params.options: expected a list, found the text \"a, b\"",
            ),
        ] {
            assert_eq!(of(kind, &params), (told.to_owned(), String::new()), "{kind} {params}");
        }
    }

    #[test]
    fn a_template_an_empty_text_and_what_reads_as_the_type_pass() {
        for (kind, params) in [
            ("llm.classify", json!({ "prompt": "{{ Inputs.x }}", "options": "{{ Inputs.options }}" })),
            (
                "integrations.http",
                json!({ "url": "https://a", "headers": "", "timeout": 30, "body": { "a": 1 } }),
            ),
            ("core.approval", json!({ "message": "x", "minimum_approvals": "2", "exclude_author": "True" })),
            ("core.approval", json!({ "message": "x", "approvers": "a@b.example" })),
            ("cloud.aws.cli", json!({ "command": ["aws", "s3", "ls"] })),
            ("tickets.get", json!({ "ticket_id": 12 })),
            ("network.ping", json!({ "host": "a", "count": "3" })),
            ("nobody.knows", json!({ "x": 1 })),
            ("core.print", json!({ "message": null })),
        ] {
            assert_eq!(of(kind, &params), (String::new(), String::new()), "{kind} {params}");
        }
    }

    #[test]
    fn a_number_for_a_text_is_told_and_used_as_one() {
        assert_eq!(
            of("integrations.http", &json!({ "url": 5 })).1,
            "tasks[0].params.url: expected a text, found the number 5, which is taken for a text: put it in quotes"
        );
        let hook = json!({ "tasks": [], "hooks": { "failure": [{ "type": "events.store", "params": { "title": true } }] } });
        assert_eq!(
            type_mismatches(&hook).warnings,
            [
                "hooks.failure[0].params.title: expected a text, found true, which is taken for a text: put it in quotes"
            ]
        );
    }
}
