//! The graph as it should be.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What identifies a thing: its account, and its key there.
pub(super) type Key = (Uuid, String);

/// Kinds that are of interest only where something uses them.
const ONLY_USED: [&str; 5] =
    ["ConfigMap", "K8sSecret", "K8sServiceAccount", "PersistentVolume", super::cloud::ACCOUNT_KIND];

/// A thing of the graph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thing {
    /// One of the node types of the contract, such as `Workload`.
    pub kind: String,
    pub name: String,
    pub namespace: Option<String>,
    pub labels: Map<String, Value>,
    /// The row it stands for.
    pub resource: Option<Uuid>,
    /// Where it is known from: `kubernetes`, `cloud`, `tags` or `events`.
    pub source: &'static str,
    /// What else is worth showing.
    pub properties: Map<String, Value>,
}

/// Why a relation is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Basis {
    /// Such as `owner reference` or `selector`.
    pub source: &'static str,
    /// The words of the source, such as the selector.
    pub detail: String,
}

/// Things by key, and relations by where from, where to and kind.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub things: BTreeMap<Key, Thing>,
    pub links: BTreeMap<(Key, Key, &'static str), Basis>,
    /// Things that are stored already and stay as they are.
    pub stored: BTreeSet<Key>,
    by_resource: BTreeMap<Uuid, Key>,
}

impl Plan {
    pub fn thing(&mut self, key: Key, thing: Thing) {
        if let Some(resource) = thing.resource {
            self.by_resource.insert(resource, key.clone());
        }
        self.things.insert(key, thing);
    }

    /// Relates two things. One that is not there, or the same thing twice, makes no relation; the first basis stays.
    pub fn link(&mut self, from: &Key, to: &Key, relation: &'static str, source: &'static str, detail: &str) {
        if from != to && self.has(from) && self.has(to) {
            let basis = || Basis { source, detail: detail.to_owned() };
            self.links.entry((from.clone(), to.clone(), relation)).or_insert_with(basis);
        }
    }

    fn has(&self, key: &Key) -> bool {
        self.things.contains_key(key) || self.stored.contains(key)
    }

    pub fn of_resource(&self, resource: Uuid) -> Option<&Key> {
        self.by_resource.get(&resource)
    }

    /// Takes out things nobody needs to see by themselves.
    pub fn leave_out_unused(&mut self) {
        let used: BTreeSet<&Key> = self.links.keys().flat_map(|(from, to, _)| [from, to]).collect();
        let unused: Vec<Key> = self
            .things
            .iter()
            .filter(|(key, thing)| ONLY_USED.contains(&thing.kind.as_str()) && !used.contains(key))
            .map(|(key, _)| key.clone())
            .collect();
        for key in unused {
            self.things.remove(&key);
        }
    }
}

/// The object a JSON cell holds; empty for anything else.
pub(super) fn object(json: Option<&model::Json>) -> Map<String, Value> {
    json.and_then(|json| json.parse().ok()).unwrap_or_default()
}
