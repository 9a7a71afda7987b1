//! Computes which nodes an outage would affect, within one account.

use super::node::{Node, edges_of, for_each, of_ids};
use super::walk::{Direction, Limits, walk};
use graphql::Refusal;
use model::tables::knowledge_graph_node as nodes;
use store::Transaction;
use uuid::Uuid;

/// Maximum number of steps followed, and of affected nodes returned.
const LIMITS: Limits = Limits { depth: 12, max_nodes: 200 };

/// The nodes affected by an outage, closest first.
#[derive(Debug)]
pub(crate) struct Outage {
    pub dependents: Vec<DependentNode>,
    /// Whether all affected nodes are included, that is, no limit was reached.
    pub is_whole: bool,
}

/// A node that depends on the failed node, directly or through others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DependentNode {
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
    let max_nodes = LIMITS.max_nodes + seeds.len();
    let walked = walk(
        &seeds,
        Direction::Incoming,
        Limits { max_nodes, ..LIMITS },
        |ids| edges_of(rows, ids, Direction::Incoming),
        |ids| {
            let known = of_ids(rows, ids)?;
            Ok(known.values().filter(|node| node.account == account).map(|node| node.id).collect())
        },
    )?;
    let mut known = of_ids(rows, &walked.nodes)?;
    let dependents = walked.nodes.iter().filter(|id| !seeds.contains(id)).filter_map(|id| known.remove(id));
    let dependent = |node: Node| DependentNode {
        id: node.id,
        name: node.name,
        kind: node.kind,
        namespace: node.namespace,
    };
    Ok(Some(Outage {
        dependents: dependents.map(dependent).collect(),
        is_whole: walked.visited_count == walked.nodes.len() && !walked.has_more_steps,
    }))
}
