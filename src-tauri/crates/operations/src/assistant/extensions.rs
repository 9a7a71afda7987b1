//! Additions of an account to an agent: more instructions and tools.

use crate::assistant::agents::{self, agent_named};
use crate::kit::in_account::{Object, Place, argument, decoded_list, list_text, within};
use catalogue::{Right, ValueRef};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use store::eq;

const TABLE: &str = "llm_agent_extension";
const COLUMNS: [&str; 7] =
    ["agent_id", "prompt", "tools", "created_at", "created_by", "updated_at", "updated_by"];

/// The additions to the agents of an account, by agent id.
pub(super) fn by_agent(place: &Place<'_>) -> Result<HashMap<String, Object>, Refusal> {
    let rows = place.objects(TABLE, &COLUMNS, &[])?;
    let keyed = |row: Object| Some((row.get("agent_id")?.as_str()?.to_owned(), row));
    Ok(rows.into_iter().filter_map(keyed).collect())
}

#[derive(Deserialize)]
struct Request {
    account_id: String,
    agent: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    agent_name: String,
    prompt: Option<String>,
    #[serde(default, deserialize_with = "decoded_list")]
    tools: Vec<String>,
}

pub(super) fn create(call: &Call<'_>) -> Result<ExtensionAnswer, Refusal> {
    write(call, |place, details| {
        let agent = agent_named(place, &details.agent_name)?;
        if !place.objects(TABLE, &["agent_id"], &[eq("agent_id", agent)])?.is_empty() {
            let message = format!(
                "agent {:?} is extended already; ai_update_agent_extension changes it",
                details.agent_name
            );
            return Err(Refusal::new("constraint-violation", message));
        }
        if details.prompt.is_none() && details.tools.is_empty() {
            return Err(Refusal::invalid("nothing is added: expected a prompt, tools or both"));
        }
        let tools = list_text(&details.tools);
        place.rows.insert(
            TABLE,
            &[
                ("agent_id", agent.into()),
                ("account_id", place.account.into()),
                ("prompt", details.prompt.as_deref().into()),
                ("tools", ValueRef::Json(&tools)),
                ("created_by", place.person.into()),
                ("updated_by", place.person.into()),
            ],
        )?;
        Ok(agent.to_string())
    })
}

pub(super) fn update(call: &Call<'_>) -> Result<ExtensionAnswer, Refusal> {
    let has_tools = call.arguments.get("request").is_some_and(|request| request["agent"]["tools"].is_array());
    write(call, |place, details| {
        let agent = agent_named(place, &details.agent_name)?;
        let tools = list_text(&details.tools);
        let mut set: Vec<(&str, ValueRef<'_>)> =
            vec![("updated_by", place.person.into()), ("updated_at", ValueRef::Timestamp(place.now))];
        set.extend(details.prompt.as_deref().map(|prompt| ("prompt", prompt.into())));
        set.extend(has_tools.then_some(("tools", ValueRef::Json(&tools))));
        if place.rows.update(TABLE, &[eq("agent_id", agent)], &set)? == 0 {
            let message =
                format!("agent {:?} is not extended; ai_create_agent_extension does it", details.agent_name);
            return Err(Refusal::not_found(message));
        }
        Ok(agent.to_string())
    })
}

/// The response with the extension of an agent.
#[derive(Serialize)]
pub(super) struct ExtensionAnswer {
    data: Option<Object>,
    err: [(); 0],
}

/// Runs `work`, which returns the id of the agent it extended, and responds with the extension.
fn write(
    call: &Call<'_>,
    work: impl FnOnce(&Place<'_>, &Details) -> Result<String, Refusal>,
) -> Result<ExtensionAnswer, Refusal> {
    let request: Request = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |place| {
        let details =
            request.agent.ok_or_else(|| Refusal::invalid("agent is missing: expected agent_name"))?;
        agents::check_tools(place, &details.tools)?;
        let agent = work(place, &details)?;
        Ok(ExtensionAnswer { data: by_agent(place)?.remove(&agent), err: [] })
    })
}
