//! The agent and tools that exist in every account without being defined by users.

use super::chat::{SYSTEM, SYSTEM_VARIABLES, built_in_tools};
use graphql::Refusal;
use llm::Tool;
use serde_json::{Value, json};

/// The agent that answers questions; its name is also its id.
const ASSISTANT: &str = "assistant";

/// The built-in agent in the form of `ai_list_agents` (semantics §12).
pub(super) fn agent() -> Value {
    json!({
        "id": ASSISTANT,
        "name": ASSISTANT,
        "aliases": [],
        "description": "Answers questions about an account from its charges, events and documents. It reads only.",
        "config": null,
        "type": "system",
        "status": "enabled",
        "system_prompt": SYSTEM,
        "system_prompt_variables": SYSTEM_VARIABLES,
        "executor_type": "tools",
        "tools": built_in_tools().into_iter().map(|tool| tool.name).collect::<Vec<_>>(),
        "created_at": null,
        "created_by": null,
        "updated_at": null,
        "updated_by": null,
        "overridden": false,
        "extension": null,
    })
}

/// The built-in tools in the form of `ai_list_tools`, sorted by name; the name is also the id.
pub(super) fn shown_tools() -> Vec<Value> {
    let mut tools = built_in_tools();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    let shown = |Tool { name, description, parameters }: Tool| {
        json!({
            "id": name,
            "name": name,
            "description": description,
            "config": null,
            "type": "system",
            "nb_tool_type": "tool",
            "schema": parameters,
            "status": "enabled",
            "executor_type": "system",
            "runbook_action_id": null,
            "created_at": null,
            "created_by": null,
            "updated_at": null,
            "updated_by": null,
            "needs_config": false,
            "is_configured": true,
            "config_schema": null,
        })
    };
    tools.into_iter().map(shown).collect()
}

pub(super) fn is_agent(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case(ASSISTANT)
}

pub(super) fn is_tool(name: &str) -> bool {
    built_in_tools().iter().any(|tool| tool.name.eq_ignore_ascii_case(name.trim()))
}

/// Refuses a new name that a built-in agent or tool already has, because both can be called.
pub(super) fn check_free(noun: &str, name: &str) -> Result<(), Refusal> {
    if !is_agent(name) && !is_tool(name) {
        return Ok(());
    }
    let message =
        format!("the name {name:?} of the {noun} is that of a built-in agent or tool; choose another");
    Err(Refusal::new("constraint-violation", message))
}
