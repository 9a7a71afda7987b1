//! Returns the knowledge graph, either whole or around some of its nodes.

use super::walk::{Direction, Limits, walk};
use crate::graph::filter::Filter;
use crate::graph::node::{self, among, edges_of, for_each, of_ids};
use crate::kit::values::id;
use catalogue::format_timestamp;
use graphql::{Call, Refusal};
use model::operations::{KgGetCompleteGraphOutput, KgGraph};
use serde_json::Value;
use store::Transaction;
use uuid::Uuid;

const NODE_COLUMNS: [&str; 9] = [
    "id",
    "cloud_account_id",
    "node_type",
    "unique_key",
    "labels",
    "properties",
    "query_attributes",
    "created_at",
    "updated_at",
];
const EDGE_COLUMNS: [&str; 8] = [
    "id",
    "cloud_account_id",
    "source_node_id",
    "destination_node_id",
    "relationship_type",
    "properties",
    "created_at",
    "updated_at",
];
const MAX_LEVELS: i64 = 3;

/// The ids of a subgraph.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Part {
    pub nodes: Vec<Uuid>,
    pub edges: Vec<Uuid>,
}

pub(super) fn graph(call: &Call<'_>) -> Result<KgGetCompleteGraphOutput, Refusal> {
    let request = call.arguments.get("request").unwrap_or(&Value::Null);
    let filter = Filter::read(request)?;
    let part = if filter.node_ids.is_empty() {
        whole(call.rows, &filter)?
    } else {
        let depth = levels(request.get("levels").and_then(Value::as_i64))?;
        let starts =
            filter.node_ids.iter().map(|start| id("node_ids", start)).collect::<Result<Vec<_>, _>>()?;
        let mut part = around(call.rows, &starts, depth, &filter)?;
        if request.get("subgraph").and_then(Value::as_bool) == Some(true) {
            part.edges = among(call.rows, &part.nodes)?.into_iter().map(|edge| edge.id).collect();
        }
        part
    };
    Ok(KgGetCompleteGraphOutput { data: Some(shown(call, &part)?) })
}

/// Returns a subgraph in the form the interface shows.
pub(super) fn shown(call: &Call<'_>, part: &Part) -> Result<KgGraph, Refusal> {
    let edges = node::shown(call.rows, "knowledge_graph_edge", &EDGE_COLUMNS, &part.edges)?;
    Ok(KgGraph {
        tenant_id: call.caller.tenant().map(|tenant| tenant.to_string()),
        generated_at: Some(format_timestamp(call.now)),
        nodes: Some(rows_of_nodes(call.rows, &part.nodes)?),
        edges: Some(edges),
    })
}

fn levels(given: Option<i64>) -> Result<usize, Refusal> {
    let levels = given.unwrap_or(1);
    usize::try_from(levels)
        .ok()
        .filter(|_| (1..=MAX_LEVELS).contains(&levels))
        .ok_or_else(|| Refusal::invalid(format!("levels is {levels}: expected 1 to {MAX_LEVELS}")))
}

/// All nodes that meet the filter, and the relations among them.
fn whole(rows: &Transaction<'_>, filter: &Filter) -> Result<Part, Refusal> {
    let mut nodes: Vec<Uuid> = Vec::new();
    for_each(rows, filter.condition(), |node| {
        if filter.matches(&node) {
            nodes.push(node.id);
        }
    })?;
    nodes.sort_unstable();
    let edges = among(rows, &nodes)?.into_iter().map(|edge| edge.id).collect();
    Ok(Part { nodes, edges })
}

/// The nodes reachable from `starts` within `depth` steps in either direction, each with the
/// relation that reached it first. The result is a forest.
fn around(rows: &Transaction<'_>, starts: &[Uuid], depth: usize, filter: &Filter) -> Result<Part, Refusal> {
    let known = of_ids(rows, starts)?;
    let starts: Vec<Uuid> = starts.iter().copied().filter(|start| known.contains_key(start)).collect();
    let walked = walk(
        &starts,
        Direction::Both,
        Limits { depth, max_nodes: usize::MAX },
        |ids| edges_of(rows, ids, Direction::Both),
        |ids| {
            let known = of_ids(rows, ids)?;
            Ok(known.values().filter(|node| filter.meets_all_but_ids(node)).map(|node| node.id).collect())
        },
    )?;
    Ok(Part { nodes: walked.nodes, edges: walked.edges })
}

/// The rows of these nodes as objects, in the order of `ids`.
pub(super) fn rows_of_nodes(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<Vec<Value>, Refusal> {
    node::shown(rows, "knowledge_graph_node", &NODE_COLUMNS, ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_three_levels_are_allowed() {
        assert_eq!(levels(None), Ok(1));
        assert_eq!(levels(Some(3)), Ok(3));
        assert_eq!(levels(Some(0)).unwrap_err().message, "levels is 0: expected 1 to 3");
        assert_eq!(levels(Some(4)).unwrap_err().message, "levels is 4: expected 1 to 3");
    }
}
