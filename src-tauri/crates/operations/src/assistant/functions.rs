//! Named prompts with variables.

use crate::kit::in_account::{
    DataOnly, Object, Place, Removal, argument, filled, id, one_of_words, optional_json, within,
};
use crate::kit::names::check_name;
use catalogue::{Right, ValueRef};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::eq;
use uuid::Uuid;

const TABLE: &str = "llm_function";
const COLUMNS: [&str; 14] = [
    "id",
    "tenant_id",
    "account_id",
    "name",
    "description",
    "prompt",
    "status",
    "variables",
    "variable_defaults",
    "version",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
];
const STATUSES: [&str; 3] = ["enabled", "disabled", "draft"];

#[derive(Deserialize)]
struct FunctionRequest {
    name: String,
    description: String,
    prompt: String,
    status: Option<String>,
    variables: Option<Vec<Option<String>>>,
    variable_defaults: Option<Value>,
    version: Option<i64>,
}

impl FunctionRequest {
    /// The variables, and the defaults as JSON text. Values that are not given are taken from `known`.
    ///
    /// # Errors
    /// A default has no variable.
    fn variables(&self, known: &Object) -> Result<(Value, Option<String>), Refusal> {
        let stored = |column: &str| known.get(column).filter(|value| !value.is_null()).cloned();
        let variables: Vec<Value> = match (&self.variables, stored("variables")) {
            (Some(given), _) => given.iter().flatten().map(|name| name.as_str().into()).collect(),
            (None, Some(Value::Array(stored))) => stored,
            (None, _) => Vec::new(),
        };
        let given = self.variable_defaults.clone().filter(|value| !value.is_null());
        let defaults = given.or_else(|| stored("variable_defaults"));
        match &defaults {
            None => {}
            Some(Value::Object(values)) => {
                let unknown =
                    values.keys().find(|name| !variables.iter().any(|known| known == name.as_str()));
                if let Some(name) = unknown {
                    let message = format!("variable_defaults has {name:?}, which is not among the variables");
                    return Err(Refusal::invalid(message));
                }
            }
            Some(other) => {
                let message =
                    format!("variable_defaults is {other}: expected an object of values by variable");
                return Err(Refusal::invalid(message));
            }
        }
        Ok((variables.into(), optional_json(defaults.as_ref())))
    }

    fn check(&self) -> Result<(), Refusal> {
        filled("description", &self.description)?;
        filled("prompt", &self.prompt)?;
        if let Some(version) = self.version.filter(|version| *version < 1) {
            return Err(Refusal::invalid(format!("version is {version}: expected 1 or more")));
        }
        Ok(())
    }
}

/// A function that was created.
#[derive(Serialize)]
pub(super) struct NewFunction {
    success: bool,
    message: &'static str,
    function: Object,
}

pub(super) fn create(call: &Call<'_>) -> Result<DataOnly<NewFunction>, Refusal> {
    let account: String = argument(call, "account_id")?;
    let given: FunctionRequest = argument(call, "function")?;
    within(call, Right::Write, &account, |place| {
        given.check()?;
        let name = check_name("function", &given.name)?;
        place.check_free(TABLE, "function", name, None)?;
        let status = one_of_words("status", given.status.as_deref().unwrap_or("enabled"), &STATUSES)?;
        let own = Uuid::new_v4();
        let (variables, defaults) = given.variables(&Object::new())?;
        let variables = variables.to_string();
        place.rows.insert(
            TABLE,
            &[
                ("id", own.into()),
                ("account_id", place.account.into()),
                ("name", name.into()),
                ("description", given.description.as_str().into()),
                ("prompt", given.prompt.as_str().into()),
                ("status", status.into()),
                ("variables", ValueRef::Json(&variables)),
                ("variable_defaults", defaults.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
                ("version", given.version.unwrap_or(1).into()),
                ("created_by", place.person.into()),
                ("updated_by", place.person.into()),
            ],
        )?;
        let function = read(place, own)?;
        Ok(DataOnly { data: NewFunction { success: true, message: "created", function } })
    })
}

pub(super) fn update(call: &Call<'_>) -> Result<DataOnly<Object>, Refusal> {
    let account: String = argument(call, "account_id")?;
    let own: String = argument(call, "function_id")?;
    let given: FunctionRequest = argument(call, "function")?;
    within(call, Right::Write, &account, |place| {
        let own = id("function_id", &own)?;
        let known = read(place, own)?;
        given.check()?;
        let name = check_name("function", &given.name)?;
        place.check_free(TABLE, "function", name, Some(own))?;
        let before = known.get("version").and_then(Value::as_i64).unwrap_or_default();
        let (variables, defaults) = given.variables(&known)?;
        let variables = variables.to_string();
        let mut set: Vec<(&str, ValueRef<'_>)> = vec![
            ("name", name.into()),
            ("description", given.description.as_str().into()),
            ("prompt", given.prompt.as_str().into()),
            ("variables", ValueRef::Json(&variables)),
            ("variable_defaults", defaults.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ("version", given.version.unwrap_or(before + 1).into()),
            ("updated_by", place.person.into()),
            ("updated_at", ValueRef::Timestamp(place.now)),
        ];
        if let Some(status) = &given.status {
            set.push(("status", one_of_words("status", status, &STATUSES)?.into()));
        }
        place.rows.update(TABLE, &[eq("id", own)], &set)?;
        Ok(DataOnly { data: read(place, own)? })
    })
}

#[derive(Deserialize)]
struct Delete {
    account_id: String,
    function_id: String,
}

pub(super) fn delete(call: &Call<'_>) -> Result<DataOnly<Removal>, Refusal> {
    let request: Delete = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let own = id("function_id", &request.function_id)?;
        read(place, own)?;
        place.rows.delete(TABLE, &[eq("id", own)])?;
        Ok(DataOnly { data: Removal { id: own, success: true } })
    })
}

fn read(place: &Place<'_>, id: Uuid) -> Result<Object, Refusal> {
    place.object(TABLE, &COLUMNS, "function", id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(mut function: Value) -> FunctionRequest {
        for (key, value) in [("name", "explain"), ("description", "d")] {
            function[key] = value.into();
        }
        serde_json::from_value(function).unwrap()
    }

    #[test]
    fn a_default_of_no_variable_is_refused() {
        let function = given(json!({
            "prompt": "Explain {service}", "variables": ["service"], "variable_defaults": { "team": "sea" },
        }));
        let message = function.variables(&Object::new()).unwrap_err().message;
        assert_eq!(message, "variable_defaults has \"team\", which is not among the variables");
    }

    #[test]
    fn variables_that_are_not_given_stay() {
        let known = json!({ "variables": ["service"], "variable_defaults": null });
        let function = given(json!({ "prompt": "p", "variable_defaults": { "service": "web" } }));
        let (variables, defaults) = function.variables(known.as_object().unwrap()).unwrap();
        assert_eq!((variables, defaults), (json!(["service"]), Some(r#"{"service":"web"}"#.to_owned())));
    }

    #[test]
    fn a_function_without_a_prompt_is_refused() {
        let message = given(json!({ "prompt": "  " })).check().unwrap_err().message;
        assert_eq!(message, "prompt is empty: expected a text");
    }
}
