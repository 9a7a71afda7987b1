//! Things of the graph as they are read from the store.

use catalogue::Value as Cell;
use graphql::Refusal;
use serde_json::{Map, Value};
use store::{Transaction, eq};
use uuid::Uuid;

/// What a thing is narrowed by.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub id: Uuid,
    pub account: Uuid,
    pub kind: String,
    pub labels: Map<String, Value>,
    pub attributes: Map<String, Value>,
    /// The property `source`.
    pub source: Option<String>,
}

/// Hands over every active thing of the tenant that the caller may read.
pub(super) fn for_each(rows: &Transaction<'_>, mut take: impl FnMut(Node)) -> Result<(), Refusal> {
    let columns = ["id", "cloud_account_id", "node_type", "labels", "query_attributes", "properties"];
    let conditions = [eq("level", "Tenant"), eq("is_active", true)];
    rows.for_each("knowledge_graph_node", &columns, &conditions, |row| {
        let mut properties = object(&row[5]);
        take(Node {
            id: row[0].as_uuid().unwrap_or_default(),
            account: row[1].as_uuid().unwrap_or_default(),
            kind: row[2].as_text().unwrap_or_default().to_owned(),
            labels: object(&row[3]),
            attributes: object(&row[4]),
            source: properties.remove("source").map(|source| text(&source)),
        });
        Ok(())
    })
}

/// The object a JSON cell holds; empty for anything else.
fn object(cell: &Cell) -> Map<String, Value> {
    cell.as_text().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// A value as people write it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
