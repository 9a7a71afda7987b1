//! Agents: the built-in assistant, and specialised agents that users define.

use super::knowledge_links;
use crate::assistant::builtin;
use crate::kit::in_account::{
    Data, Object, Place, argument, data, decoded_list, filled, list_text, one_of_words, optional_json,
    sort_by_text, within,
};
use crate::kit::names::check_name;
use catalogue::{Right, ValueRef};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::eq;
use uuid::Uuid;

pub(super) const TABLE: &str = "llm_agent";
const COLUMNS: [&str; 13] = [
    "id",
    "name",
    "description",
    "config",
    "status",
    "executor_type",
    "system_prompt",
    "system_prompt_variables",
    "tools",
    "created_at",
    "created_by",
    "updated_at",
    "updated_by",
];
const STATUSES: [&str; 3] = ["enabled", "disabled", "draft"];

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

/// Lists the built-in agent, then those of the account by name.
pub(super) fn list(call: &Call<'_>) -> Result<Data<Vec<Value>>, Refusal> {
    let request: InAccount = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let mut agents = vec![builtin::agent()];
        agents.extend(all(place)?);
        Ok(data(agents))
    })
}

/// The agents of an account, in the form of the response.
fn all(place: &Place<'_>) -> Result<Vec<Value>, Refusal> {
    let mut extensions = super::extensions::by_agent(place)?;
    let mut agents = place.objects(TABLE, &COLUMNS, &[])?;
    sort_by_text(&mut agents, "name");
    Ok(agents
        .into_iter()
        .map(|agent| {
            let extension = agent.get("id").and_then(Value::as_str).and_then(|id| extensions.remove(id));
            shown(agent, extension)
        })
        .collect())
}

/// Adds the response fields to an agent (semantics §12), with the account's additions under `extension`.
fn shown(mut agent: Object, extension: Option<Object>) -> Value {
    agent.insert("aliases".to_owned(), Value::Array(Vec::new()));
    agent.insert("type".to_owned(), "custom".into());
    agent.insert("overridden".to_owned(), false.into());
    agent.insert("extension".to_owned(), extension.into());
    agent.into()
}

fn shown_by_id(place: &Place<'_>, id: Uuid) -> Result<Value, Refusal> {
    let agent = place.object(TABLE, &COLUMNS, "agent", id)?;
    let extension = super::extensions::by_agent(place)?.remove(&id.to_string());
    Ok(shown(agent, extension))
}

/// The id of the agent with that name or id.
pub(crate) fn agent_named(place: &Place<'_>, name: &str) -> Result<Uuid, Refusal> {
    let by_name = place.objects(TABLE, &["id"], &[eq("name", name.trim())])?;
    let by_id = match Uuid::try_parse(name.trim()) {
        Ok(id) => place.objects(TABLE, &["id"], &[eq("id", id)])?,
        Err(_) => Vec::new(),
    };
    let found = by_name.iter().chain(&by_id).find_map(|agent| agent.get("id")?.as_str()?.parse().ok());
    found.ok_or_else(|| {
        if builtin::is_agent(name) {
            return Refusal::invalid(format!("the agent {name:?} is built in: it cannot be changed"));
        }
        Refusal::not_found(format!(
            "there is no agent {name:?} in account {}; ai_list_agents has them",
            place.account
        ))
    })
}

/// Checks that every tool name is a tool or agent of the account, or a built-in tool.
pub(super) fn check_tools(place: &Place<'_>, tools: &[String]) -> Result<(), Refusal> {
    for name in tools {
        let is_tool = place.rows.count("llm_tool", &[eq("account_id", place.account), eq("name", name)])? > 0;
        let is_agent = place.rows.count(TABLE, &[eq("account_id", place.account), eq("name", name)])? > 0;
        if !is_tool && !is_agent && !builtin::is_tool(name) {
            let message = format!("there is no tool {name:?} in this account; ai_list_tools has them");
            return Err(Refusal::invalid(message));
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Create {
    account_id: String,
    agent: New,
    override_agent: Option<bool>,
}

#[derive(Deserialize)]
struct New {
    name: Option<String>,
    description: Option<String>,
    system_prompt: Option<String>,
    config: Option<Value>,
    #[serde(default, deserialize_with = "decoded_list")]
    system_prompt_variables: Vec<String>,
    #[serde(default, deserialize_with = "decoded_list")]
    tools: Vec<String>,
    #[serde(default, deserialize_with = "decoded_list")]
    rags: Vec<Rag>,
}

/// A document submitted together with an agent.
#[derive(Deserialize)]
struct Rag {
    data: Value,
    filename: Option<String>,
    format: Option<String>,
}

pub(super) fn create(call: &Call<'_>) -> Result<Data<Value>, Refusal> {
    let request: Create = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let new = &request.agent;
        let name = check_name("agent", new.name.as_deref().unwrap_or_default())?;
        let prompt = filled("system_prompt", new.system_prompt.as_deref().unwrap_or_default())?;
        if request.override_agent == Some(true) {
            if builtin::is_agent(name) {
                let message = format!(
                    "the built-in agent {name:?} keeps its place; leave out override_agent and choose another name"
                );
                return Err(Refusal::invalid(message));
            }
            let message =
                format!("there is no built-in agent {name:?} to take the place of; leave out override_agent");
            return Err(Refusal::not_found(message));
        }
        builtin::check_free("agent", name)?;
        place.check_free(TABLE, "agent", name, None)?;
        check_tools(place, &new.tools)?;
        let id = Uuid::new_v4();
        let config = optional_json(new.config.as_ref());
        let (variables, tools) = (list_text(&new.system_prompt_variables), list_text(&new.tools));
        place.rows.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("account_id", place.account.into()),
                ("name", name.into()),
                ("description", new.description.as_deref().unwrap_or_default().into()),
                ("config", config.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
                ("system_prompt", prompt.into()),
                ("system_prompt_variables", ValueRef::Json(&variables)),
                ("tools", ValueRef::Json(&tools)),
                ("created_by", place.person.into()),
                ("updated_by", place.person.into()),
            ],
        )?;
        for rag in &new.rags {
            let text = match &rag.data {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            knowledge_links::keep_for_agent(
                place,
                id,
                name,
                &text,
                rag.filename.as_deref(),
                rag.format.as_deref(),
            )?;
        }
        Ok(data(shown_by_id(place, id)?))
    })
}

#[derive(Deserialize)]
struct Update {
    account_id: String,
    agent: AgentChange,
}

#[derive(Deserialize)]
struct AgentChange {
    id: Uuid,
    name: Option<String>,
    description: Option<String>,
    status: Option<String>,
    system_prompt: Option<String>,
    config: Option<Value>,
    system_prompt_variables: Option<Vec<String>>,
    tools: Option<Vec<String>>,
}

pub(super) fn update(call: &Call<'_>) -> Result<Data<Value>, Refusal> {
    let request: Update = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let changed = &request.agent;
        place.object(TABLE, &["id"], "agent", changed.id)?;
        let config = optional_json(changed.config.as_ref());
        let variables = changed.system_prompt_variables.as_deref().map(list_text);
        let tools = changed.tools.as_deref().map(list_text);
        let mut set: Vec<(&str, ValueRef<'_>)> =
            vec![("updated_by", place.person.into()), ("updated_at", ValueRef::Timestamp(place.now))];
        if let Some(name) = &changed.name {
            let name = check_name("agent", name)?;
            builtin::check_free("agent", name)?;
            place.check_free(TABLE, "agent", name, Some(changed.id))?;
            set.push(("name", name.into()));
        }
        if let Some(description) = &changed.description {
            set.push(("description", description.into()));
        }
        if let Some(status) = &changed.status {
            set.push(("status", one_of_words("status", status, &STATUSES)?.into()));
        }
        if let Some(prompt) = &changed.system_prompt {
            set.push(("system_prompt", filled("system_prompt", prompt)?.into()));
        }
        if let Some(names) = &changed.tools {
            check_tools(place, names)?;
        }
        for (column, json) in
            [("config", &config), ("system_prompt_variables", &variables), ("tools", &tools)]
        {
            set.extend(json.as_deref().map(|json| (column, ValueRef::Json(json))));
        }
        place.rows.update(TABLE, &[eq("id", changed.id)], &set)?;
        Ok(data(shown_by_id(place, changed.id)?))
    })
}

#[derive(Deserialize)]
struct Delete {
    account_id: String,
    name: String,
}

/// An agent that was deleted.
#[derive(Serialize)]
pub(super) struct RemovedAgent {
    id: Uuid,
    name: String,
}

pub(super) fn delete(call: &Call<'_>) -> Result<Data<RemovedAgent>, Refusal> {
    let request: Delete = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let id = agent_named(place, &request.name)?;
        // Delete these rows explicitly: a cascading delete would not write them to the audit trail.
        place.rows.delete("llm_agent_extension", &[eq("agent_id", id)])?;
        place.rows.delete("llm_knowledgebase_agent", &[eq("agent_id", id)])?;
        place.rows.delete(TABLE, &[eq("id", id)])?;
        Ok(data(RemovedAgent { id, name: request.name.trim().to_owned() }))
    })
}
