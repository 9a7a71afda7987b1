//! `kg_list_path`: what can be reached from some things along relations of a direction.

use super::filter::Filter;
use super::neighbours::{Part, shown};
use super::node::{Edge, Node, edges, for_each};
use super::search::{Sought, whole};
use crate::assistant::place::{decoded_list, id};
use graphql::{Call, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

const USUAL_DEPTH: i64 = 3;
const MOST_DEPTH: i64 = 12;
const USUAL_NODES: i64 = 500;
const MOST_NODES: i64 = 5_000;

/// Which way relations are followed. A relation points from what needs something to what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Outgoing,
    Incoming,
    Both,
}

/// Which relations and things are followed; empty lists mean all.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Followed {
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
    data: Value,
    seed_node_ids: Vec<Uuid>,
    truncated: bool,
    total_discovered: usize,
}

pub(super) fn traverse(call: &Call<'_>) -> Result<Answer, Refusal> {
    let request = call.arguments.get("request").unwrap_or(&Value::Null);
    let direction = direction(request)?;
    let depth = whole(request, "max_depth", USUAL_DEPTH, MOST_DEPTH)?;
    let most = whole(request, "max_nodes", USUAL_NODES, MOST_NODES)?;
    let followed = Followed::deserialize(request)
        .map_err(|error| Refusal::invalid(format!("request: {error}; expected lists of texts")))?;
    let mut known: HashMap<Uuid, Node> = HashMap::new();
    for_each(call.rows, |node| drop(known.insert(node.id, node)))?;
    let seeds = seeds(call, request, &followed, &known)?;
    let relations = edges(call.rows)?;
    let is_followed = |edge: &Edge| named(&followed.relationship_types, &edge.kind);
    let is_entered = |id: Uuid| {
        known.get(&id).is_some_and(|node| {
            named(&followed.node_types, &node.kind)
                && (followed.exclude_node_types.is_empty()
                    || !named(&followed.exclude_node_types, &node.kind))
        })
    };
    let mut part = walk(&seeds, direction, depth, &relations, is_followed, is_entered);
    let total_discovered = part.nodes.len();
    let truncated = total_discovered > most;
    if truncated {
        part.nodes.truncate(most);
    }
    let kept: HashSet<Uuid> = part.nodes.iter().copied().collect();
    let of_kept = relations.iter().filter(|edge| kept.contains(&edge.from) && kept.contains(&edge.to));
    part.edges = of_kept.filter(|edge| is_followed(edge)).map(|edge| edge.id).collect();
    Ok(Answer { data: shown(call, &part)?, seed_node_ids: seeds, truncated, total_discovered })
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

/// Where it begins: the things of the ids, else those that are looked for.
fn seeds(
    call: &Call<'_>,
    request: &Value,
    followed: &Followed,
    known: &HashMap<Uuid, Node>,
) -> Result<Vec<Uuid>, Refusal> {
    if !followed.node_ids.is_empty() {
        let ids = followed.node_ids.iter().map(|one| id("node_ids", one)).collect::<Result<Vec<_>, _>>()?;
        return Ok(ids.into_iter().filter(|id| known.contains_key(id)).collect());
    }
    let sought = Sought::read(request)?;
    if sought.is_empty() {
        let message = "request names no start: expected node_ids, name, name_pattern, namespace or cluster";
        return Err(Refusal::invalid(message));
    }
    let mut conditions = Map::new();
    conditions.insert("node_types".to_owned(), followed.search_node_types.clone().into());
    let filter = Filter::read(&Value::Object(conditions))?;
    let is_sought = sought.test(call)?;
    let mut found: Vec<Uuid> =
        known.values().filter(|node| is_sought(node) && filter.meets(node)).map(|node| node.id).collect();
    found.sort_unstable();
    Ok(found)
}

fn named(wanted: &[String], name: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// The things that are reached, the closest first.
fn walk(
    seeds: &[Uuid],
    direction: Direction,
    depth: usize,
    edges: &[Edge],
    is_followed: impl Fn(&Edge) -> bool,
    is_entered: impl Fn(Uuid) -> bool,
) -> Part {
    let mut near: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for edge in edges.iter().filter(|edge| is_followed(edge)) {
        if direction != Direction::Incoming {
            near.entry(edge.from).or_default().push(edge.to);
        }
        if direction != Direction::Outgoing {
            near.entry(edge.to).or_default().push(edge.from);
        }
    }
    let mut part = Part::default();
    let mut met: HashSet<Uuid> = HashSet::new();
    part.nodes.extend(seeds.iter().copied().filter(|seed| met.insert(*seed)));
    let mut border = part.nodes.clone();
    for _ in 0..depth {
        let mut next = Vec::new();
        for node in border {
            for other in near.get(&node).into_iter().flatten() {
                if is_entered(*other) && met.insert(*other) {
                    next.push(*other);
                }
            }
        }
        part.nodes.extend(&next);
        border = next;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ingress → service → workload → pod → node`, and `team → workload` of another kind.
    fn edges() -> Vec<Edge> {
        [(1, 2, "ROUTES_TO"), (2, 3, "SELECTS"), (3, 4, "RUNS"), (4, 5, "RUNS_ON"), (6, 3, "OWNS")]
            .into_iter()
            .enumerate()
            .map(|(place, (from, to, kind))| Edge {
                id: Uuid::from_u128(100 + place as u128),
                from: Uuid::from_u128(from),
                to: Uuid::from_u128(to),
                kind: kind.to_owned(),
            })
            .collect()
    }

    fn reached(seed: u128, direction: Direction, depth: usize, without: &str) -> Vec<u128> {
        let seeds = [Uuid::from_u128(seed)];
        let part = walk(&seeds, direction, depth, &edges(), |edge| edge.kind != without, |_| true);
        part.nodes.into_iter().map(|id| id.as_u128()).collect()
    }

    #[test]
    fn an_outage_touches_what_needs_the_thing() {
        assert_eq!(reached(5, Direction::Incoming, 9, ""), [5, 4, 3, 2, 6, 1]);
        assert_eq!(reached(5, Direction::Incoming, 9, "OWNS"), [5, 4, 3, 2, 1]);
        assert_eq!(reached(5, Direction::Incoming, 2, ""), [5, 4, 3]);
    }

    #[test]
    fn what_a_thing_needs_lies_the_other_way() {
        assert_eq!(reached(2, Direction::Outgoing, 9, ""), [2, 3, 4, 5]);
        assert_eq!(reached(2, Direction::Both, 1, ""), [2, 3, 1]);
    }
}
