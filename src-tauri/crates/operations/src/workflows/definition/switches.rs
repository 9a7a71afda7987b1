//! Validates `core.switch` and `llm.router`: missing conditions, and branches without a valid target.

use super::Task;
use super::check::{Mistakes, says_something};
use crate::states::either;
use automation::commands::canonical;
use automation::template::to_text;
use serde_json::Value;

/// Task types that choose the tasks to run next.
const BRANCHING_TASKS: [&str; 2] = ["core.switch", ROUTER];
const ROUTER: &str = "llm.router";

/// The branches of a task: the path of each branch in the parameters, and its target.
fn branches(task: &Task) -> Vec<(String, &Value)> {
    let Some(params) = task.params.as_ref().filter(|_| BRANCHING_TASKS.contains(&canonical(&task.kind)))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for list in ["cases", "branches"] {
        for (number, case) in params[list].as_array().into_iter().flatten().enumerate() {
            let to = ["next", "tasks"].iter().find_map(|name| Some((name, case.get(name)?)));
            found.extend(to.map(|(name, to)| (format!("{list}[{number}].{name}"), to)));
        }
    }
    let default = ["default_next", "default"].iter().find_map(|name| Some((name, params.get(name)?)));
    found.extend(default.map(|(name, to)| ((*name).to_owned(), to)));
    found
}

fn ids(to: &Value) -> Vec<&str> {
    match to {
        Value::String(id) if !id.is_empty() => vec![id],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The ids of the tasks that a switch can lead to; empty if the task is not a switch.
pub(super) fn targets(task: &Task) -> Vec<&str> {
    branches(task).into_iter().flat_map(|(_, to)| ids(to)).collect()
}

/// Tasks written inside the branches, each list with its path.
pub(super) fn inline_tasks(task: &Task) -> Vec<(String, Value)> {
    let lists = branches(task).into_iter().filter_map(|(place, to)| {
        let inside = to.as_array()?.iter().filter(|one| one.is_object()).cloned().collect::<Vec<_>>();
        (!inside.is_empty()).then_some((place, Value::Array(inside)))
    });
    lists.collect()
}

/// Checks the branches of a task. `known` are the ids of the tasks in the same list.
pub(super) fn check(place: &str, task: &Task, known: &[&str], mistakes: &mut Mistakes) {
    if task.kind == ROUTER {
        return check_branches(place, task, mistakes);
    }
    if canonical(&task.kind) != "core.switch" {
        return;
    }
    let params = task.params.as_ref();
    let all = |list: &str| params.and_then(|params| params[list].as_array()).into_iter().flatten();
    let decides_itself = |case: &Value| case.get("value").is_none() && case.get("condition").is_some();
    let needs_expression = !all("cases").chain(all("branches")).all(decides_itself);
    let has_branches = all("cases").chain(all("branches")).next().is_some();
    if !says_something(params, "expression") && (needs_expression || !has_branches) {
        mistakes.add(
            &format!("{place}.params"),
            "core.switch needs \"expression\", or ways with a condition each",
        );
    }
    for (branch, to) in branches(task) {
        for id in ids(to).into_iter().filter(|id| !known.contains(id)) {
            let others: Vec<&str> = known.iter().copied().filter(|other| *other != task.id).collect();
            let expected =
                if others.is_empty() { "no other task is here".to_owned() } else { either(&others) };
            mistakes.add(&format!("{place}.params.{branch}"), format!("expected {expected}, found \"{id}\""));
        }
    }
}

/// Checks the branches of `llm.router`: a model chooses one by its name and description, and the tasks in it run.
fn check_branches(place: &str, task: &Task, mistakes: &mut Mistakes) {
    let branches = task.params.as_ref().and_then(|params| params["branches"].as_array());
    if branches.is_some_and(Vec::is_empty) {
        mistakes.add(&format!("{place}.params.branches"), "expected at least one branch, found none");
    }
    let mut names: Vec<String> = Vec::new();
    for (number, branch) in branches.into_iter().flatten().enumerate() {
        let place = format!("{place}.params.branches[{number}]");
        for name in ["name", "description", "tasks"] {
            if !says_something(Some(branch), name) {
                mistakes.add(&place, format!("a branch of llm.router needs \"{name}\""));
            }
        }
        let name = to_text(&branch["name"]).trim().to_lowercase();
        if names.contains(&name) && !name.is_empty() {
            mistakes.add(&format!("{place}.name"), format!("\"{name}\" is the name of another branch"));
        }
        names.push(name);
    }
}
