//! Handles `kg_list_path`: the nodes reachable from some start nodes along relations in a given direction.

use super::filter::Filter;
use super::neighbours::{Part, shown};
use super::node::{Edge, Node, among, edges_of, for_each, of_ids};
use super::search::{NodeQuery, whole};
use super::walk::{Direction, Limits, walk};
use crate::kit::values::{decoded_list, id};
use graphql::{Call, Refusal};
use model::operations::KgGraph;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

const DEFAULT_DEPTH: i64 = 3;
const MAX_DEPTH: i64 = 12;
const DEFAULT_NODES: i64 = 500;
const MAX_NODES: i64 = 5_000;

/// The relations and nodes that are followed; an empty list means all.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Restriction {
    #[serde(deserialize_with = "decoded_list")]
    relationship_types: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    node_types: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    exclude_node_types: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    node_ids: Vec<String>,
    #[serde(deserialize_with = "decoded_list")]
    search_node_types: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct Answer {
    data: KgGraph,
    seed_node_ids: Vec<Uuid>,
    truncated: bool,
    total_discovered: usize,
    has_more_steps: bool,
}

pub(super) fn traverse(call: &Call<'_>) -> Result<Answer, Refusal> {
    let request = call.arguments.get("request").unwrap_or(&Value::Null);
    let direction = direction(request)?;
    let depth = whole(request, "max_depth", DEFAULT_DEPTH, MAX_DEPTH)?;
    let max_nodes = whole(request, "max_nodes", DEFAULT_NODES, MAX_NODES)?;
    let followed = Restriction::deserialize(request)
        .map_err(|error| Refusal::invalid(format!("request: {error}; expected lists of texts")))?;
    let seeds = seeds(call, request, &followed, max_nodes)?;
    let is_followed = |edge: &Edge| named(&followed.relationship_types, &edge.kind);
    let walked = walk(
        &seeds,
        direction,
        Limits { depth, max_nodes },
        |ids| {
            let mut relations = edges_of(call.rows, ids, direction)?;
            relations.retain(is_followed);
            Ok(relations)
        },
        |ids| {
            let known = of_ids(call.rows, ids)?;
            Ok(known.values().filter(|node| followed.enters(node)).map(|node| node.id).collect())
        },
    )?;
    let relations = among(call.rows, &walked.nodes)?;
    let edges = relations.iter().filter(|edge| is_followed(edge)).map(|edge| edge.id).collect();
    Ok(Answer {
        truncated: walked.visited_count > walked.nodes.len(),
        total_discovered: walked.visited_count,
        has_more_steps: walked.has_more_steps,
        data: shown(call, &Part { nodes: walked.nodes, edges })?,
        seed_node_ids: seeds,
    })
}

impl Restriction {
    fn enters(&self, node: &Node) -> bool {
        let is_excluded = !self.exclude_node_types.is_empty() && named(&self.exclude_node_types, &node.kind);
        named(&self.node_types, &node.kind) && !is_excluded
    }
}

fn direction(request: &Value) -> Result<Direction, Refusal> {
    match request.get("direction").and_then(Value::as_str).unwrap_or_default().to_lowercase().as_str() {
        "outgoing" | "downstream" => Ok(Direction::Outgoing),
        "incoming" | "upstream" => Ok(Direction::Incoming),
        "both" => Ok(Direction::Both),
        other => Err(Refusal::invalid(format!(
            "direction is {other:?}: expected outgoing (what it needs), incoming (what needs it) or both"
        ))),
    }
}

/// The start nodes: those with the given ids, or else those that match the query. Returns at most one more than the limit.
fn seeds(
    call: &Call<'_>,
    request: &Value,
    followed: &Restriction,
    max_nodes: usize,
) -> Result<Vec<Uuid>, Refusal> {
    if !followed.node_ids.is_empty() {
        let ids = followed.node_ids.iter().map(|one| id("node_ids", one)).collect::<Result<Vec<_>, _>>()?;
        let known = of_ids(call.rows, &ids)?;
        return Ok(ids.into_iter().filter(|id| known.contains_key(id)).collect());
    }
    let sought = NodeQuery::read(request)?;
    if sought.is_empty() {
        let message = "request names no start: expected node_ids, name, name_pattern, namespace or cluster";
        return Err(Refusal::invalid(message));
    }
    let mut conditions = Map::new();
    conditions.insert("node_types".to_owned(), followed.search_node_types.clone().into());
    let filter = Filter::read(&Value::Object(conditions))?;
    let clusters = sought.clusters(call)?;
    let condition = sought.condition(clusters.as_ref()).and(filter.condition());
    let mut found: Vec<Uuid> = Vec::new();
    for_each(call.rows, condition, |node| {
        if found.len() <= max_nodes && sought.matches(&node) && filter.matches(&node) {
            found.push(node.id);
        }
    })?;
    found.sort_unstable();
    Ok(found)
}

fn named(wanted: &[String], name: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|one| one.eq_ignore_ascii_case(name))
}
