//! Checks of a workflow definition while it is edited: finds what would fail or behave unexpectedly in a run.

mod approvals;
mod arguments;
mod names;
pub mod needs;
mod order;
mod pins;
mod places;
mod secrets;

pub use places::{LocatedTask, every_task};
pub use secrets::{NamedSecret, named_secrets};

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The findings for a definition, each with its location.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Errors: a definition with one is rejected.
    pub mistakes: Vec<String>,
    /// Things that may behave differently than intended.
    pub warnings: Vec<String>,
}

/// Checks an unparsed definition.
pub fn findings(definition: &Value) -> Findings {
    let mut found = names::unbound(definition);
    found.warnings.extend(approvals::unheeded(definition));
    found.mistakes.extend(arguments::with_secrets(definition));
    found.mistakes.extend(pins::misplaced(definition));
    found
}

/// References to tasks in templates.
static TASK: LazyLock<Option<Regex>> = LazyLock::new(|| named("Tasks"));

/// Names below a root of templates: `Inputs.name`, `Inputs["name"]`.
fn named(root: &str) -> Option<Regex> {
    Regex::new(&format!(r#"\b{root}\s*(?:\.\s*([A-Za-z_][A-Za-z0-9_]*)|\[\s*\\?["']([^"'\\]+)\\?["']\s*\])"#))
        .ok()
}

/// The distinct names below a root in the templates of a text.
fn names_below(root: Option<&Regex>, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for template in crate::template::parts(text) {
        let named = root.into_iter().flat_map(|root| root.captures_iter(template));
        found.extend(named.filter_map(|one| Some(one.get(1).or_else(|| one.get(2))?.as_str().to_owned())));
    }
    found
}

/// The tasks that the templates of a value refer to.
fn tasks_in(value: &Value) -> BTreeSet<String> {
    match value {
        Value::String(text) => names_below(TASK.as_ref(), text),
        Value::Array(list) => list.iter().flat_map(tasks_in).collect(),
        Value::Object(fields) => fields.values().flat_map(tasks_in).collect(),
        _ => BTreeSet::new(),
    }
}

/// The tasks of an unparsed list, without null entries.
fn tasks_of(list: &Value) -> Vec<(usize, &Value)> {
    let all = list.as_array().into_iter().flatten().enumerate();
    all.filter(|(_, task)| task.is_object()).collect()
}

/// The lists of tasks inside a task, each with its location relative to the task.
fn inside(task: &Value) -> Vec<(String, &Value)> {
    let mut lists = Vec::new();
    lists.extend(task.get("tasks").map(|list| ("tasks".to_owned(), list)));
    let params = &task["params"];
    lists.extend(params.get("tasks").map(|list| ("params.tasks".to_owned(), list)));
    for name in ["cases", "branches"] {
        for (number, case) in params[name].as_array().into_iter().flatten().enumerate() {
            for to in ["next", "tasks"] {
                lists.extend(case.get(to).map(|list| (format!("params.{name}[{number}].{to}"), list)));
            }
        }
    }
    for name in ["default_next", "default"] {
        lists.extend(params.get(name).map(|list| (format!("params.{name}"), list)));
    }
    lists
}
