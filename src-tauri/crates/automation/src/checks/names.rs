//! Finds undefined names in templates: unknown tasks, inputs that are not declared, variables that nothing sets.

use super::order::Order;
use super::{Findings, TASK, named, names_below};
use crate::template::{Renderer, parts};
use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static INPUT: LazyLock<Option<Regex>> = LazyLock::new(|| named("(?:Inputs|Vars)"));
static CONFIG: LazyLock<Option<Regex>> = LazyLock::new(|| named("Configs"));

/// Parameters that identify the target of a task: with an empty value, the task fails or affects something else.
const TARGETS: [&str; 24] = [
    "account_id",
    "address",
    "base_url",
    "bucket",
    "channel",
    "domain",
    "endpoint",
    "host",
    "hostname",
    "integration_id",
    "kind",
    "name",
    "namespace",
    "project_key",
    "provider",
    "recipients",
    "repository",
    "repository_name",
    "resource_name",
    "server",
    "ticket_id",
    "url",
    "webhook_url",
    "workflow_name",
];

/// Fields without templates, and fields where more names are available than elsewhere.
const APART: [&str; 8] =
    ["_prev_edges", "depends_on", "description", "hooks", "id", "layout", "pinned_output", "type"];

/// Inputs that the engine adds to every run.
const OWN: [&str; 6] = [
    "workflow_execution_id",
    "workflow_execution_time",
    "workflow_id",
    "workflow_last_execution_time",
    "workflow_name",
    "workflow_scheduled_time",
];

/// Roots of templates, and names available without a root.
const ROOTS: [&str; 11] = [
    "Configs",
    "Inputs",
    "LoopIndex",
    "LoopItem",
    "Matrix",
    "Secrets",
    "Self",
    "State",
    "Tasks",
    "Vars",
    "loop",
];

/// Maximum number of names in a message.
const MOST_LISTED: usize = 12;

/// The undefined names, each with its location.
pub(super) fn unbound(definition: &Value) -> Findings {
    let names = Names::of(definition);
    let mut found = Findings::default();
    let order = Order::of(&definition["tasks"]);
    for (number, task) in super::tasks_of(&definition["tasks"]) {
        let top = Top { id: task["id"].as_str().unwrap_or_default(), order: &order };
        names.visit(task, &format!("tasks[{number}]"), Some(&top), &mut found);
    }
    names.visit(&definition["output"], "output", None, &mut found);
    found
}

/// A top-level task that contains a template.
struct Top<'d> {
    id: &'d str,
    order: &'d Order<'d>,
}

/// The defined names.
struct Names {
    renderer: Renderer,
    /// Ids of tasks at any level, with their number.
    tasks: BTreeMap<String, usize>,
    /// Inputs and variables.
    given: BTreeSet<String>,
    /// Names visible only in some tasks: items of loops.
    seen: BTreeSet<String>,
    /// Whether the trigger can pass arbitrary names.
    is_open: bool,
}

impl Names {
    fn of(definition: &Value) -> Self {
        let mut names = Self {
            renderer: Renderer::reader(),
            tasks: BTreeMap::new(),
            given: OWN.iter().map(|name| (*name).to_owned()).collect(),
            seen: BTreeSet::from(["item".to_owned()]),
            is_open: false,
        };
        let inputs = definition["inputs"].as_array().into_iter().flatten();
        names.given.extend(inputs.filter_map(|input| input["id"].as_str().map(str::to_owned)));
        for trigger in definition["triggers"].as_array().into_iter().flatten() {
            let params = trigger["params"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
            match trigger["type"].as_str().unwrap_or_default() {
                "manual" => {}
                "schedule" => names.given.extend(params),
                "optimization" => names.given.extend(["recommendation".to_owned()]),
                kind @ ("event" | "import" | "budget" | "anomaly") => names.given.extend([kind.to_owned()]),
                _ => names.is_open = true,
            }
        }
        names.collect(&definition["tasks"]);
        names
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|one| self.collect(one)),
            Value::Object(fields) => {
                if let (Some(id), true) = (value["id"].as_str(), value["type"].is_string()) {
                    *self.tasks.entry(id.to_owned()).or_default() += 1;
                }
                self.given.extend(
                    value["set_vars"].as_object().into_iter().flatten().map(|(name, _)| name.clone()),
                );
                if value["type"] == "core.foreach" {
                    self.seen.extend(value["params"]["item"].as_str().map(str::to_owned));
                }
                fields
                    .iter()
                    .filter(|(name, _)| *name != "pinned_output")
                    .for_each(|(_, one)| self.collect(one));
            }
            _ => {}
        }
    }

    fn visit(&self, value: &Value, place: &str, top: Option<&Top<'_>>, found: &mut Findings) {
        match value {
            Value::String(text) if !parts(text).is_empty() => self.look(text, place, top, found),
            Value::Array(list) => {
                for (number, one) in list.iter().enumerate() {
                    self.visit(one, &format!("{place}[{number}]"), top, found);
                }
            }
            Value::Object(fields) => {
                // Objects that are not tasks, such as a request body, may have fields with any of these names.
                let is_task = value["type"].is_string() && value["id"].is_string();
                for (name, one) in
                    fields.iter().filter(|(name, _)| !is_task || !APART.contains(&name.as_str()))
                {
                    self.visit(one, &format!("{place}.{name}"), top, found);
                }
            }
            _ => {}
        }
    }

    fn look(&self, text: &str, place: &str, top: Option<&Top<'_>>, found: &mut Findings) {
        let templates = parts(text).join(" ");
        let has = |words: &[&str]| words.iter().any(|word| templates.contains(word));
        // A template with a fallback expects that the name may be undefined.
        if has(&["default", "defined"]) {
            return;
        }
        let name = place.rsplit('.').next().unwrap_or_default();
        let name = name.split('[').next().unwrap_or_default();
        let is_target = place.contains(".params.") && TARGETS.contains(&name);
        let mut tell = |is_mistake: bool, message: String| {
            let list = if is_mistake { &mut found.mistakes } else { &mut found.warnings };
            list.push(format!("{place}: {message}"));
        };
        for id in names_below(TASK.as_ref(), text) {
            if let Some((is_mistake, message)) = self.task(&id, place, top) {
                tell(is_mistake && is_target, message);
            }
        }
        for name in names_below(CONFIG.as_ref(), text) {
            tell(
                is_target,
                format!(
                    "expected an input or a secret, found Configs.{name}: there are no configurations here"
                ),
            );
        }
        if self.is_open || has(&[" or ", "if "]) {
            return;
        }
        let known: Vec<&str> =
            self.given.iter().map(String::as_str).filter(|name| !OWN.contains(name)).collect();
        let expected = || {
            if known.is_empty() {
                "no input or variable is here".to_owned()
            } else {
                format!("expected {}", listed(&known))
            }
        };
        let rest = "only a run that is started with it has it";
        for name in names_below(INPUT.as_ref(), text).into_iter().filter(|name| !self.given.contains(name)) {
            tell(false, format!("{}, found the input \"{name}\": {rest}", expected()));
        }
        for name in self.renderer.free_names(text) {
            let is_known =
                ROOTS.contains(&name.as_str()) || self.given.contains(&name) || self.seen.contains(&name);
            if !is_known {
                tell(false, format!("{}, found the variable \"{name}\": {rest}", expected()));
            }
        }
    }

    /// The problem with a reference to a task, and whether it can never resolve.
    fn task(&self, id: &str, place: &str, top: Option<&Top<'_>>) -> Option<(bool, String)> {
        let Some(times) = self.tasks.get(id) else {
            let all: Vec<&str> = self.tasks.keys().map(String::as_str).collect();
            let meant = all
                .iter()
                .find(|known| known.strip_prefix(id).is_some_and(|rest| rest.starts_with(['-', '.'])));
            let hint = meant
                .map(|meant| format!("; an id with - or . is written Tasks['{meant}']"))
                .unwrap_or_default();
            return Some((true, format!("expected the task {}, found \"{id}\"{hint}", listed(&all))));
        };
        let top = top.filter(|top| *times == 1 && top.order.has(id))?;
        // Only fields evaluated after the task ended can use its own output.
        let is_later = place.contains(".set_vars") || place.contains(".set_state");
        if top.id == id {
            let message = format!("the output of \"{id}\" itself is there only when it has ended");
            return (!is_later).then_some((true, message));
        }
        if top.order.behind(top.id).contains(id) {
            return Some((
                true,
                format!("\"{id}\" runs after \"{}\", so its output is not there yet", top.id),
            ));
        }
        (!top.order.behind(id).contains(top.id)).then(|| {
            (
                false,
                format!(
                    "\"{}\" does not wait for \"{id}\", whose output may not be there: add it to depends_on",
                    top.id
                ),
            )
        })
    }
}

fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_LISTED).copied().collect::<Vec<_>>();
    match (shown.split_last(), names.len() > MOST_LISTED) {
        (_, true) => format!("{} …", shown.join(", ")),
        (Some((last, [])), _) => (*last).to_owned(),
        (Some((last, others)), _) => format!("{} or {last}", others.join(", ")),
        (None, _) => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::unbound;
    use serde_json::{Value, json};

    fn told(triggers: Value, params: Value) -> (Vec<String>, Vec<String>) {
        let found = unbound(&json!({
            "inputs": [{ "id": "base_url" }], "triggers": triggers,
            "tasks": [
                { "id": "look-up", "type": "integrations.http", "params": { "url": "https://a" }, "set_vars": { "zone": "{{ Tasks['look-up'].output.zone }}" } },
                { "id": "ask", "type": "integrations.http", "params": params, "depends_on": ["look-up"] },
                { "id": "last", "type": "core.print", "params": { "message": "x" }, "depends_on": ["ask"] },
                { "id": "apart", "type": "core.print", "params": { "message": "x" } },
            ],
        }));
        (found.mistakes, found.warnings)
    }

    #[track_caller]
    fn url(url: &str, mistakes: &[&str], warnings: &[&str]) {
        let found = told(json!([{ "type": "manual" }]), json!({ "url": url }));
        assert_eq!(
            (found.0.as_slice(), found.1.as_slice()),
            (own(mistakes).as_slice(), own(warnings).as_slice()),
            "{url}"
        );
    }

    fn own(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| format!("tasks[1].params.url: {text}")).collect()
    }

    #[test]
    fn what_is_there_is_not_told() {
        for text in [
            "https://a.example",
            "{{ Inputs.base_url }}/x",
            "{{ base_url }}",
            "{{ Vars['zone'] }}",
            "{{ zone }}",
            "{{ Tasks['look-up'].output.url }}",
            "{{ Inputs.other | default('https://a') }}",
            "{{ Inputs.other or base_url }}",
            "https://a/{{ now() }}?d={{ date_iso }}",
            "{% for one in range(3) %}{{ one }}{{ loop.index }}{% endfor %}",
            "{{ workflow_id }}{{ State.x }}{{ Secrets.TOKEN }}",
            "{{ Tasks.nobody.output.url | default('https://a') }}",
        ] {
            url(text, &[], &[]);
        }
    }

    #[test]
    fn a_task_that_is_not_there_is_a_mistake_where_a_task_is_aimed() {
        url(
            "{{ Tasks.fetch.output.url }}",
            &["expected the task apart, ask, last or look-up, found \"fetch\""],
            &[],
        );
        url(
            "{{ Tasks.look-up.output.url }}",
            &[
                "expected the task apart, ask, last or look-up, found \"look\"; an id with - or . is written Tasks['look-up']",
            ],
            &[
                "expected base_url or zone, found the variable \"up\": only a run that is started with it has it",
            ],
        );
        url(
            "{{ Tasks.last.output.url }}",
            &["\"last\" runs after \"ask\", so its output is not there yet"],
            &[],
        );
        url(
            "{{ Tasks.ask.output.url }}",
            &["the output of \"ask\" itself is there only when it has ended"],
            &[],
        );
        url(
            "{{ Tasks.apart.output.url }}",
            &[],
            &["\"ask\" does not wait for \"apart\", whose output may not be there: add it to depends_on"],
        );
        let (mistakes, warnings) = told(
            json!([]),
            json!({ "url": "https://a", "body": { "description": "{{ Tasks.fetch.output }}" } }),
        );
        assert!(mistakes.is_empty() && warnings.len() == 1, "{warnings:?}");
        assert!(
            warnings[0].starts_with("tasks[1].params.body.description: expected the task"),
            "{warnings:?}"
        );
    }

    #[test]
    fn what_only_a_caller_could_give_is_a_warning() {
        url(
            "{{ Inputs.host }}",
            &[],
            &[
                "expected base_url or zone, found the input \"host\": only a run that is started with it has it",
            ],
        );
        url(
            "https://{{ hsot }}/",
            &[],
            &[
                "expected base_url or zone, found the variable \"hsot\": only a run that is started with it has it",
            ],
        );
        url(
            "{{ Configs.host }}",
            &["expected an input or a secret, found Configs.host: there are no configurations here"],
            &[],
        );
        let anything = json!([{ "type": "webhook" }]);
        assert_eq!(told(anything, json!({ "url": "{{ Inputs.host }}{{ host }}" })), (Vec::new(), Vec::new()));
        let event = json!([{ "type": "event" }]);
        assert_eq!(
            told(event.clone(), json!({ "url": "{{ Inputs.event.url }}{{ event.id }}" })),
            (Vec::new(), Vec::new())
        );
        assert_eq!(told(event, json!({ "url": "{{ Inputs.alert.url }}" })).1.len(), 1);
    }
}
