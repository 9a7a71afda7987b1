//! Finds templates with syntax errors, to report them before a run fails.

use automation::template::Renderer;
use serde_json::Value;

/// Members whose texts are not rendered: they are for people and not used in a run.
const PLAIN: [&str; 3] = ["description", "layout", "_prev_edges"];

/// Every template of a definition that cannot be parsed, with its path.
pub(in crate::workflows) fn unreadable(definition: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_unreadable(&Renderer::reader(), definition, "", &mut found);
    found
}

fn find_unreadable(renderer: &Renderer, value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            found.extend(renderer.check(text).err().map(|error| format!("{place}: {error}")));
        }
        Value::Array(list) => {
            for (number, one) in list.iter().enumerate() {
                find_unreadable(renderer, one, &format!("{place}[{number}]"), found);
            }
        }
        Value::Object(fields) => {
            for (name, one) in fields.iter().filter(|(name, _)| !PLAIN.contains(&name.as_str())) {
                let inner = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                find_unreadable(renderer, one, &inner, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::unreadable;
    use serde_json::json;

    #[test]
    fn a_template_that_cannot_be_read_is_told_with_its_place() {
        let definition = json!({
            "inputs": [{ "id": "a", "description": "such as {{ x" }],
            "tasks": [{ "id": "say", "if": "{{ (1 }}", "params": { "message": "{% if x %}", "list": ["{{ a.b | upper }}", "plain }}"] } }],
            "output": { "x": "{{ Tasks.say.output }}" },
        });
        let found = unreadable(&definition);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("tasks[0].if: the template \"{{ (1 }}\" failed: "), "{found:?}");
        assert!(found[1].starts_with("tasks[0].params.message: "), "{found:?}");
    }
}
