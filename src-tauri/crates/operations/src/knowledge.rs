//! What the assistant knows: documents of an account, what it is told with every question, and who may use what.
//!
//! Documents are stored as they come, can be read whole, and are cut into passages ([`passages`]) that a search finds by words,
//! and by meaning where a model of embeddings is set up ([`search`]).

mod content;
mod keep;
mod links;
mod passages;
mod pdf;
pub(crate) mod search;
mod shelf;

pub(crate) use content::of_file;
pub(crate) use keep::{renew, step};
pub(crate) use links::keep_for_agent;

use crate::Function;
use crate::kit::{reply, typed};

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("ai_list_kb", |call| reply(&shelf::KNOWLEDGE_BASES.list(call)?)),
    ("ai_get_kb", typed!(links::get_kb)),
    ("ai_create_kb", |call| reply(&shelf::KNOWLEDGE_BASES.create(call)?)),
    ("ai_update_kb", |call| reply(&shelf::KNOWLEDGE_BASES.update(call)?)),
    ("ai_delete_kb", typed!(links::delete_kb)),
    ("ai_list_gc", |call| reply(&shelf::GLOBAL_CONTEXTS.list(call)?)),
    ("ai_get_gc", |call| reply(&shelf::GLOBAL_CONTEXTS.get(call)?)),
    ("ai_create_gc", |call| reply(&shelf::GLOBAL_CONTEXTS.create(call)?)),
    ("ai_update_gc", |call| reply(&shelf::GLOBAL_CONTEXTS.update(call)?)),
    ("ai_delete_gc", |call| reply(&shelf::GLOBAL_CONTEXTS.delete(call)?)),
    ("ai_list_agent_kbs", typed!(links::list_agent_kbs)),
    ("ai_list_agents_with_kb_counts", typed!(links::list_counts)),
    ("ai_list_kb_agents", typed!(links::list_kb_agents)),
    ("ai_search_kb", typed!(search::find)),
    ("ai_list_kb_agent_mappings", typed!(links::list_mappings)),
    ("ai_map_kb_to_agent", typed!(links::map)),
    ("ai_unmap_kb_from_agent", typed!(links::unmap)),
    ("ai_create_rag", typed!(links::create_rag)),
];
