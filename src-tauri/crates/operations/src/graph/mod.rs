//! The graph of the tenant's things: by what it can be narrowed, and the graph itself.
//!
//! What is told is of level `Tenant` and active (semantics §13). Rows are the caller's own: things of accounts they may not
//! read are not there.

mod filter;
mod neighbours;
mod node;
mod options;
mod outage;
mod path;
mod search;
mod walk;

pub(crate) use outage::{TouchedThing, outage};

use crate::Function;
use crate::kit::typed;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("kg_get_filter_options", typed!(options::list)),
    ("kg_get_filter_values", typed!(options::values)),
    ("kg_get_complete_graph", typed!(neighbours::graph)),
    ("kg_list_nodes", typed!(search::nodes)),
    ("kg_list_path", typed!(path::traverse)),
];
