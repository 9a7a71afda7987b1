//! What the assistant is and can do in every account, without anybody having described it.

use super::talk::{SYSTEM, SYSTEM_VARIABLES, built_in_tools};
use graphql::Refusal;
use llm::Tool;
use serde_json::{Value, json};

/// The agent that answers questions; its name is its id.
const ASSISTANT: &str = "assistant";

/// The built-in agent as `ai_list_agents` answers it (semantics §12).
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

/// The built-in tools as `ai_list_tools` answers them, by name; a name is the id.
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

/// Refuses a name for something new that a built-in agent or tool has: both may be called.
pub(super) fn check_free(noun: &str, name: &str) -> Result<(), Refusal> {
    if !is_agent(name) && !is_tool(name) {
        return Ok(());
    }
    let message =
        format!("the name {name:?} of the {noun} is that of a built-in agent or tool; choose another");
    Err(Refusal::new("constraint-violation", message))
}
