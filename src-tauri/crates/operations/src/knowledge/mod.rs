//! Knowledge of the assistant: documents of an account, and the global contexts included in every question.
//!
//! Documents are stored unchanged, can be read whole, and are cut into passages ([`passages`]). A
//! search finds passages by words, and by meaning if an embedding model is set up ([`search`]).

pub(crate) mod content;
pub(crate) mod document_store;
mod passage_store;
mod passages;
mod pdf;
pub(crate) mod search;

pub(crate) use content::of_file;
pub(crate) use passage_store::{process_next, replace_passages};

use crate::Function;
use crate::kit::{reply, typed};

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("ai_list_kb", |call| reply(&document_store::KNOWLEDGE_BASES.list(call)?)),
    ("ai_create_kb", |call| reply(&document_store::KNOWLEDGE_BASES.create(call)?)),
    ("ai_update_kb", |call| reply(&document_store::KNOWLEDGE_BASES.update(call)?)),
    ("ai_list_gc", |call| reply(&document_store::GLOBAL_CONTEXTS.list(call)?)),
    ("ai_get_gc", |call| reply(&document_store::GLOBAL_CONTEXTS.get(call)?)),
    ("ai_create_gc", |call| reply(&document_store::GLOBAL_CONTEXTS.create(call)?)),
    ("ai_update_gc", |call| reply(&document_store::GLOBAL_CONTEXTS.update(call)?)),
    ("ai_delete_gc", |call| reply(&document_store::GLOBAL_CONTEXTS.delete(call)?)),
    ("ai_search_kb", typed!(search::find)),
];
