//! Validates a definition and reports all mistakes at once (semantics §11).

use super::{
    Definition, Hook, HookList, RetryPolicy, Task, each, literals, repositories, switches, tickets, triggers,
};
use crate::states::either;
use crate::workflows::{inputs, tasks};
use automation::plan::MOST_ENTRIES;
use automation::{duration, kinds};
use serde_json::Value;
use std::collections::HashMap;

/// The mistakes found, each with its path, such as `tasks[2].timeout`.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(Vec<String>);

impl Mistakes {
    pub(super) fn add(&mut self, place: &str, message: impl AsRef<str>) {
        self.0.push(format!("{place}: {}", message.as_ref()));
    }

    /// The mistakes as separate lines.
    pub(crate) fn into_lines(self) -> Vec<String> {
        self.0
    }

    /// All mistakes in one sentence for the author of the definition.
    pub(crate) fn message(&self) -> String {
        match self.0.as_slice() {
            [one] => format!("the workflow definition has a mistake: {one}"),
            all => format!("the workflow definition has {} mistakes: {}", all.len(), all.join("; ")),
        }
    }
}

/// Refuses a definition that could not run.
pub(crate) fn check(definition: &Definition) -> Result<(), Mistakes> {
    let mut mistakes = Mistakes::default();
    triggers::check(definition, &mut mistakes);
    check_inputs(definition, &mut mistakes);
    if each(definition.tasks.as_ref()).next().is_none() {
        mistakes.add("tasks", "expected at least one task, found none");
    }
    let tasks: Vec<&Task> = each(definition.tasks.as_ref()).collect();
    if tasks.len() > MOST_ENTRIES {
        let message = format!("a run has {MOST_ENTRIES} tasks at the most, and these are {}", tasks.len());
        mistakes.add("tasks", message);
    }
    check_tasks("tasks", &tasks, &mut mistakes);
    check_retry("retry_policy", definition.retry_policy.as_ref(), &mut mistakes);
    check_hooks("hooks", definition.hooks.as_ref(), &mut mistakes);
    check_time(definition, &tasks, &mut mistakes);
    if mistakes.0.is_empty() { Ok(()) } else { Err(mistakes) }
}

fn check_inputs(definition: &Definition, mistakes: &mut Mistakes) {
    let mut known: Vec<&str> = Vec::new();
    for (place, input) in each(definition.inputs.as_ref()).enumerate() {
        let place = format!("inputs[{place}]");
        if input.id.trim().is_empty() {
            mistakes.add(&format!("{place}.id"), "expected a name, found an empty text");
        } else if known.contains(&input.id.as_str()) {
            mistakes.add(&format!("{place}.id"), format!("\"{}\" is the name of another input", input.id));
        }
        known.push(&input.id);
        if let Some(kind) = &input.kind
            && inputs::type_of(kind).is_none()
        {
            let expected = either(inputs::TYPES);
            mistakes.add(&format!("{place}.type"), format!("expected {expected}, found \"{kind}\""));
        } else if let Some(default) = &input.default
            && let Err(reason) = inputs::default_of(input.kind.as_deref(), default)
        {
            mistakes.add(&format!("{place}.default"), reason);
        }
    }
}

/// Checks hooks, which are one object or a list of objects.
fn check_hooks(place: &str, hooks: Option<&HookList>, mistakes: &mut Mistakes) {
    match hooks {
        None => {}
        Some(HookList::One(hook)) => check_hook(place, hook, mistakes),
        Some(HookList::Many(hooks)) => {
            for (number, hook) in each(Some(hooks)).enumerate() {
                check_hook(&format!("{place}[{number}]"), hook, mistakes);
            }
        }
    }
}

fn check_tasks(place: &str, tasks: &[&Task], mistakes: &mut Mistakes) {
    let ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    for (number, task) in tasks.iter().enumerate() {
        let place = format!("{place}[{number}]");
        let is_name = |id: &str| {
            !id.is_empty()
                && id.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
        };
        if !is_name(&task.id) {
            let message = format!("expected letters, digits, _, - and ., found \"{}\"", task.id);
            mistakes.add(&format!("{place}.id"), message);
        } else if ids[..number].contains(&task.id.as_str()) {
            mistakes.add(&format!("{place}.id"), format!("\"{}\" is the id of another task", task.id));
        }
        check_dependencies(&place, task, &ids, mistakes);
        check_task(&place, task, mistakes);
        switches::check(&place, task, &ids, mistakes);
    }
    if let Some(circle) = circle(tasks) {
        mistakes.add(place, format!("tasks wait for each other in a circle: {}", circle.join(" → ")));
    }
}

fn check_dependencies(place: &str, task: &Task, ids: &[&str], mistakes: &mut Mistakes) {
    for id in task.depends_on.iter().flatten() {
        if *id == task.id {
            mistakes.add(&format!("{place}.depends_on"), "a task cannot depend on itself");
        } else if !ids.contains(&id.as_str()) {
            let others: Vec<&str> = ids.iter().copied().filter(|other| *other != task.id).collect();
            let expected =
                if others.is_empty() { "no other task is here".to_owned() } else { either(&others) };
            mistakes.add(&format!("{place}.depends_on"), format!("expected {expected}, found \"{id}\""));
        }
    }
}

fn check_task(place: &str, task: &Task, mistakes: &mut Mistakes) {
    match tasks::find(&task.kind) {
        None => mistakes.add(&format!("{place}.type"), unknown(&task.kind)),
        Some(known) => {
            let is_given = |name: &str| {
                let params = task.params.as_ref().and_then(|params| params.get(name));
                params.is_some_and(|value| !value.is_null()) || (name == "tasks" && task.tasks.is_some())
            };
            for parameter in
                known.inputs.iter().filter(|parameter| parameter.is_required && !is_given(parameter.name))
            {
                let message = format!("{} needs \"{}\"", known.name, parameter.name);
                mistakes.add(&format!("{place}.params"), message);
            }
        }
    }
    repositories::check(place, &task.kind, task.params.as_ref(), mistakes);
    tickets::check(place, &task.kind, task.params.as_ref(), mistakes);
    literals::check(place, &task.kind, task.params.as_ref(), mistakes);
    if let Some(params) = &task.params
        && !params.is_object()
        && !params.is_null()
    {
        mistakes.add(&format!("{place}.params"), format!("expected an object, found {params}"));
    }
    check_span(&format!("{place}.timeout"), task.timeout.as_deref(), mistakes);
    for (key, state) in task.set_state.as_ref().and_then(Value::as_object).into_iter().flatten() {
        let ttl = state.get("ttl").filter(|_| state.get("value").is_some());
        let written = ttl.and_then(Value::as_str).filter(|ttl| !ttl.contains("{{") && !ttl.contains("{%"));
        check_span(&format!("{place}.set_state.{key}.ttl"), written, mistakes);
    }
    if let Some(policy) = &task.failure_policy {
        let place = format!("{place}.failure_policy");
        if let Some(action) = &policy.action
            && !["continue", "fail"].contains(&action.as_str())
        {
            let message = format!("expected continue or fail, found \"{action}\"");
            mistakes.add(&format!("{place}.action"), message);
        }
        check_retry(&format!("{place}.retry"), policy.retry.as_ref(), mistakes);
    }
    check_hooks(&format!("{place}.hooks"), task.hooks.as_ref(), mistakes);
    let inner: Vec<&Task> = each(task.tasks.as_ref()).collect();
    check_tasks(&format!("{place}.tasks"), &inner, mistakes);
    check_inner(place, task, mistakes);
}

/// The reason why a task type is refused.
fn unknown(kind: &str) -> String {
    match kinds::missing(kind) {
        Some(reason) => format!("{kind} cannot run here: {reason}"),
        None => format!("\"{kind}\" is no known task; workflow_list_taskdefinitions lists those that are"),
    }
}

/// Checks tasks inside the parameters of `core.group`, `core.foreach` and `core.switch`.
fn check_inner(place: &str, task: &Task, mistakes: &mut Mistakes) {
    let inner = task.params.as_ref().and_then(|params| params.get("tasks"));
    let inner = inner.filter(|_| matches!(task.kind.as_str(), "core.group" | "core.foreach"));
    let lists = inner.map(|inner| ("tasks".to_owned(), inner.clone())).into_iter();
    for (name, inner) in lists.chain(switches::inline_tasks(task)) {
        let place = format!("{place}.params.{name}");
        match serde_json::from_value::<Vec<Task>>(inner) {
            Ok(inner) => check_tasks(&place, &inner.iter().collect::<Vec<_>>(), mistakes),
            Err(reason) => mistakes.add(&place, format!("expected a list of tasks: {reason}")),
        }
    }
}

fn check_hook(place: &str, hook: &Hook, mistakes: &mut Mistakes) {
    for (name, actions) in [("always", &hook.always), ("failure", &hook.failure), ("success", &hook.success)]
    {
        for (number, action) in each(actions.as_ref()).enumerate() {
            if tasks::find(&action.kind).is_none() {
                mistakes.add(&format!("{place}.{name}[{number}].type"), unknown(&action.kind));
            }
        }
    }
}

fn check_retry(place: &str, policy: Option<&RetryPolicy>, mistakes: &mut Mistakes) {
    let Some(policy) = policy else { return };
    check_span(&format!("{place}.initial_interval"), policy.initial_interval.as_deref(), mistakes);
    check_span(&format!("{place}.maximum_interval"), policy.maximum_interval.as_deref(), mistakes);
    if let Some(found) = policy.backoff_coefficient.filter(|found| *found < 1.0) {
        mistakes.add(&format!("{place}.backoff_coefficient"), format!("expected 1 or more, found {found}"));
    }
    if let Some(found) = policy.maximum_attempts.filter(|found| *found < 0) {
        mistakes.add(&format!("{place}.maximum_attempts"), format!("expected 0 or more, found {found}"));
    }
}

fn check_span(place: &str, span: Option<&str>, mistakes: &mut Mistakes) {
    if let Some(span) = span.filter(|span| duration::parse(span).is_none()) {
        mistakes.add(place, format!("expected a span of time such as 30s, 5m or 1h30m, found \"{span}\""));
    }
}

/// Checks that the time-outs of the tasks do not add up to more than the time-out of the workflow.
fn check_time(definition: &Definition, tasks: &[&Task], mistakes: &mut Mistakes) {
    check_span("timeout", definition.timeout.as_deref(), mistakes);
    let Some(whole) = definition.timeout.as_deref().and_then(duration::parse) else { return };
    let sum = tasks
        .iter()
        .filter_map(|task| duration::parse(task.timeout.as_deref()?))
        .fold(0, i64::saturating_add);
    if sum > whole {
        let message = format!(
            "the tasks may take {} s together, and the workflow only {} s",
            sum / 1_000_000,
            whole / 1_000_000
        );
        mistakes.add("timeout", message);
    }
}

/// The ids of tasks that form a cycle; the first id is repeated at the end.
fn circle<'a>(tasks: &[&'a Task]) -> Option<Vec<&'a str>> {
    let places: HashMap<&str, usize> =
        tasks.iter().enumerate().map(|(place, task)| (task.id.as_str(), place)).collect();
    // The tasks that each task waits for. The targets of a switch also wait for the switch.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); tasks.len()];
    for (place, task) in tasks.iter().enumerate() {
        let known = |id: &str| places.get(id).copied().filter(|other| *other != place);
        before[place].extend(task.depends_on.iter().flatten().filter_map(|id| known(id)));
        for target in switches::targets(task).into_iter().filter_map(known) {
            before[target].push(place);
        }
    }
    // Repeatedly remove tasks that wait for nothing. The tasks that remain wait for a cycle or are part of one.
    let mut waits: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut free: Vec<usize> = (0..tasks.len()).filter(|place| waits[*place] == 0).collect();
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); tasks.len()];
    for (place, others) in before.iter().enumerate() {
        for other in others {
            behind[*other].push(place);
        }
    }
    while let Some(place) = free.pop() {
        for after in &behind[place] {
            waits[*after] -= 1;
            if waits[*after] == 0 {
                free.push(*after);
            }
        }
    }
    let mut way = vec![(0..tasks.len()).find(|place| waits[*place] > 0)?];
    loop {
        let next = before[way[way.len() - 1]].iter().copied().find(|place| waits[*place] > 0)?;
        if let Some(start) = way.iter().position(|place| *place == next) {
            way.push(next);
            return Some(way[start..].iter().map(|place| tasks[*place].id.as_str()).collect());
        }
        way.push(next);
    }
}

/// Whether a parameter is given and not empty.
pub(super) fn says_something(params: Option<&Value>, name: &str) -> bool {
    match params.and_then(|params| params.get(name)) {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::workflows::definition::Definition;
    use serde_json::{Value, json};

    fn sound() -> Value {
        json!({
            "triggers": [{ "type": "manual" }],
            "timeout": "1h",
            "tasks": [
                { "id": "wait", "type": "core.wait", "params": { "duration": "10m" }, "timeout": "15m" },
                { "id": "say", "type": "core.print", "params": { "message": "done" }, "depends_on": ["wait"] },
            ],
        })
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut Value), expected: &str) {
        let mut definition = sound();
        change(&mut definition);
        let mistakes = check(&Definition::read(&definition).unwrap()).expect_err("a mistake");
        assert_eq!(mistakes.0.join("; "), expected);
    }

    #[test]
    fn a_sound_definition_passes() {
        assert!(check(&Definition::read(&sound()).unwrap()).is_ok());
    }

    #[test]
    fn there_must_be_a_trigger_and_a_task() {
        refused(|one| one["tasks"] = json!([]), "tasks: expected at least one task, found none");
        refused(|one| one["triggers"] = json!([]), "triggers: expected at least one trigger, found none");
    }

    #[test]
    fn ids_are_names_and_unique() {
        refused(
            |one| one["tasks"][1]["id"] = json!("say it"),
            "tasks[1].id: expected letters, digits, _, - and ., found \"say it\"",
        );
        refused(
            |one| {
                one["tasks"][1]["id"] = json!("wait");
                one["tasks"][1]["depends_on"] = json!([]);
            },
            "tasks[1].id: \"wait\" is the id of another task",
        );
    }

    #[test]
    fn dependencies_lead_to_other_tasks_and_never_in_a_circle() {
        refused(
            |one| one["tasks"][1]["depends_on"] = json!(["sleep"]),
            "tasks[1].depends_on: expected wait, found \"sleep\"",
        );
        refused(
            |one| one["tasks"][1]["depends_on"] = json!(["say"]),
            "tasks[1].depends_on: a task cannot depend on itself",
        );
        refused(
            |one| one["tasks"][0]["depends_on"] = json!(["say"]),
            "tasks: tasks wait for each other in a circle: wait → say → wait",
        );
    }

    #[test]
    fn tasks_are_known_and_have_what_they_need() {
        refused(
            |one| one["tasks"][0]["type"] = json!("core.sleep"),
            "tasks[0].type: \"core.sleep\" is no known task; workflow_list_taskdefinitions lists those that are",
        );
        refused(|one| one["tasks"][0]["params"] = json!({}), "tasks[0].params: core.wait needs \"duration\"");
    }

    #[test]
    fn tasks_within_a_group_are_checked_too() {
        let group = json!({
            "id": "both", "type": "core.group",
            "params": { "tasks": [{ "id": "a", "type": "core.print", "params": {} }] },
        });
        refused(
            |one| one["tasks"][0] = group,
            "tasks[0].params.tasks[0].params: core.print needs \"message\"; \
             tasks[1].depends_on: expected both, found \"wait\"",
        );
    }

    #[test]
    fn a_switch_decides_by_something_and_leads_somewhere() {
        let switch = |params: Value| json!({ "id": "wait", "type": "core.switch", "params": params });
        let by_conditions = switch(json!({ "branches": [{ "condition": "{{ 1 > 2 }}", "next": "say" }] }));
        let sound = json!({ "triggers": [{ "type": "manual" }], "tasks": [by_conditions, { "id": "say", "type": "core.print", "params": { "message": "x" } }] });
        assert!(check(&Definition::read(&sound).unwrap()).is_ok());
        for (params, expected) in [
            (
                json!({ "cases": [{ "value": "a", "next": "say" }] }),
                "tasks[0].params: core.switch needs \"expression\", or ways with a condition each",
            ),
            (
                json!({ "expression": "a", "cases": [{ "value": "a", "next": ["say", "sai"] }], "default_next": "no" }),
                "tasks[0].params.cases[0].next: expected say, found \"sai\"; tasks[0].params.default_next: expected say, found \"no\"",
            ),
            (
                json!({ "expression": "a", "cases": [{ "value": "a", "tasks": [{ "id": "x", "type": "core.sleep" }] }] }),
                "tasks[0].params.cases[0].tasks[0].type: \"core.sleep\" is no known task; workflow_list_taskdefinitions lists those that are",
            ),
        ] {
            refused(
                |one| {
                    one["tasks"][0] = switch(params);
                    one["tasks"][1]["depends_on"] = json!([]);
                },
                expected,
            );
        }
        // The switch would wait for its own target.
        refused(
            |one| {
                one["tasks"][0] = switch(json!({ "expression": "a", "default_next": "say" }));
                one["tasks"][0]["depends_on"] = json!(["say"]);
                one["tasks"][1]["depends_on"] = json!([]);
            },
            "tasks: tasks wait for each other in a circle: wait → say → wait",
        );
    }

    #[test]
    fn policies_are_within_bounds() {
        refused(
            |one| {
                one["tasks"][0]["failure_policy"] = json!({
                    "action": "panic",
                    "retry": { "initial_interval": "soon", "backoff_coefficient": 0.5, "maximum_attempts": -1 },
                });
            },
            "tasks[0].failure_policy.action: expected continue or fail, found \"panic\"; \
             tasks[0].failure_policy.retry.initial_interval: expected a span of time such as 30s, 5m or 1h30m, \
             found \"soon\"; \
             tasks[0].failure_policy.retry.backoff_coefficient: expected 1 or more, found 0.5; \
             tasks[0].failure_policy.retry.maximum_attempts: expected 0 or more, found -1",
        );
    }

    #[test]
    fn what_a_state_lives_is_a_span() {
        refused(
            |one| {
                one["tasks"][1]["set_state"] = json!({
                    "seen": { "value": 1, "ttl": "soon" }, "kept": { "value": 1, "ttl": "{{ Inputs.ttl }}" }, "ttl": "soon",
                });
            },
            "tasks[1].set_state.seen.ttl: expected a span of time such as 30s, 5m or 1h30m, found \"soon\"",
        );
    }

    #[test]
    fn a_definition_has_no_more_tasks_than_a_run() {
        refused(
            |one| {
                let task = |number: usize| json!({ "id": format!("t{number}"), "type": "core.print", "params": { "message": "x" } });
                one["tasks"] = (0..2001).map(task).collect();
            },
            "tasks: a run has 2000 tasks at the most, and these are 2001",
        );
    }

    #[test]
    fn tasks_may_not_take_longer_than_the_workflow() {
        refused(
            |one| one["timeout"] = json!("10m"),
            "timeout: the tasks may take 900 s together, and the workflow only 600 s",
        );
    }

    #[test]
    fn inputs_have_names_types_and_defaults_that_fit() {
        refused(
            |one| {
                one["inputs"] = json!([
                    { "id": "copies", "type": "integer", "default": "three" },
                    { "id": "copies", "type": "number" },
                    { "id": "zone", "type": "place" },
                ]);
            },
            "inputs[0].default: expected integer, found \"three\"; \
             inputs[1].id: \"copies\" is the name of another input; \
             inputs[2].type: expected string, number, integer, boolean, object or array, found \"place\"",
        );
    }

    #[test]
    fn several_mistakes_are_told_at_once() {
        let mistakes = check(&Definition::read(&json!({})).unwrap()).expect_err("mistakes");
        assert_eq!(
            mistakes.message(),
            "the workflow definition has 2 mistakes: triggers: expected at least one trigger, found none; \
             tasks: expected at least one task, found none"
        );
    }
}
