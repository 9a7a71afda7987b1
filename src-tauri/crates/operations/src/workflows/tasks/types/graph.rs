//! Tasks that query the knowledge graph before a change.

use super::super::{Task, one_of, optional, required};

pub(super) const BLAST_RADIUS: Task = Task {
    name: "core.blast_radius_preflight",
    about: "Says what an outage of a thing would touch by the knowledge graph of the account, and stops the run where that is too much.",
    inputs: &[
        required("resource_name", "string", "Name of the thing that is to be changed, such as checkout."),
        optional("namespace", "string", "Its namespace; all unless given."),
        one_of(
            optional("risk_threshold", "string", "From which risk on there is too much; high unless given."),
            &["low", "medium", "high", "critical"],
        ),
        one_of(
            optional("on_high_risk", "string", "block: the task fails then. warn: it goes on; unless given."),
            &["warn", "block"],
        ),
    ],
    outputs: &[
        optional(
            "risk_score",
            "integer",
            "0 to 100: 2 for each thing and 10 for each that keeps data or connects others, 50 at most of each sort.",
        ),
        optional("risk_level", "string", "low, medium (from 25), high (from 50) or critical (from 75)."),
        optional("affected_node_count", "integer", "How many things need it, directly or through others."),
        optional(
            "affected_nodes",
            "array",
            "Objects with id, name, kind, namespace and account_id, the closest first, 200 at most.",
        ),
        optional("is_complete", "boolean", "Whether none was left out."),
        optional("is_blocked", "boolean", "Whether it was too much; the task has failed then."),
    ],
};
