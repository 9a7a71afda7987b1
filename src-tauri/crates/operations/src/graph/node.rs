//! Reads nodes and relations of the knowledge graph from the store.

use super::walk::Direction;
use crate::kit::values::object as cells;
use graphql::Refusal;
use model::tables::{knowledge_graph_edge as edges, knowledge_graph_node as nodes};
use model::{Filter, Json, Read, row};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use store::{Transaction, one_of};
use uuid::Uuid;

row! {
    struct NodeRow from knowledge_graph_node {
        id, cloud_account_id, node_type, unique_key, labels, query_attributes, properties
    }
}
row! { struct EdgeRow from knowledge_graph_edge { id, source_node_id, destination_node_id, relationship_type } }

/// A condition on node rows.
pub(super) type Condition = Filter<nodes::Row>;

/// Maximum number of ids in one query.
const AT_ONCE: usize = 400;

/// The properties of a node that filters and searches use.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub id: Uuid,
    pub account: Uuid,
    pub kind: String,
    pub name: String,
    pub namespace: String,
    pub labels: Map<String, Value>,
    pub attributes: Map<String, Value>,
    /// The property named `source`.
    pub source: Option<String>,
}

/// A relation between two nodes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub id: Uuid,
    pub from: Uuid,
    pub to: Uuid,
    pub kind: String,
}

/// Calls `take` for each active node of the tenant that meets the condition and that the caller may read.
pub(super) fn for_each(
    rows: &Transaction<'_>,
    condition: Condition,
    mut take: impl FnMut(Node),
) -> Result<(), Refusal> {
    let is_visible = nodes::level.eq("Tenant").and(nodes::is_active.eq(true)).and(condition);
    rows.query::<NodeRow>().filter(is_visible).for_each(|row| {
        let mut properties = object(&row.properties);
        let attributes = object(&row.query_attributes);
        let named = |name: &str| properties.get(name).or_else(|| attributes.get(name)).map(text);
        let (name, namespace) = (named("name"), named("namespace"));
        take(Node {
            id: row.id.uuid(),
            account: row.cloud_account_id,
            kind: row.node_type.unwrap_or_default(),
            name: name.filter(|name| !name.is_empty()).unwrap_or(row.unique_key),
            namespace: namespace.unwrap_or_default(),
            labels: object(&row.labels),
            source: properties.remove("source").map(|source| text(&source)),
            attributes,
        });
        Ok(())
    })
}

/// Reads nodes by id.
pub(super) fn of_ids(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Node>, Refusal> {
    let mut found = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(AT_ONCE) {
        let are_sought = nodes::id.one_of(ids.iter().copied());
        for_each(rows, are_sought, |node| drop(found.insert(node.id, node)))?;
    }
    Ok(found)
}

/// Relations that start or end (by `direction`) at these nodes. Sorted by id to make results reproducible.
pub(super) fn edges_of(
    rows: &Transaction<'_>,
    ids: &[Uuid],
    direction: Direction,
) -> Result<Vec<Edge>, Refusal> {
    let mut found = Vec::new();
    for ids in ids.chunks(AT_ONCE) {
        if direction != Direction::Incoming {
            read(rows, edges::source_node_id.one_of(ids.iter().copied()), &mut found)?;
        }
        if direction != Direction::Outgoing {
            read(rows, edges::destination_node_id.one_of(ids.iter().copied()), &mut found)?;
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Relations whose two ends are both in `ids`, sorted by id.
pub(super) fn among(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<Vec<Edge>, Refusal> {
    let known: HashSet<Uuid> = ids.iter().copied().collect();
    let mut found = edges_of(rows, ids, Direction::Outgoing)?;
    found.retain(|edge| known.contains(&edge.to));
    Ok(found)
}

fn read(
    rows: &Transaction<'_>,
    are_sought: Filter<edges::Row>,
    found: &mut Vec<Edge>,
) -> Result<(), Refusal> {
    rows.query::<EdgeRow>().filter(are_sought).for_each(|row| {
        let (from, to) = (row.source_node_id, row.destination_node_id);
        found.push(Edge { id: row.id.uuid(), from, to, kind: row.relationship_type });
        Ok(())
    })
}

/// Reads rows of a table as objects, in the order of `ids`.
pub(super) fn shown(
    rows: &Transaction<'_>,
    table: &str,
    columns: &[&str],
    ids: &[Uuid],
) -> Result<Vec<Value>, Refusal> {
    let mut found: HashMap<Uuid, Value> = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        let sought = one_of("id", chunk.iter().map(|id| (*id).into()).collect());
        for row in rows.select(table, columns, &[sought])? {
            let row = Value::from(cells(columns, row));
            found.extend(crate::kit::uuid(&row, "id").map(|id| (id, row)));
        }
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// Parses the object in a JSON cell; empty if the cell holds anything else.
fn object(cell: &Json) -> Map<String, Value> {
    cell.parse().unwrap_or_default()
}

/// Formats a value as plain text, without quotes around a string.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
