//! The assistant: its agents and tools, conversations, and cost limits.
//!
//! Stored data is read from the store. Answers that need a language model are requested from one ([`chat`]) through [`crate::model_access`],
//! which the server implements. Without a model, such a request is refused with the missing settings; this module never invents an answer.

mod agents;
mod budget;
mod builtin;
pub(crate) mod chat;
mod conversations;
mod extensions;
mod feedback;
mod functions;
mod knowledge_links;
mod limits;
mod memory;
mod models;
mod prices;
pub(crate) mod root_cause;
#[cfg(test)]
pub(crate) mod tests;
mod tools;
mod transcript;
mod usage;
mod usage_report;

pub use chat::{
    ChatProgress, ModelAsk, ModelCall, ModelContext, Question, Reference, SendPreview, ask_model, converse,
    preview,
};
pub use conversations::model_choice;
pub(crate) use models::chat_choices;

use crate::kit::typed;
use crate::knowledge::search;
use crate::{AheadFunction, Function, ModelFunction};

/// Fields that are handled before the request's snapshot or transaction, because they may call a model.
pub(crate) const PRE_TRANSACTION_FIELDS: &[(&str, AheadFunction)] = &[
    ("ai_get_rca", root_cause::analyse),
    ("ai_get_recommendation", root_cause::advise),
    ("ai_followup_response", conversations::ask),
    ("ai_search_kb", |ahead, context| search::find_pre_transaction(ahead, context.models)),
];

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("ai_list_agents", typed!(agents::list)),
    ("ai_create_agent", typed!(agents::create)),
    ("ai_update_agent", typed!(agents::update)),
    ("ai_delete_agent", typed!(agents::delete)),
    ("ai_create_agent_extension", typed!(extensions::create)),
    ("ai_update_agent_extension", typed!(extensions::update)),
    ("ai_list_tools", typed!(tools::list)),
    ("ai_create_tool", typed!(tools::create)),
    ("ai_update_tool", typed!(tools::update)),
    ("ai_delete_tool", typed!(tools::delete)),
    ("ai_create_function", typed!(functions::create)),
    ("ai_update_function", typed!(functions::update)),
    ("ai_delete_function", typed!(functions::delete)),
    ("ai_get_rca", root_cause::refuse_inside_request),
    ("ai_get_recommendation", root_cause::refuse_inside_request),
    ("ai_list_memory", typed!(memory::list)),
    ("ai_list_references", typed!(memory::list_references)),
    ("ai_get_conversation_v3", typed!(transcript::read)),
    ("ai_followup_response", conversations::refuse_inside_request),
    ("ai_list_conversations", typed!(chat::list_conversations)),
    ("ai_list_sent", typed!(chat::list_sent)),
    ("ai_save_conversation", typed!(conversations::save)),
    ("ai_delete_saved_conversation", typed!(conversations::unsave)),
    ("ai_delete_llm_conversation_by_id", typed!(conversations::delete)),
    ("ai_stop_investigation", typed!(conversations::stop)),
    ("ai_get_conversation_usage_metrics", usage::of_conversation),
    ("ai_feedback_create", typed!(feedback::create)),
    ("ai_budget_status", typed!(budget::status)),
    ("ai_get_budget_system_defaults", typed!(budget::defaults)),
    ("ai_list_budget_config", typed!(budget::list)),
    ("ai_upsert_budget_config", typed!(budget::set)),
    ("ai_delete_budget_config", typed!(budget::delete)),
    ("ai_list_prices", typed!(prices::list)),
    ("ai_upsert_price", typed!(prices::set)),
    ("ai_delete_price", typed!(prices::delete)),
    ("ai_list_usage", typed!(usage_report::list)),
    ("ai_preview_replacement", typed!(chat::preview_replaced)),
    ("ai_get_kb", typed!(knowledge_links::get_kb)),
    ("ai_delete_kb", typed!(knowledge_links::delete_kb)),
    ("ai_list_agent_kbs", typed!(knowledge_links::list_agent_kbs)),
    ("ai_list_agents_with_kb_counts", typed!(knowledge_links::list_counts)),
    ("ai_list_kb_agents", typed!(knowledge_links::list_kb_agents)),
    ("ai_list_kb_agent_mappings", typed!(knowledge_links::list_mappings)),
    ("ai_map_kb_to_agent", typed!(knowledge_links::map)),
    ("ai_unmap_kb_from_agent", typed!(knowledge_links::unmap)),
    ("ai_create_rag", typed!(knowledge_links::create_rag)),
    ("ai_list_replaced_names", typed!(chat::list_replaced)),
];

/// Fields about language models, which receive the providers.
pub(crate) const MODEL_FIELDS: &[(&str, ModelFunction)] =
    &[("ai_list_models", models::list), ("ai_get_model_config", models::config)];
