//! `llm.router`: a language model chooses a branch, whose tasks then run.
//!
//! It is a group of two tasks: the query of the model and a switch.

use crate::definition::{Task, read_tasks};
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) const KIND: &str = "llm.router";
/// The nested tasks, named as in the reference.
const DECISION: &str = "decision";
const DISPATCH: &str = "dispatch";

/// An option for the model.
#[derive(Serialize)]
struct Choice<'t> {
    name: &'t Value,
    description: &'t Value,
}

/// The tasks for an option.
#[derive(Serialize)]
struct Case<'t> {
    value: &'t Value,
    tasks: &'t Value,
}

/// The nested tasks of a router.
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

/// The output of a router: the name of the branch and the outputs of its tasks. `outputs` are those of the nested tasks.
pub(super) fn output(outputs: &Value) -> Value {
    json!({ "selected_branch": outputs[DECISION]["selected_branch"], "tasks": outputs[DISPATCH]["tasks"] })
}
