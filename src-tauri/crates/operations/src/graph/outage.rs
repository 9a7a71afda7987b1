//! Computes which nodes an outage would affect, within one account.

use super::node::{Node, for_each, leading, of_ids};
use super::walk::{Direction, Limits, walk};
use graphql::Refusal;
use model::tables::knowledge_graph_node as nodes;
use store::Transaction;
use uuid::Uuid;

/// Maximum number of steps followed, and of affected nodes returned.
const LIMITS: Limits = Limits { depth: 12, most: 200 };

/// The nodes affected by an outage, closest first.
#[derive(Debug)]
pub(crate) struct Outage {
    pub touched: Vec<TouchedThing>,
    /// Whether all affected nodes are included, that is, no limit was reached.
    pub is_whole: bool,
}

/// A node that depends on the failed node, directly or through others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TouchedThing {
    pub id: Uuid,
    pub name: String,
    pub kind: String,
    pub namespace: String,
}

/// Computes the outage of the nodes with this name. `None` if the account has no such node.
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
    // The limit of the walk also counts the start nodes.
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
