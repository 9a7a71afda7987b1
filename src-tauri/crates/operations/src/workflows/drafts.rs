//! Generates a workflow from a description: a language model writes it, and it is validated like one from a person. Nothing is saved.

use super::{TRIGGER_TYPES, check_definition, task_kinds};
use crate::assistant::chat::{ModelContext, RULES, SingleRequest, ask_once, wrapped};
use crate::kit::in_account::{filled, id, place_of};
use catalogue::Right;
use graphql::{Call, PreTransactionCall, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct GenerateRequest {
    account_id: String,
    agent_id: Option<String>,
    conversation_id: Option<String>,
    message_id: Option<String>,
    query: String,
    session_id: Option<String>,
}

/// Handles `ai_generate_workflow`.
pub(super) fn generate(ahead: &PreTransactionCall<'_>, context: &ModelContext<'_>) -> Result<Value, Refusal> {
    let request = ahead.arguments.get("request").unwrap_or(&Value::Null);
    let wish = GenerateRequest::deserialize(request)
        .map_err(|error| Refusal::invalid(format!("{}(request): {error}", ahead.name)))?;
    let account = ahead.engine.store().snapshot(ahead.caller, |rows| {
        place_of(ahead.caller, rows, Right::Write, &wish.account_id, |place| {
            filled("query", &wish.query)?;
            Ok(place.account)
        })
    })?;
    let session = wish.conversation_id.as_deref().map(|own| id("conversation_id", own)).transpose()?;
    let tasks = task_kinds().join(", ");
    let triggers = TRIGGER_TYPES.join(", ");
    let system = format!(
        "You write workflows of Quarterdeck as JSON and nothing else: an object with `triggers` (a list of {{\"type\": one of {triggers}, \"params\": {{}}}}) and `tasks` (a list of {{\"id\", \"type\", \"depends_on\": [ids], \
         \"params\": {{}}}}). Types of tasks: {tasks}. At least one trigger and one task.\n{RULES}"
    );
    let question = format!("Write the workflow for this wish:\n{}", wrapped("wish", &wish.query));
    let agent = wish.agent_id.as_deref();
    let asked = ask_once(
        context,
        SingleRequest { account, source: "user", session, agent, chosen: None, system, question },
    )?;
    let definition = object(&asked.text).ok_or_else(|| {
        Refusal::new(
            "model-failed",
            "the model's answer is no workflow: ask again, or say more exactly what it should do",
        )
    })?;
    check_definition(&definition).map_err(|refusal| {
        Refusal::new("model-failed", format!("the model's answer cannot be used: {}", refusal.message))
    })?;
    Ok(json!({ "data": {
        "agent_id": wish.agent_id,
        "agent_step_response": [],
        "chain_name": "workflow",
        "conversation_id": wish.conversation_id,
        "message_id": wish.message_id,
        "query": wish.query,
        "response": [serde_json::to_string_pretty(&definition).unwrap_or_default()],
        "session_id": wish.session_id,
        "status": "COMPLETED",
    } }))
}

/// Refuses the field inside a request: it is handled before the transaction, and requests made by a model cannot use it.
pub(super) fn refuse_inside_request(_: &Call<'_>) -> Result<Value, Refusal> {
    Err(Refusal::new(
        "not-supported",
        "a workflow is not written inside another request: ask for it by itself",
    ))
}

/// Extracts the JSON object from a text, with or without a code fence around it.
fn object(text: &str) -> Option<Value> {
    let from = text.find('{')?;
    let until = text.rfind('}')?;
    let value: Value = serde_json::from_str(text.get(from..=until)?).ok()?;
    value.is_object().then_some(value)
}
