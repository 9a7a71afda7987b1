//! The tools of agents: built-in ones, and those that users define.

use crate::assistant::{agents, builtin};
use crate::kit::in_account::{
    Data, Object, Place, argument, data, filled, id, one_of_words, optional_json, sort_by_text, within,
};
use crate::kit::names::check_name;
use catalogue::{Right, ValueRef};
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::Value;
use store::eq;
use uuid::Uuid;

const TABLE: &str = "llm_tool";
const COLUMNS: [&str; 12] = [
    "id",
    "name",
    "description",
    "config",
    "executor_type",
    "runbook_action_id",
    "schema",
    "status",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
];
const STATUSES: [&str; 4] = ["enabled", "disabled", "draft", "error"];
/// The executors of user-defined tools; built-in tools have `system`.
const EXECUTORS: [&str; 3] = ["runbook", "mcp", "container"];

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

/// Lists built-in tools, then those of the account, then enabled agents, each by name: agents can call each other as tools (semantics §12).
pub(super) fn list(call: &Call<'_>) -> Result<Data<Vec<Value>>, Refusal> {
    let request: InAccount = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let mut tools = place.objects(TABLE, &COLUMNS, &[])?;
        sort_by_text(&mut tools, "name");
        let columns =
            ["id", "name", "description", "config", "status", "created_at", "created_by", "updated_at"];
        let mut agents = place.objects(agents::TABLE, &columns, &[eq("status", "enabled")])?;
        sort_by_text(&mut agents, "name");
        let mut all = builtin::shown_tools();
        all.extend(tools.into_iter().map(|tool| shown(tool, "tool")));
        all.extend(agents.into_iter().map(|agent| shown(agent, "agent")));
        Ok(data(all))
    })
}

/// A tool in the form of the response. No tool declares settings, therefore each counts as configured.
fn shown(mut tool: Object, kind: &str) -> Value {
    tool.insert("type".to_owned(), "custom".into());
    tool.insert("nb_tool_type".to_owned(), kind.into());
    tool.insert("needs_config".to_owned(), false.into());
    tool.insert("is_configured".to_owned(), true.into());
    tool.insert("config_schema".to_owned(), Value::Null);
    for column in ["schema", "executor_type", "runbook_action_id"] {
        tool.entry(column).or_insert(Value::Null);
    }
    tool.into()
}

#[derive(Deserialize)]
struct Request {
    account_id: String,
    tool: ToolDescription,
}

#[derive(Deserialize)]
struct ToolDescription {
    id: Option<String>,
    name: String,
    description: Option<String>,
    executor_type: Option<String>,
    runbook_action_id: Option<String>,
    config: Option<Value>,
    schema: Option<Value>,
    status: Option<String>,
}

pub(super) fn create(call: &Call<'_>) -> Result<Data<Value>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let tool = &request.tool;
        let name = check_name("tool", &tool.name)?;
        builtin::check_free("tool", name)?;
        place.check_free(TABLE, "tool", name, None)?;
        let executor =
            one_of_words("executor_type", tool.executor_type.as_deref().unwrap_or("runbook"), &EXECUTORS)?;
        check_runbook(executor, tool.runbook_action_id.as_deref())?;
        let description = filled("description", tool.description.as_deref().unwrap_or_default())?;
        let id = Uuid::new_v4();
        let (config, schema) = (optional_json(tool.config.as_ref()), optional_json(tool.schema.as_ref()));
        place.rows.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("account_id", place.account.into()),
                ("name", name.into()),
                ("description", description.into()),
                ("executor_type", executor.into()),
                ("runbook_action_id", tool.runbook_action_id.as_deref().into()),
                ("config", config.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
                ("schema", schema.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
                ("created_by", place.person.into()),
                ("updated_by", place.person.into()),
            ],
        )?;
        answer(place, id)
    })
}

pub(super) fn update(call: &Call<'_>) -> Result<Data<Value>, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let tool = &request.tool;
        let own = id("tool.id", tool.id.as_deref().unwrap_or_default())?;
        let known = place.object(TABLE, &COLUMNS, "tool", own)?;
        let name = check_name("tool", &tool.name)?;
        place.check_free(TABLE, "tool", name, Some(own))?;
        let known_text = |column: &str| known.get(column).and_then(Value::as_str).map(str::to_owned);
        if known_text("name").is_some_and(|before| !before.eq_ignore_ascii_case(name)) {
            builtin::check_free("tool", name)?;
            check_unused(place, &known_text("name").unwrap_or_default(), "renamed")?;
        }
        let executor = tool.executor_type.clone().or_else(|| known_text("executor_type")).unwrap_or_default();
        let runbook = tool.runbook_action_id.clone().or_else(|| known_text("runbook_action_id"));
        let executor = one_of_words("executor_type", &executor, &EXECUTORS)?;
        check_runbook(executor, runbook.as_deref())?;
        let (config, schema) = (optional_json(tool.config.as_ref()), optional_json(tool.schema.as_ref()));
        let mut set: Vec<(&str, ValueRef<'_>)> = vec![
            ("name", name.into()),
            ("executor_type", executor.into()),
            ("runbook_action_id", runbook.as_deref().into()),
            ("updated_by", place.person.into()),
            ("updated_at", ValueRef::Timestamp(place.now)),
        ];
        if let Some(description) = &tool.description {
            set.push(("description", filled("description", description)?.into()));
        }
        if let Some(status) = &tool.status {
            set.push(("status", one_of_words("status", status, &STATUSES)?.into()));
        }
        for (column, json) in [("config", &config), ("schema", &schema)] {
            set.extend(json.as_deref().map(|json| (column, ValueRef::Json(json))));
        }
        place.rows.update(TABLE, &[eq("id", own)], &set)?;
        answer(place, own)
    })
}

#[derive(Deserialize)]
struct Delete {
    account_id: String,
    name: String,
}

pub(super) fn delete(call: &Call<'_>) -> Result<Data<Object>, Refusal> {
    let request: Delete = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let name = request.name.trim();
        let found = place.objects(TABLE, &["id", "name"], &[eq("name", name)])?.pop();
        let Some(found) = found else {
            if builtin::is_tool(name) {
                return Err(Refusal::invalid(format!("the tool {name:?} is built in: it cannot be removed")));
            }
            let message =
                format!("there is no tool {name:?} in account {}; ai_list_tools has them", place.account);
            return Err(Refusal::not_found(message));
        };
        check_unused(place, name, "removed")?;
        place.rows.delete(TABLE, &[eq("account_id", place.account), eq("name", name)])?;
        Ok(data(found))
    })
}

fn answer(place: &Place<'_>, id: Uuid) -> Result<Data<Value>, Refusal> {
    Ok(data(shown(place.object(TABLE, &COLUMNS, "tool", id)?, "tool")))
}

/// A tool carried out by a runbook must name the action.
fn check_runbook(executor: &str, action: Option<&str>) -> Result<(), Refusal> {
    if executor == "runbook" && action.is_none_or(|action| action.trim().is_empty()) {
        let message = "runbook_action_id is missing: a tool carried out by a runbook needs the step it takes";
        return Err(Refusal::invalid(message));
    }
    Ok(())
}

/// Refuses changes to a tool in use: agents refer to their tools by name.
fn check_unused(place: &Place<'_>, name: &str, change: &str) -> Result<(), Refusal> {
    let uses = |row: &Object| {
        let tools = row.get("tools").and_then(Value::as_array);
        tools.is_some_and(|tools| tools.iter().any(|tool| same(tool, name)))
    };
    let agents = place.objects(agents::TABLE, &["name", "tools", "id"], &[])?;
    let extended = place.objects("llm_agent_extension", &["agent_id", "tools"], &[])?;
    let by_extension = |agent: &Object| {
        extended.iter().any(|extension| extension.get("agent_id") == agent.get("id") && uses(extension))
    };
    let mut agents: Vec<&str> = agents
        .iter()
        .filter(|agent| uses(agent) || by_extension(agent))
        .filter_map(|agent| agent.get("name")?.as_str())
        .collect();
    if agents.is_empty() {
        return Ok(());
    }
    agents.sort_unstable();
    let agents = agents.join(", ");
    let message =
        format!("tool {name:?} cannot be {change} while agents use it: {agents}; take it from them first");
    Err(Refusal::conflict(message))
}

fn same(tool: &Value, name: &str) -> bool {
    tool.as_str().is_some_and(|tool| tool.eq_ignore_ascii_case(name))
}
