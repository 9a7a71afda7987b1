//! A template that consists of exactly one path, such as `{{ Tasks.fetch.output["items"][0] }}`.

use serde_json::{Map, Value};

/// The steps of the path, if the text is a single path.
pub(super) fn single(template: &str) -> Option<Vec<String>> {
    let inside = template.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    let inside = inside.trim_start_matches('-').trim_end_matches('-').trim();
    let mut steps = Vec::new();
    let mut rest = inside;
    loop {
        if let Some(after) = rest.strip_prefix('[') {
            let end = after.find(']')?;
            let (step, tail) = after.split_at(end);
            let step = step.trim();
            let is_quoted = |mark: char| step.len() > 1 && step.starts_with(mark) && step.ends_with(mark);
            if is_quoted('"') || is_quoted('\'') {
                steps.push(step[1..step.len() - 1].to_owned());
            } else if !step.is_empty() && step.bytes().all(|letter| letter.is_ascii_digit()) {
                steps.push(step.to_owned());
            } else {
                return None;
            }
            rest = &tail[1..];
        } else {
            let length =
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            if length == 0 || steps.is_empty() && rest.starts_with(|letter: char| letter.is_ascii_digit()) {
                return None;
            }
            steps.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
        if rest.is_empty() {
            return Some(steps)
                .filter(|steps| !matches!(steps[0].as_str(), "true" | "false" | "none" | "null"));
        }
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
        } else if !rest.starts_with('[') {
            return None;
        }
    }
}

/// The value at the path; `None` if it does not exist.
pub(super) fn find<'v>(path: &[String], context: &'v Map<String, Value>) -> Option<&'v Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(context.get(first)?, |value, step| match value {
        Value::Object(fields) => fields.get(step),
        Value::Array(list) => list.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}
