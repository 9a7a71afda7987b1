//! Handles `kg_list_nodes`: finds nodes of the knowledge graph by name and other properties.

use super::filter::Filter;
use super::neighbours::rows_of_nodes;
use super::node::{Condition, Node, for_each, text};
use crate::kit::values::escape_like;
use graphql::{Call, Refusal};
use model::tables::{cloud_accounts, knowledge_graph_node as nodes};
use model::{Read, row};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashSet;
use uuid::Uuid;

row! { struct AccountRow from cloud_accounts { id } }

/// Nodes per response: the default and the maximum.
const DEFAULT_LIMIT: i64 = 50;
const MAX_LIMIT: i64 = 500;

/// Maximum number of candidates held in memory while searching for the best ones.
const CANDIDATE_BUFFER: usize = 2_000;

/// Conditions of a node search; a missing field is not checked.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeQuery {
    /// The whole name, ignoring case.
    name: Option<String>,
    /// A part of the name, ignoring case.
    name_pattern: Option<String>,
    namespace: Option<String>,
    cluster: Option<String>,
}

/// A node that was found.
#[derive(Serialize)]
struct NodeHit {
    id: Uuid,
    node_type: String,
    name: String,
    namespace: Option<String>,
    source: Option<String>,
    cloud_account_id: Uuid,
    labels: Map<String, Value>,
    properties: Value,
}

#[derive(Serialize)]
pub(super) struct Answer {
    nodes: Vec<NodeHit>,
    total_count: usize,
}

impl NodeQuery {
    pub fn read(request: &Value) -> Result<Self, Refusal> {
        Self::deserialize(request).map_err(|error| {
            Refusal::invalid(format!(
                "request: {error}; expected texts in name, name_pattern, namespace and cluster"
            ))
        })
    }

    pub fn is_empty(&self) -> bool {
        [&self.name, &self.name_pattern, &self.namespace, &self.cluster].into_iter().all(Option::is_none)
    }

    /// The accounts with the given cluster name. `None` if the request names no cluster.
    pub fn clusters(&self, call: &Call<'_>) -> Result<Option<HashSet<Uuid>>, Refusal> {
        let Some(name) = &self.cluster else { return Ok(None) };
        let named = cloud_accounts::account_name.eq(name.as_str());
        let found = call.rows.query::<AccountRow>().filter(named).rows()?;
        Ok(Some(found.into_iter().map(|account| account.id.uuid()).collect()))
    }

    /// The part of the conditions that the database can check. [`Self::matches`] checks the rest.
    pub fn condition(&self, clusters: Option<&HashSet<Uuid>>) -> Condition {
        let mut condition = Condition::all();
        if let Some(clusters) = clusters {
            condition = condition.and(nodes::cloud_account_id.one_of(clusters.iter().copied()));
        }
        let parts = [self.name.as_deref(), self.name_pattern.as_deref().map(inner)];
        for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
            // The columns hold JSON: search for the text as JSON escapes it, without the quotes.
            let quoted = Value::from(part).to_string();
            let inside = escape_like(quoted.trim_matches('"'));
            condition = condition.and(Condition::any_of([
                nodes::query_attributes.ilike(format!("%{inside}%")),
                nodes::properties.ilike(format!("%\"name\"%{inside}%")),
                nodes::unique_key.ilike(format!("%{}%", escape_like(part))),
            ]));
        }
        condition
    }

    pub fn matches(&self, node: &Node) -> bool {
        self.name.as_ref().is_none_or(|name| node.name.eq_ignore_ascii_case(name))
            && self.name_pattern.as_ref().is_none_or(|part| place(&node.name, part).is_some())
            && self.namespace.as_ref().is_none_or(|namespace| node.namespace == *namespace)
    }
}

/// The position of `part` in `name`, ignoring case. `*` and `%` at the ends of `part` are ignored.
fn place(name: &str, part: &str) -> Option<usize> {
    name.to_lowercase().find(&inner(part).to_lowercase())
}

fn inner(part: &str) -> &str {
    part.trim_matches(['*', '%', ' '])
}

pub(super) fn nodes(call: &Call<'_>) -> Result<Answer, Refusal> {
    let request = call.arguments.get("request").unwrap_or(&Value::Null);
    let limit = whole(request, "limit", DEFAULT_LIMIT, MAX_LIMIT)?;
    let sought = NodeQuery::read(request)?;
    let filter = conditions(request)?;
    let clusters = sought.clusters(call)?;
    let condition = sought.condition(clusters.as_ref()).and(filter.condition());
    let part = sought.name_pattern.as_deref().unwrap_or_default();
    // Names with the earliest match come first, then shorter names.
    let order = |node: &Node| (place(&node.name, part), node.name.len(), node.name.clone(), node.id);
    let (mut found, mut total_count) = (Vec::new(), 0);
    for_each(call.rows, condition, |node| {
        if !sought.matches(&node) || !filter.matches(&node) {
            return;
        }
        total_count += 1;
        found.push(node);
        if found.len() >= CANDIDATE_BUFFER {
            found.sort_by_cached_key(order);
            found.truncate(limit);
        }
    })?;
    found.sort_by_cached_key(order);
    found.truncate(limit);
    let ids: Vec<Uuid> = found.iter().map(|node| node.id).collect();
    let mut properties = rows_of_nodes(call.rows, &ids)?.into_iter();
    let nodes = found.into_iter().map(|node| NodeHit {
        properties: properties.next().map(|mut row| row["properties"].take()).unwrap_or_default(),
        id: node.id,
        node_type: node.kind,
        name: node.name,
        namespace: Some(node.namespace).filter(|namespace| !namespace.is_empty()),
        source: node.source,
        cloud_account_id: node.account,
        labels: node.labels,
    });
    Ok(Answer { nodes: nodes.collect(), total_count })
}

/// The conditions that a search has in common with a request for the whole graph.
fn conditions(request: &Value) -> Result<Filter, Refusal> {
    let mut conditions = Map::new();
    for name in ["account_ids", "node_types", "labels"] {
        conditions.extend(request.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    if let Some(source) = request.get("source").map(text).filter(|source| !source.is_empty()) {
        conditions.insert("sources".to_owned(), Value::from(vec![source]));
    }
    Filter::read(&Value::Object(conditions))
}

/// Reads a whole number from 1 to `most` from the request; `usual` is the default.
pub(super) fn whole(request: &Value, name: &str, usual: i64, most: i64) -> Result<usize, Refusal> {
    let given = request.get(name).and_then(Value::as_i64).unwrap_or(usual);
    usize::try_from(given)
        .ok()
        .filter(|_| (1..=most).contains(&given))
        .ok_or_else(|| Refusal::invalid(format!("{name} is {given}: expected 1 to {most}")))
}
