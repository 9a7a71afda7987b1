//! Language models: which there are, and what is missing before one can be asked.

use crate::assistant::place::{argument, data, filled, id, within};
use catalogue::Right;
use graphql::{Call, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};

/// Settings without which no model can be asked (semantics §15).
pub(super) const MISSING: [&str; 2] = ["LLM_PROVIDER", "LLM_MODEL_NAME"];

/// Why nothing can be asked of a language model.
pub(super) fn not_set_up() -> Refusal {
    let message = format!(
        "no language model is set up, so nothing was generated: the settings {} are missing, and this release of \
         Quarterdeck has no providers yet that would use them",
        MISSING.join(" and ")
    );
    Refusal::new("not-configured", message)
}

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

/// Models to choose from.
pub(super) fn list(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: InAccount = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |_| {
        Ok(data(json!({
            "models": [],
            "default": { "provider": null, "model": null },
            "image_support": { "enabled": false, "max_per_message": 0, "max_size_mb": 0, "allowed_mime_types": [] },
            "missing_settings": MISSING,
        })))
    })
}

#[derive(Deserialize)]
struct OfConversation {
    account_id: String,
    conversation_id: Option<String>,
}

/// The model a conversation is held with.
pub(super) fn config(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: OfConversation = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let mut config = json!({
            "default": { "provider": null, "model": null },
            "is_custom": false,
            "missing_settings": MISSING,
        });
        if let Some(conversation) = &request.conversation_id {
            let conversation = id("conversation_id", conversation)?;
            let conversation = super::conversations::own(place, conversation)?;
            for (key, column) in [("provider", "llm_provider"), ("model", "llm_model")] {
                let known = conversation.get(column).filter(|value| !value.is_null());
                if let Some(value) = known {
                    config[key] = value.clone();
                    config["is_custom"] = true.into();
                }
            }
        }
        Ok(data(config))
    })
}

#[derive(Deserialize)]
struct Wish {
    account_id: String,
    query: String,
}

/// A workflow from a description: nothing stored could answer it.
pub(super) fn generate_workflow(call: &Call<'_>) -> Result<Value, Refusal> {
    let request: Wish = argument(call, "request")?;
    within(call, Right::Write, &request.account_id, |_| {
        filled("query", &request.query)?;
        Err(not_set_up())
    })
}
