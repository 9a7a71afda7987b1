//! `llm.router`: a model chooses among branches, and the tasks of the chosen one run. It is a group of two tasks: the question to the model and a switch.

use crate::definition::{Task, read_tasks};
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) const KIND: &str = "llm.router";
/// The tasks inside, called as the reference calls them.
const DECISION: &str = "decision";
const DISPATCH: &str = "dispatch";

/// What a model may choose.
#[derive(Serialize)]
struct Choice<'t> {
    name: &'t Value,
    description: &'t Value,
}

/// What follows from a choice.
#[derive(Serialize)]
struct Case<'t> {
    value: &'t Value,
    tasks: &'t Value,
}

/// The tasks inside a router.
pub(crate) fn tasks(router: &Task) -> Result<Vec<Task>, serde_json::Error> {
    let params = router.params.clone().unwrap_or_default();
    let branches = || params["branches"].as_array().into_iter().flatten();
    let choices: Vec<Choice<'_>> =
        branches().map(|one| Choice { name: &one["name"], description: &one["description"] }).collect();
    let cases: Vec<Case<'_>> =
        branches().map(|one| Case { value: &one["name"], tasks: &one["tasks"] }).collect();
    read_tasks(&json!([
        {
            "id": DECISION, "type": "llm.classify",
            "params": { "prompt": params["prompt"], "options": choices, "provider": params["provider"], "model": params["model"] },
        },
        {
            "id": DISPATCH, "type": "core.switch", "depends_on": [DECISION],
            "params": { "expression": "{{ Tasks.decision.output.selected_branch }}", "cases": cases },
        },
    ]))
}

/// What a router gives: the name of the branch, and what its tasks gave. `outputs` are those of the tasks inside.
pub(super) fn output(outputs: &Value) -> Value {
    json!({ "selected_branch": outputs[DECISION]["selected_branch"], "tasks": outputs[DISPATCH]["tasks"] })
}
