//! Available language models, and the settings that are missing to use one.

use crate::kit::in_account::{argument, data, id, within};
use crate::kit::reply;
use catalogue::{Caller, Right};
use graphql::{Call, Refusal};
use llm::{Choice, ProviderKind, Providers, Purpose, Tier};
use serde::Deserialize;
use serde_json::{Value, json};
use store::Transaction;

/// Settings that are required to use a model (semantics §15).
pub(super) const MISSING: [&str; 2] = ["LLM_PROVIDER", "LLM_MODEL_NAME"];

#[derive(Deserialize)]
struct InAccount {
    account_id: String,
}

/// Lists the models to choose from and the default one. The models are the same for all accounts of the service.
pub(super) fn list(call: &Call<'_>, providers: &Providers) -> Result<Value, Refusal> {
    let request: InAccount = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let choices = chat_choices(&place.rows, providers)?;
        let models: Vec<Value> = choices
            .iter()
            .enumerate()
            .map(|(at, choice)| {
                json!({
                    "provider": choice.entry.id,
                    "provider_name": choice.entry.name,
                    "kind": choice.entry.kind.map(ProviderKind::name),
                    "model": choice.model,
                    "is_default": at == 0,
                })
            })
            .collect();
        let mut data = with_default(&choices);
        data["models"] = models.into();
        data["image_support"] =
            json!({ "enabled": false, "max_per_message": 0, "max_size_mb": 0, "allowed_mime_types": [] });
        reply(&self::data(data))
    })
}

/// All models that can hold a conversation: the main ones first, then the small ones.
pub(crate) fn chat_choices(rows: &Transaction<'_>, providers: &Providers) -> Result<Vec<Choice>, Refusal> {
    let system = Caller::system();
    let setup = providers.setup_in(&rows.as_caller(&system))?;
    let of = |tier| setup.choices(&Purpose::Chat { tier, agent: None });
    let mut choices = of(Tier::Reasoning);
    for choice in of(Tier::Retrieval).into_iter().chain(of(Tier::Summary)) {
        if !choices.iter().any(|known| known.entry.id == choice.entry.id && known.model == choice.model) {
            choices.push(choice);
        }
    }
    Ok(choices)
}

/// The default model, or the missing settings if there is none.
fn with_default(choices: &[Choice]) -> Value {
    match choices.first() {
        Some(choice) => json!({ "default": { "provider": choice.entry.id, "model": choice.model } }),
        None => json!({ "default": { "provider": null, "model": null }, "missing_settings": MISSING }),
    }
}

#[derive(Deserialize)]
struct OfConversation {
    account_id: String,
    conversation_id: Option<String>,
}

/// The model of a conversation.
pub(super) fn config(call: &Call<'_>, providers: &Providers) -> Result<Value, Refusal> {
    let request: OfConversation = argument(call, "request")?;
    within(call, Right::Read, &request.account_id, |place| {
        let mut config = with_default(&chat_choices(&place.rows, providers)?);
        config["is_custom"] = false.into();
        if let Some(conversation) = &request.conversation_id {
            let conversation = id("conversation_id", conversation)?;
            let conversation = super::conversations::find_own(place, conversation)?;
            for (key, column) in [("provider", "llm_provider"), ("model", "llm_model")] {
                let known = conversation.get(column).filter(|value| !value.is_null());
                if let Some(value) = known {
                    config[key] = value.clone();
                    config["is_custom"] = true.into();
                }
            }
        }
        reply(&data(config))
    })
}

#[cfg(test)]
mod tests {
    use crate::assistant::tests::{TestService, admin, reader};
    use serde_json::json;
    use std::sync::Arc;

    fn service() -> TestService {
        let given = [
            ("LLM_PROVIDER", "ollama"),
            ("LLM_MODEL_NAME", "large"),
            ("LLM_MODEL_FALLBACKS", "middle"),
            ("LLM_TIER_MODEL_NAME_SUMMARY", "small"),
        ];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        TestService::with_environment(&llm::EnvironmentValues::from(given), Arc::new(crate::NoModels))
    }

    #[test]
    fn models_that_are_set_up_are_listed_the_usual_one_first() {
        let query = r#"{ ai_list_models(request: {account_id: "$SHOP"}) { data } }"#;
        for caller in [admin(), reader()] {
            let listed = service().data(&caller, query)["data"].clone();
            let names: Vec<_> =
                listed["models"].as_array().unwrap().iter().map(|model| &model["model"]).collect();
            assert_eq!(names, [&json!("large"), &json!("middle"), &json!("small")], "{listed}");
            assert_eq!(listed["default"]["model"], "large");
            assert_eq!(listed["models"][0]["is_default"], true);
            assert!(listed.get("missing_settings").is_none(), "{listed}");
        }
    }

    #[test]
    fn a_conversation_has_the_usual_model_unless_one_was_chosen() {
        let query = r#"{ ai_get_model_config(request: {account_id: "$SHOP"}) { data } }"#;
        let config = service().data(&admin(), query)["data"].clone();
        assert_eq!((&config["default"]["model"], &config["is_custom"]), (&json!("large"), &json!(false)));
    }
}
