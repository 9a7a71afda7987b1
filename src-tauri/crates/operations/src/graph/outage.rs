//! What an outage of some things would touch, within one account.

use super::node::{Node, for_each, leading, of_ids};
use super::walk::{Direction, Limits, walk};
use graphql::Refusal;
use model::tables::knowledge_graph_node as nodes;
use store::Transaction;
use uuid::Uuid;

/// Steps that are followed, and things that are told.
const LIMITS: Limits = Limits { depth: 12, most: 200 };

/// What would be touched, the closest first.
#[derive(Debug)]
pub(crate) struct Outage {
    pub touched: Vec<TouchedThing>,
    /// Nothing was left out.
    pub is_whole: bool,
}

/// A thing that needs what fails, directly or through others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TouchedThing {
    pub id: Uuid,
    pub name: String,
    pub kind: String,
    pub namespace: String,
}

/// What an outage of the things of that name would touch; none: the account has no such thing.
pub(crate) fn outage(
    rows: &Transaction<'_>,
    account: Uuid,
    (name, namespace): (&str, &str),
) -> Result<Option<Outage>, Refusal> {
    let is_meant = |node: &Node| {
        node.name.eq_ignore_ascii_case(name)
            && (namespace.is_empty() || node.namespace.eq_ignore_ascii_case(namespace))
    };
    let mut seeds = Vec::new();
    for_each(rows, nodes::cloud_account_id.eq(account), |node| {
        if is_meant(&node) {
            seeds.push(node.id);
        }
    })?;
    if seeds.is_empty() {
        return Ok(None);
    }
    seeds.sort_unstable();
    // The things themselves count towards the limit of the walk.
    let most = LIMITS.most + seeds.len();
    let walked = walk(
        &seeds,
        Direction::Incoming,
        Limits { most, ..LIMITS },
        |ids| leading(rows, ids, Direction::Incoming),
        |ids| {
            let known = of_ids(rows, ids)?;
            Ok(known.values().filter(|node| node.account == account).map(|node| node.id).collect())
        },
    )?;
    let mut known = of_ids(rows, &walked.nodes)?;
    let touched = walked.nodes.iter().filter(|id| !seeds.contains(id)).filter_map(|id| known.remove(id));
    let told = |node: Node| TouchedThing {
        id: node.id,
        name: node.name,
        kind: node.kind,
        namespace: node.namespace,
    };
    Ok(Some(Outage {
        touched: touched.map(told).collect(),
        is_whole: walked.met == walked.nodes.len() && !walked.has_more_steps,
    }))
}
