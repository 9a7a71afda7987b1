//! The target state of the graph.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// The key of a graph node: its account, and its key within the account.
pub(super) type Key = (Uuid, String);

/// Node types that are only shown if they have relations.
const ONLY_USED: [&str; 5] =
    ["ConfigMap", "K8sSecret", "K8sServiceAccount", "PersistentVolume", super::cloud::ACCOUNT_KIND];

/// A node of the graph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// One of the node types of the interface contract, such as `Workload`.
    pub kind: String,
    pub name: String,
    pub namespace: Option<String>,
    pub labels: Map<String, Value>,
    /// The resource row that it represents.
    pub resource: Option<Uuid>,
    /// The source of the node: `kubernetes`, `cloud`, `tags` or `events`.
    pub source: &'static str,
    /// Additional properties to show.
    pub properties: Map<String, Value>,
}

/// The evidence for a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evidence {
    /// The kind of evidence, such as `owner reference` or `selector`.
    pub source: &'static str,
    /// The text of the evidence, such as the selector.
    pub detail: String,
}

/// Nodes by key, and relations by source, target and kind.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub nodes: BTreeMap<Key, Node>,
    pub relations: BTreeMap<(Key, Key, &'static str), Evidence>,
    /// Nodes that are stored already and remain unchanged.
    pub stored: BTreeSet<Key>,
    by_resource: BTreeMap<Uuid, Key>,
}

impl Plan {
    pub fn add_node(&mut self, key: Key, node: Node) {
        if let Some(resource) = node.resource {
            self.by_resource.insert(resource, key.clone());
        }
        self.nodes.insert(key, node);
    }

    /// Relates two nodes. Does nothing if one is missing or both are the same; the first evidence is retained.
    pub fn relate(
        &mut self,
        from: &Key,
        to: &Key,
        relation: &'static str,
        source: &'static str,
        detail: &str,
    ) {
        if from != to && self.has(from) && self.has(to) {
            let evidence = || Evidence { source, detail: detail.to_owned() };
            self.relations.entry((from.clone(), to.clone(), relation)).or_insert_with(evidence);
        }
    }

    fn has(&self, key: &Key) -> bool {
        self.nodes.contains_key(key) || self.stored.contains(key)
    }

    pub fn of_resource(&self, resource: Uuid) -> Option<&Key> {
        self.by_resource.get(&resource)
    }

    /// Removes nodes that are only shown with relations and have none.
    pub fn remove_unused(&mut self) {
        let used: BTreeSet<&Key> = self.relations.keys().flat_map(|(from, to, _)| [from, to]).collect();
        let unused: Vec<Key> = self
            .nodes
            .iter()
            .filter(|(key, node)| ONLY_USED.contains(&node.kind.as_str()) && !used.contains(key))
            .map(|(key, _)| key.clone())
            .collect();
        for key in unused {
            self.nodes.remove(&key);
        }
    }
}

/// The JSON object in a cell; empty for anything else.
pub(super) fn object(json: Option<&model::Json>) -> Map<String, Value> {
    json.and_then(|json| json.parse().ok()).unwrap_or_default()
}
