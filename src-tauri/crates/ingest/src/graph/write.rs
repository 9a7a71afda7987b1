//! Writes the graph: inserts and updates rows that differ from the stored ones, and removes obsolete ones.

use super::plan::{Evidence, Key, Node, Plan};
use super::scope::Scope;
use crate::ids;
use model::tables::{
    knowledge_graph_edge as edges, knowledge_graph_metadata as facts, knowledge_graph_node as nodes,
};
use model::{Json, Read, Writer, row};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};
use store::{StoreError, Transaction};
use uuid::Uuid;

row! {
    struct NodeRow from knowledge_graph_node {
        id, cloud_account_id, unique_key, is_active, node_type, labels, properties
    }
}
row! { struct EdgeRow from knowledge_graph_edge { id, source_node_id, destination_node_id, relationship_type, properties } }

/// The visibility of the graph: the whole tenant.
const LEVEL: &str = "Tenant";

/// Maximum number of accounts in one query.
const AT_ONCE: usize = 400;

/// Makes the stored graph of the scope equal to the plan, and adds the plan's entries outside the scope.
pub(super) fn synchronize(
    rows: &Transaction<'_>,
    tenant: Uuid,
    scope: &Scope,
    now: i64,
    plan: &Plan,
) -> Result<(), StoreError> {
    let derived = rows.without_actor();
    let writer = Writer::derived(&derived)?;
    let mut stored = stored_nodes(rows, scope)?;
    for (key, node) in &plan.nodes {
        let id = node_id(tenant, key);
        let row = match stored.remove(&id) {
            None if !scope.contains(key.0) => rows.find::<NodeRow>(id)?,
            row => row,
        };
        match row {
            None => insert(&writer, id, key, node, now)?,
            Some(row) if is_same(&row, node) => {}
            Some(_) => update(&writer, id, node, now)?,
        }
    }
    // Nodes from other sources are not changed.
    for (id, row) in stored {
        let is_own = id == node_id(tenant, &(row.cloud_account_id, row.unique_key.clone()));
        if is_own && row.is_active {
            let set = [nodes::is_active.to(false), nodes::updated_at.to(now)];
            writer.update(nodes::id.eq(id), set)?;
            let lead_there = rows.query::<EdgeRow>().filter(edges::destination_node_id.eq(id));
            for edge in lead_there.rows()?.into_iter().filter(|edge| edge.is_own(tenant)) {
                writer.delete(edges::id.eq(edge.id))?;
            }
        }
    }
    let mut stored = stored_edges(rows, scope)?;
    for ((from, to, relation), evidence) in &plan.relations {
        let ends = (node_id(tenant, from), node_id(tenant, to));
        let id = edge_id(tenant, ends, relation);
        let row = match stored.remove(&id) {
            None if !scope.contains(from.0) => rows.find::<EdgeRow>(id)?,
            row => row,
        };
        match row {
            None => relate(&writer, id, from.0, ends, relation, evidence, now)?,
            Some(row) if row.properties.value() == evidence_json(evidence) => {}
            Some(_) => {
                let set =
                    [edges::properties.to(Json::from(evidence_json(evidence))), edges::updated_at.to(now)];
                writer.update(edges::id.eq(id), set)?;
            }
        }
    }
    for (id, row) in stored {
        if row.is_own(tenant) {
            writer.delete(edges::id.eq(id))?;
        }
    }
    note(&writer, tenant, scope, now, plan)
}

fn stored_nodes(rows: &Transaction<'_>, scope: &Scope) -> Result<HashMap<Uuid, NodeRow>, StoreError> {
    let mut found = HashMap::new();
    for accounts in scope.chunks(AT_ONCE) {
        let of_accounts = accounts.map(|accounts| nodes::cloud_account_id.one_of(accounts));
        let read = rows.query::<NodeRow>().filter_some(of_accounts).rows()?;
        found.extend(read.into_iter().map(|row| (row.id.uuid(), row)));
    }
    Ok(found)
}

/// Relations that begin in the accounts.
fn stored_edges(rows: &Transaction<'_>, scope: &Scope) -> Result<HashMap<Uuid, EdgeRow>, StoreError> {
    let mut found = HashMap::new();
    for accounts in scope.chunks(AT_ONCE) {
        let of_accounts = accounts.map(|accounts| edges::cloud_account_id.one_of(accounts));
        let read = rows.query::<EdgeRow>().filter_some(of_accounts).rows()?;
        found.extend(read.into_iter().map(|row| (row.id.uuid(), row)));
    }
    Ok(found)
}

impl EdgeRow {
    /// Whether the relation is derived from other rows; relations from other sources are not changed.
    fn is_own(&self, tenant: Uuid) -> bool {
        let ends = (self.source_node_id, self.destination_node_id);
        self.id.uuid() == edge_id(tenant, ends, &self.relationship_type)
    }
}

/// Adds the entries of the plan that are not stored.
pub(super) fn add(rows: &Transaction<'_>, tenant: Uuid, now: i64, plan: &Plan) -> Result<(), StoreError> {
    let derived = rows.without_actor();
    let writer = Writer::derived(&derived)?;
    for (key, node) in &plan.nodes {
        let id = node_id(tenant, key);
        if !rows.query::<NodeRow>().filter(nodes::id.eq(id)).exists()? {
            insert(&writer, id, key, node, now)?;
        }
    }
    for ((from, to, relation), evidence) in &plan.relations {
        let ends = (node_id(tenant, from), node_id(tenant, to));
        let id = edge_id(tenant, ends, relation);
        if !rows.query::<EdgeRow>().filter(edges::id.eq(id)).exists()? {
            relate(&writer, id, from.0, ends, relation, evidence, now)?;
        }
    }
    Ok(())
}

pub(super) fn node_id(tenant: Uuid, (account, key): &Key) -> Uuid {
    ids::derived(tenant, "graph_node", &[&account.to_string(), key])
}

fn edge_id(tenant: Uuid, (from, to): (Uuid, Uuid), relation: &str) -> Uuid {
    ids::derived(tenant, "graph_edge", &[&from.to_string(), &to.to_string(), relation])
}

fn insert(writer: &Writer<'_>, id: Uuid, key: &Key, node: &Node, now: i64) -> Result<(), StoreError> {
    writer.insert([
        nodes::id.to(id),
        nodes::cloud_account_id.to(key.0),
        nodes::unique_key.to(key.1.as_str()),
        nodes::level.to(LEVEL),
        nodes::is_active.to(true),
        nodes::node_type.to_option(Some(node.kind.as_str())),
        nodes::labels.to(Json::from(Value::Object(node.labels.clone()))),
        nodes::properties.to(Json::from(properties(node))),
        nodes::query_attributes.to(Json::from(attributes(node))),
        nodes::created_at.to(now),
        nodes::updated_at.to(now),
    ])
}

fn update(writer: &Writer<'_>, id: Uuid, node: &Node, now: i64) -> Result<(), StoreError> {
    let set = [
        nodes::is_active.to(true),
        nodes::node_type.to_option(Some(node.kind.as_str())),
        nodes::labels.to(Json::from(Value::Object(node.labels.clone()))),
        nodes::properties.to(Json::from(properties(node))),
        nodes::query_attributes.to(Json::from(attributes(node))),
        nodes::updated_at.to(now),
    ];
    writer.update(nodes::id.eq(id), set).map(drop)
}

fn relate(
    writer: &Writer<'_>,
    id: Uuid,
    account: Uuid,
    (from, to): (Uuid, Uuid),
    relation: &str,
    evidence: &Evidence,
    now: i64,
) -> Result<(), StoreError> {
    writer.insert([
        edges::id.to(id),
        edges::cloud_account_id.to(account),
        edges::source_node_id.to(from),
        edges::destination_node_id.to(to),
        edges::relationship_type.to(relation),
        edges::level.to(LEVEL),
        edges::properties.to(Json::from(evidence_json(evidence))),
        edges::created_at.to(now),
        edges::updated_at.to(now),
    ])
}

/// Records for each account of the scope when its graph was built, and its size.
fn note(writer: &Writer<'_>, tenant: Uuid, scope: &Scope, now: i64, plan: &Plan) -> Result<(), StoreError> {
    let mut sizes: BTreeMap<Uuid, (u64, u64)> = BTreeMap::new();
    for (account, _) in plan.nodes.keys().filter(|(account, _)| scope.contains(*account)) {
        sizes.entry(*account).or_default().0 += 1;
    }
    for (from, _, _) in plan.relations.keys().filter(|(from, _, _)| scope.contains(from.0)) {
        sizes.entry(from.0).or_default().1 += 1;
    }
    for (account, (nodes, relations)) in sizes {
        let id = ids::derived(tenant, "graph_fact", &[&account.to_string()]);
        writer.upsert(
            &["id"],
            [
                facts::id.to(id),
                facts::cloud_account_id.to(account),
                facts::attribute_key.to("size"),
                facts::attribute_type.to("graph"),
                facts::attribute_value.to(Json::from(json!({"nodes": nodes, "edges": relations}))),
                facts::last_sync_at.to(now),
            ],
            &[],
        )?;
    }
    Ok(())
}

fn is_same(row: &NodeRow, node: &Node) -> bool {
    row.is_active
        && row.node_type.as_deref() == Some(node.kind.as_str())
        && row.labels.value() == Value::Object(node.labels.clone())
        && row.properties.value() == properties(node)
}

fn properties(node: &Node) -> Value {
    let mut all = node.properties.clone();
    all.insert("name".to_owned(), node.name.as_str().into());
    all.insert("source".to_owned(), node.source.into());
    if let Some(namespace) = &node.namespace {
        all.insert("namespace".to_owned(), namespace.as_str().into());
    }
    if let Some(resource) = node.resource {
        all.insert("resource_id".to_owned(), resource.to_string().into());
    }
    Value::Object(all)
}

fn attributes(node: &Node) -> Value {
    let mut all = Map::new();
    all.insert("name".to_owned(), node.name.as_str().into());
    if let Some(namespace) = &node.namespace {
        all.insert("namespace".to_owned(), namespace.as_str().into());
    }
    Value::Object(all)
}

fn evidence_json(evidence: &Evidence) -> Value {
    let mut all = Map::new();
    all.insert("source".to_owned(), evidence.source.into());
    if !evidence.detail.is_empty() {
        all.insert("detail".to_owned(), evidence.detail.as_str().into());
    }
    Value::Object(all)
}
