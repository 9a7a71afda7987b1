//! Serves the knowledge graph of a tenant: its filter options, searches and the graph itself.
//!
//! Only active nodes of level `Tenant` are returned (semantics §13). Row access applies: nodes of
//! accounts that the caller may not read are missing.

mod filter;
mod neighbours;
mod node;
mod options;
mod outage;
mod path;
mod search;
mod walk;

pub(crate) use outage::{DependentNode, outage};

use crate::Function;
use crate::kit::typed;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("kg_get_filter_options", typed!(options::list)),
    ("kg_get_filter_values", typed!(options::values)),
    ("kg_get_complete_graph", typed!(neighbours::graph)),
    ("kg_list_nodes", typed!(search::nodes)),
    ("kg_list_path", typed!(path::traverse)),
];
