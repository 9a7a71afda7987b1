//! The catalogue of task types, with the names and parameters from the interface's documentation.

mod types;

use super::MAX_PAGE_SIZE;
use crate::kit::Arguments;
use automation::commands::canonical;
use graphql::{Call, Refusal};
use serde_json::{Map, Value, json};
pub(super) use types::TASKS;

/// A parameter or an output member of a task.
pub(super) struct Parameter {
    pub name: &'static str,
    /// Its JSON Schema type, or `any`. Several types are separated by `|`.
    kind: &'static str,
    pub is_required: bool,
    about: &'static str,
    /// The allowed words, if it is restricted to a list of words.
    pub options: &'static [&'static str],
}

impl Parameter {
    /// The types it may have.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.kind.split('|')
    }
}

/// A task type.
pub(super) struct Task {
    pub name: &'static str,
    pub about: &'static str,
    pub inputs: &'static [Parameter],
    outputs: &'static [Parameter],
}

const fn required(name: &'static str, kind: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind, is_required: true, about, options: &[] }
}

const fn optional(name: &'static str, kind: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind, is_required: false, about, options: &[] }
}

/// Restricts a parameter to these words.
const fn one_of(parameter: Parameter, options: &'static [&'static str]) -> Parameter {
    Parameter { options, ..parameter }
}

/// Handles `workflow_list_taskdefinitions`.
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let params = Arguments(call.arguments).object("params");
    let whole = |name: &str, least: i64, otherwise: i64| match params.whole(name).unwrap_or(otherwise) {
        found if (least..=MAX_PAGE_SIZE).contains(&found) => Ok(usize::try_from(found).unwrap_or_default()),
        found => Err(Refusal::invalid(format!("`{name}` is {found}: expected {least} to {MAX_PAGE_SIZE}"))),
    };
    let (limit, offset) = (whole("limit", 1, MAX_PAGE_SIZE)?, whole("offset", 0, 0)?);
    let part = params.text("name").unwrap_or_default().to_lowercase();
    let fitting = TASKS.iter().filter(|task| task.name.contains(&part));
    let tasks: Vec<Value> = fitting
        .skip(offset)
        .take(limit)
        .map(|task| {
            json!({
                "name": task.name,
                "description": task.about,
                "input_schema": task.input_schema(),
                "output_schema": task.output_schema(),
            })
        })
        .collect();
    Ok(json!({ "tasks": tasks }))
}

/// The task type with that name.
pub(super) fn find(name: &str) -> Option<&'static Task> {
    let name = canonical(name);
    TASKS.iter().find(|task| task.name == name)
}

impl Task {
    /// The parameters as JSON Schema.
    pub(super) fn input_schema(&self) -> Value {
        schema(self.inputs)
    }

    /// The output as JSON Schema.
    pub(super) fn output_schema(&self) -> Value {
        schema(self.outputs)
    }
}

fn schema(parameters: &[Parameter]) -> Value {
    let property = |parameter: &Parameter| {
        let mut described = json!({ "description": parameter.about });
        let kinds: Vec<&str> = parameter.kinds().collect();
        match kinds.as_slice() {
            ["any"] => {}
            [one] => described["type"] = (*one).into(),
            several => described["type"] = several.into(),
        }
        if !parameter.options.is_empty() {
            described["enum"] = parameter.options.into();
        }
        (parameter.name.to_owned(), described)
    };
    let properties: Map<String, Value> = parameters.iter().map(property).collect();
    let required: Vec<&str> =
        parameters.iter().filter(|parameter| parameter.is_required).map(|parameter| parameter.name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

#[cfg(test)]
mod tests {
    use super::{TASKS, find};
    use serde_json::json;

    #[test]
    fn every_task_that_is_offered_is_carried_out() {
        for task in TASKS {
            assert!(automation::kinds::work(task.name).is_some(), "{}", task.name);
        }
    }

    #[test]
    fn tasks_stand_in_the_order_of_their_names() {
        assert!(TASKS.is_sorted_by(|one, other| one.name < other.name));
    }

    #[test]
    fn parameters_are_told_as_a_schema() {
        let schema = find("core.wait").map(super::Task::input_schema);
        let duration = json!({ "type": ["string", "number"], "description": "How long, such as 10m; seconds where it is a number." });
        assert_eq!(
            schema,
            Some(
                json!({ "type": "object", "properties": { "duration": duration }, "required": ["duration"] })
            )
        );
    }
}
