//! The graph, whole or around some of its things.

use crate::assistant::place::{id, object};
use crate::graph::filter::Filter;
use crate::graph::node::{Edge, Node, edges, for_each};
use catalogue::format_timestamp;
use graphql::{Call, Refusal};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use store::{Transaction, eq};
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
const MOST_LEVELS: i64 = 3;

/// What is shown of the graph.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Part {
    pub nodes: Vec<Uuid>,
    pub edges: Vec<Uuid>,
}

pub(super) fn graph(call: &Call<'_>) -> Result<Value, Refusal> {
    let request = call.arguments.get("request").unwrap_or(&Value::Null);
    let filter = Filter::read(request)?;
    let mut known: HashMap<Uuid, Node> = HashMap::new();
    for_each(call.rows, |node| drop(known.insert(node.id, node)))?;
    let edges = edges(call.rows)?;
    let part = if filter.node_ids.is_empty() {
        whole(&known, &edges, &filter)
    } else {
        let levels = levels(request.get("levels").and_then(Value::as_i64))?;
        let starts =
            filter.node_ids.iter().map(|start| id("node_ids", start)).collect::<Result<Vec<_>, _>>()?;
        let mut part = around(&starts, levels, &edges, |id| {
            let node = known.get(&id);
            node.is_some_and(|node| starts.contains(&id) || filter.meets_all_but_ids(node))
        });
        if request.get("subgraph").and_then(Value::as_bool) == Some(true) {
            part.edges = among(&part.nodes, &edges);
        }
        part
    };
    Ok(json!({ "data": shown(call, &part)? }))
}

/// A part of the graph as the interface shows it.
pub(super) fn shown(call: &Call<'_>, part: &Part) -> Result<Value, Refusal> {
    Ok(json!({
        "tenant_id": call.caller.tenant(),
        "generated_at": format_timestamp(call.now),
        "nodes": rows(call.rows, "knowledge_graph_node", &NODE_COLUMNS, &part.nodes)?,
        "edges": rows(call.rows, "knowledge_graph_edge", &EDGE_COLUMNS, &part.edges)?,
    }))
}

/// Every relation that has both ends among the things.
fn among(nodes: &[Uuid], edges: &[Edge]) -> Vec<Uuid> {
    let shown: HashSet<Uuid> = nodes.iter().copied().collect();
    let is_among = |edge: &&Edge| shown.contains(&edge.from) && shown.contains(&edge.to);
    edges.iter().filter(is_among).map(|edge| edge.id).collect()
}

fn levels(given: Option<i64>) -> Result<usize, Refusal> {
    let levels = given.unwrap_or(1);
    usize::try_from(levels)
        .ok()
        .filter(|_| (1..=MOST_LEVELS).contains(&levels))
        .ok_or_else(|| Refusal::invalid(format!("levels is {levels}: expected 1 to {MOST_LEVELS}")))
}

/// Everything that meets the conditions, and the relations among it.
fn whole(known: &HashMap<Uuid, Node>, edges: &[Edge], filter: &Filter) -> Part {
    let mut nodes: Vec<Uuid> = known.values().filter(|node| filter.meets(node)).map(|node| node.id).collect();
    nodes.sort_unstable();
    Part { edges: among(&nodes, edges), nodes }
}

/// What can be reached from the starts in so many steps, in either direction, with the one relation by which each thing was
/// found first: a forest.
fn around(starts: &[Uuid], levels: usize, edges: &[Edge], is_met: impl Fn(Uuid) -> bool) -> Part {
    let mut near: HashMap<Uuid, Vec<(Uuid, Uuid)>> = HashMap::new();
    for edge in edges {
        near.entry(edge.from).or_default().push((edge.to, edge.id));
        near.entry(edge.to).or_default().push((edge.from, edge.id));
    }
    let mut part = Part::default();
    let mut found = HashSet::new();
    let mut border: Vec<Uuid> = Vec::new();
    for start in starts.iter().filter(|start| is_met(**start)) {
        if found.insert(*start) {
            border.push(*start);
        }
    }
    part.nodes.extend(&border);
    for _ in 0..levels {
        let mut next = Vec::new();
        for node in border {
            for (other, edge) in near.get(&node).into_iter().flatten() {
                if is_met(*other) && found.insert(*other) {
                    part.nodes.push(*other);
                    part.edges.push(*edge);
                    next.push(*other);
                }
            }
        }
        border = next;
    }
    part
}

/// Rows of things as objects, in the order of their ids.
pub(super) fn rows_of_nodes(transaction: &Transaction<'_>, ids: &[Uuid]) -> Result<Vec<Value>, Refusal> {
    rows(transaction, "knowledge_graph_node", &NODE_COLUMNS, ids)
}

/// Rows as objects, in the order of their ids.
fn rows(rows: &Transaction<'_>, table: &str, columns: &[&str], ids: &[Uuid]) -> Result<Vec<Value>, Refusal> {
    let mut shown = Vec::with_capacity(ids.len());
    for id in ids {
        let row = rows.select(table, columns, &[eq("id", *id)])?.pop();
        shown.extend(row.map(|row| Value::from(object(columns, row))));
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `web → api → db`, `api → queue`, `db → backup`, and `web → queue` found later.
    fn edges() -> Vec<Edge> {
        let edge = |id, from, to| Edge {
            id: Uuid::from_u128(id),
            from: Uuid::from_u128(from),
            to: Uuid::from_u128(to),
            kind: "CALLS".to_owned(),
        };
        vec![edge(10, 1, 2), edge(11, 2, 3), edge(12, 2, 4), edge(13, 3, 5), edge(14, 1, 4)]
    }

    fn found(starts: &[u128], levels: usize) -> (Vec<u128>, Vec<u128>) {
        let starts: Vec<Uuid> = starts.iter().map(|id| Uuid::from_u128(*id)).collect();
        let part = around(&starts, levels, &edges(), |id| id.as_u128() < 6);
        let numbers = |ids: Vec<Uuid>| ids.into_iter().map(|id| id.as_u128()).collect();
        (numbers(part.nodes), numbers(part.edges))
    }

    #[test]
    fn neighbours_are_found_in_both_directions() {
        assert_eq!(found(&[3], 1), (vec![3, 2, 5], vec![11, 13]));
    }

    #[test]
    fn each_thing_comes_with_the_relation_that_found_it_first() {
        assert_eq!(found(&[1], 3), (vec![1, 2, 4, 3, 5], vec![10, 14, 11, 13]));
    }

    #[test]
    fn several_starts_make_a_forest_and_unknown_ones_nothing() {
        assert_eq!(found(&[1, 5, 9], 1), (vec![1, 5, 2, 4, 3], vec![10, 14, 13]));
    }

    #[test]
    fn one_to_three_levels_are_allowed() {
        assert_eq!(levels(None), Ok(1));
        assert_eq!(levels(Some(3)), Ok(3));
        assert_eq!(levels(Some(0)).unwrap_err().message, "levels is 0: expected 1 to 3");
        assert_eq!(levels(Some(4)).unwrap_err().message, "levels is 4: expected 1 to 3");
    }
}
