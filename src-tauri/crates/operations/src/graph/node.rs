//! Things and relations of the graph as they are read from the store.

use graphql::Refusal;
use model::tables::knowledge_graph_node;
use model::{Json, Read, row};
use serde_json::{Map, Value};
use store::Transaction;
use uuid::Uuid;

row! {
    struct Stored from knowledge_graph_node {
        id, cloud_account_id, node_type, unique_key, labels, query_attributes, properties
    }
}
row! { struct StoredEdge from knowledge_graph_edge { id, source_node_id, destination_node_id, relationship_type } }

/// What a thing is narrowed by.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub id: Uuid,
    pub account: Uuid,
    pub kind: String,
    pub name: String,
    pub namespace: String,
    pub labels: Map<String, Value>,
    pub attributes: Map<String, Value>,
    /// The property `source`.
    pub source: Option<String>,
}

/// A relation: its id, from where, to where, of which kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub id: Uuid,
    pub from: Uuid,
    pub to: Uuid,
    pub kind: String,
}

/// Hands over every active thing of the tenant that the caller may read.
pub(super) fn for_each(rows: &Transaction<'_>, mut take: impl FnMut(Node)) -> Result<(), Refusal> {
    let is_told = knowledge_graph_node::level.eq("Tenant").and(knowledge_graph_node::is_active.eq(true));
    rows.query::<Stored>().filter(is_told).for_each(|row| {
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

/// Every relation, by id, so that an answer is always the same.
pub(super) fn edges(rows: &Transaction<'_>) -> Result<Vec<Edge>, Refusal> {
    let mut edges = Vec::new();
    rows.query::<StoredEdge>().for_each(|row| {
        let (from, to) = (row.source_node_id, row.destination_node_id);
        edges.push(Edge { id: row.id.uuid(), from, to, kind: row.relationship_type });
        Ok::<_, Refusal>(())
    })?;
    edges.sort_unstable();
    Ok(edges)
}

/// The object a JSON cell holds; empty for anything else.
fn object(cell: &Json) -> Map<String, Value> {
    cell.parse().unwrap_or_default()
}

/// A value as people write it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
