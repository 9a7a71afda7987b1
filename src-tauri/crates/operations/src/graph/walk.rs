//! Breadth-first traversal of the graph that reads only the nodes it reaches.

use super::node::Edge;
use graphql::Refusal;
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// The direction in which relations are followed. A relation points from the dependent node to the node it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Outgoing,
    Incoming,
    Both,
}

/// Limits of a traversal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Maximum number of steps.
    pub depth: usize,
    /// Maximum number of nodes.
    pub max_nodes: usize,
}

/// The result of a traversal.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// The nodes reached, closest first, up to the limit.
    pub nodes: Vec<Uuid>,
    /// The relation that reached each node first.
    pub edges: Vec<Uuid>,
    /// The number of nodes found before the traversal stopped, including those beyond the limit.
    pub visited_count: usize,
    /// Whether relations lead to further nodes beyond the last step.
    pub has_more_steps: bool,
}

/// Traverses the graph from `seeds`. `relations` returns the relations of some nodes, sorted by id;
/// `entered` returns which of some nodes may be entered.
pub(super) fn walk(
    seeds: &[Uuid],
    direction: Direction,
    limits: Limits,
    mut relations: impl FnMut(&[Uuid]) -> Result<Vec<Edge>, Refusal>,
    mut entered: impl FnMut(&[Uuid]) -> Result<HashSet<Uuid>, Refusal>,
) -> Result<Reach, Refusal> {
    let mut walked = Reach::default();
    let mut visited: HashSet<Uuid> = HashSet::new();
    walked.nodes.extend(seeds.iter().copied().filter(|seed| visited.insert(*seed)));
    let mut border = walked.nodes.clone();
    for step in 0..=limits.depth {
        if border.is_empty() || visited.len() > limits.max_nodes {
            break;
        }
        let leading = unvisited_neighbours(&border, direction, &relations(&border)?, &visited);
        let may_enter = entered(&leading.iter().map(|(node, _)| *node).collect::<Vec<_>>())?;
        let next: Vec<(Uuid, Uuid)> =
            leading.into_iter().filter(|(node, _)| may_enter.contains(node)).collect();
        if step == limits.depth {
            walked.has_more_steps = !next.is_empty();
            break;
        }
        visited.extend(next.iter().map(|(node, _)| *node));
        walked.edges.extend(next.iter().map(|(_, edge)| *edge));
        border = next.into_iter().map(|(node, _)| node).collect();
        walked.nodes.extend(&border);
    }
    walked.visited_count = visited.len();
    walked.nodes.truncate(limits.max_nodes);
    Ok(walked)
}

/// The neighbours of the border that were not found yet, each with the relation that reached it first.
fn unvisited_neighbours(
    border: &[Uuid],
    direction: Direction,
    relations: &[Edge],
    visited: &HashSet<Uuid>,
) -> Vec<(Uuid, Uuid)> {
    let mut near: HashMap<Uuid, Vec<(Uuid, Uuid)>> = HashMap::new();
    for edge in relations {
        if direction != Direction::Incoming {
            near.entry(edge.from).or_default().push((edge.to, edge.id));
        }
        if direction != Direction::Outgoing {
            near.entry(edge.to).or_default().push((edge.from, edge.id));
        }
    }
    let mut found = HashSet::new();
    border
        .iter()
        .flat_map(|node| near.remove(node).unwrap_or_default())
        .filter(|(node, _)| !visited.contains(node) && found.insert(*node))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn numbers(ids: &[Uuid]) -> Vec<u128> {
        ids.iter().map(Uuid::as_u128).collect()
    }

    fn walked(seeds: &[u128], direction: Direction, limits: Limits, edges: &[(u128, u128, u128)]) -> Reach {
        let edges: Vec<Edge> = edges
            .iter()
            .map(|(edge, from, to)| Edge {
                id: id(*edge),
                from: id(*from),
                to: id(*to),
                kind: "CALLS".to_owned(),
            })
            .collect();
        let relations = |of: &[Uuid]| {
            let is_near = |edge: &&Edge| of.contains(&edge.from) || of.contains(&edge.to);
            Ok(edges.iter().filter(is_near).cloned().collect())
        };
        // Ids of 9 and above do not exist.
        let entered = |ids: &[Uuid]| Ok(ids.iter().copied().filter(|id| id.as_u128() < 9).collect());
        let seeds: Vec<Uuid> = seeds.iter().map(|seed| id(*seed)).collect();
        walk(&seeds, direction, limits, relations, entered).unwrap()
    }

    /// `web → api → db`, `api → queue`, `db → backup`, and `web → queue`, which has the highest relation id.
    const SHOP: [(u128, u128, u128); 5] = [(10, 1, 2), (11, 2, 3), (12, 2, 4), (13, 3, 5), (14, 1, 4)];
    /// `ingress → service → workload → pod → node`
    const CHAIN: [(u128, u128, u128); 5] = [(10, 1, 2), (11, 2, 3), (12, 3, 4), (13, 4, 5), (14, 6, 9)];
    const FAR: Limits = Limits { depth: 9, max_nodes: 100 };

    fn within(depth: usize) -> Limits {
        Limits { depth, max_nodes: 100 }
    }

    #[test]
    fn neighbours_are_found_in_both_directions() {
        let found = walked(&[3], Direction::Both, within(1), &SHOP);
        assert_eq!((numbers(&found.nodes), numbers(&found.edges)), (vec![3, 2, 5], vec![11, 13]));
        assert!(found.has_more_steps);
    }

    #[test]
    fn each_thing_comes_with_the_relation_that_found_it_first() {
        let found = walked(&[1], Direction::Both, within(3), &SHOP);
        assert_eq!(
            (numbers(&found.nodes), numbers(&found.edges)),
            (vec![1, 2, 4, 3, 5], vec![10, 14, 11, 13])
        );
        assert!(!found.has_more_steps);
    }

    #[test]
    fn several_starts_make_a_forest() {
        let found = walked(&[1, 5], Direction::Both, within(1), &SHOP);
        assert_eq!((numbers(&found.nodes), numbers(&found.edges)), (vec![1, 5, 2, 4, 3], vec![10, 14, 13]));
    }

    #[test]
    fn an_outage_touches_what_needs_the_thing() {
        assert_eq!(numbers(&walked(&[5], Direction::Incoming, FAR, &CHAIN).nodes), [5, 4, 3, 2, 1]);
        assert_eq!(numbers(&walked(&[2], Direction::Outgoing, FAR, &CHAIN).nodes), [2, 3, 4, 5]);
    }

    #[test]
    fn a_walk_says_where_it_was_cut() {
        let short = walked(&[5], Direction::Incoming, within(2), &CHAIN);
        assert_eq!((numbers(&short.nodes), short.has_more_steps), (vec![5, 4, 3], true));
        let few = walked(&[1], Direction::Both, Limits { depth: 9, max_nodes: 2 }, &SHOP);
        assert_eq!((numbers(&few.nodes), few.visited_count), (vec![1, 2], 3));
        let whole = walked(&[6], Direction::Outgoing, FAR, &CHAIN);
        assert_eq!((numbers(&whole.nodes), whole.visited_count, whole.has_more_steps), (vec![6], 1, false));
    }
}
