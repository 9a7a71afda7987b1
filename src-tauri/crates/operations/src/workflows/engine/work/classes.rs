//! The task `llm.classify`: its options and its prompt.

use automation::plan::TaskFailure;
use automation::template::to_text;
use serde_json::Value;

/// Maximum number of options per task.
const MAX_OPTIONS: usize = 50;

/// An option to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassOption {
    pub name: String,
    description: String,
}

/// Reads `options`: objects with name and description, or names.
pub(super) fn read(params: &Value) -> Result<Vec<ClassOption>, TaskFailure> {
    let wrong = |message: String| TaskFailure::new("InvalidParameters", message);
    let list = params["options"].as_array().filter(|list| !list.is_empty() && list.len() <= MAX_OPTIONS);
    let list = list.ok_or_else(|| {
        wrong(format!("options: expected 1 to {MAX_OPTIONS} options with name and description"))
    })?;
    let one = |option: &Value| {
        let name = if option.is_object() { &option["name"] } else { option };
        let name = to_text(name).trim().to_owned();
        if name.is_empty() || name.contains('\n') {
            return Err(wrong("options: expected a name of one line for each option".to_owned()));
        }
        Ok(ClassOption { name, description: to_text(&option["description"]).trim().to_owned() })
    };
    list.iter().map(one).collect()
}

/// The prompt for the model.
pub(super) fn question(prompt: &str, options: &[ClassOption]) -> String {
    let options: String =
        options.iter().map(|option| format!("- {}: {}\n", option.name, option.description)).collect();
    format!(
        "Which of the options fits the text best? Answer with the name of one option and nothing else.\n\nOptions:\n{options}\nText:\n{prompt}"
    )
}

#[cfg(test)]
mod tests {
    use super::{question, read};
    use serde_json::json;

    #[test]
    fn options_have_names() {
        let options =
            read(&json!({ "options": [{ "name": "database", "description": "SQL" }, "network"] })).unwrap();
        assert!(question("slow joins", &options).contains("- database: SQL\n- network: \n"));
        for params in [json!({}), json!({ "options": [] }), json!({ "options": [{ "description": "x" }] })] {
            assert!(read(&params).unwrap_err().message.starts_with("options: expected"));
        }
    }
}
