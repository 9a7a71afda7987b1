//! Converts the objects of one cluster dump to records.

use super::event::event;
use super::json_path::{str_at, string_at, time_at, value_at};
use super::kind::{is_cluster_wide, kind_of};
use super::mask::bounded;
use super::node::node;
use super::parts::owner;
use super::pod::pod;
use super::rule;
use super::times::latest;
use super::vpa;
use super::workload::{self, workload};
use crate::read_error::ReadError;
use crate::record::{Account, Cluster, ClusterObject, CompleteListing, Namespace, Owner, Record};
use crate::sink::{Position, Sink};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of records buffered until the cluster is identified.
const BUFFER_SIZE: usize = 20_000;
/// Maximum number of uids and of nodes recorded to identify a cluster.
const KNOWN_BY: usize = 200;
/// Node labels that contain the cluster's name.
const CLUSTER_LABELS: [&str; 4] = [
    "alpha.eksctl.io/cluster-name",
    "kubernetes.azure.com/cluster",
    "cluster.x-k8s.io/cluster-name",
    "kops.k8s.io/cluster",
];
/// The provider of all clusters.
const PROVIDER: &str = "K8s";

/// Converts objects to records and identifies their cluster.
pub struct Dump {
    buffer_size: usize,
    buffered: Vec<(Position, Record)>,
    account: Option<Account>,
    /// The uid of `kube-system`, or the cluster's own id.
    own_id: Option<String>,
    own_name: Option<String>,
    /// The oldest object: its creation time, its identity and its description.
    oldest: Option<(i64, String, String)>,
    version: Option<String>,
    taken_at: Option<i64>,
    uids: Vec<String>,
    nodes: BTreeSet<String>,
    complete_listings: BTreeSet<CompleteListing>,
    replica_sets: BTreeMap<(String, String), Owner>,
}

impl Default for Dump {
    fn default() -> Self {
        Self::with_buffer(BUFFER_SIZE)
    }
}

impl Dump {
    /// A dump that identifies its cluster after `buffer_size` records.
    pub fn with_buffer(buffer_size: usize) -> Self {
        Self {
            buffer_size,
            buffered: Vec::new(),
            account: None,
            own_id: None,
            own_name: None,
            oldest: None,
            version: None,
            taken_at: None,
            uids: Vec::new(),
            nodes: BTreeSet::new(),
            complete_listings: BTreeSet::new(),
            replica_sets: BTreeMap::new(),
        }
    }

    /// The namespaces of the buffered pods by pod name; `None` for a name that occurs in several namespaces.
    pub fn namespaces_of_pods(&self) -> BTreeMap<String, Option<String>> {
        let mut namespaces = BTreeMap::new();
        for (_, record) in &self.buffered {
            let Record::ClusterObject(object) = record else { continue };
            if let ClusterObject::Pod(pod) = &**object {
                let known = namespaces.entry(pod.name.clone()).or_insert_with(|| Some(pod.namespace.clone()));
                if known.as_ref() != Some(&pod.namespace) {
                    *known = None;
                }
            }
        }
        namespaces
    }

    /// Sets the cluster's version, for sources other than objects.
    pub fn version(&mut self, version: &str) {
        self.version = Some(version.to_owned());
    }

    /// Records that a kind is listed completely.
    pub fn mark_complete(&mut self, kind: &str, namespace: Option<&str>) {
        if kind != "Event" {
            self.complete_listings
                .insert(CompleteListing { kind: kind.to_owned(), namespace: namespace.map(str::to_owned) });
        }
    }

    /// Processes one object. `list_kind` is the kind of its list.
    pub fn object(
        &mut self,
        place: Position,
        object: &Value,
        list_kind: Option<&str>,
        sink: &mut dyn Sink,
    ) -> Result<(), ReadError> {
        let name = str_at(object, &["metadata", "name"]).unwrap_or_default();
        if !object.is_object() || !value_at(object, &["metadata"]).is_object() {
            return sink.skip(&place, "not a Kubernetes object: no metadata", "");
        }
        let Some(kind) = kind_of(object, list_kind) else {
            return sink.skip(&place, "unknown kind", name);
        };
        self.collect_identity(&kind, object);
        match read(&kind, object) {
            Ok(record) => {
                self.buffer(place.clone(), record, sink)?;
                if kind == "VerticalPodAutoscaler" {
                    for recommendation in vpa::of_object(&self.identity(), object) {
                        self.buffer(place.clone(), Record::Finding(Box::new(recommendation)), sink)?;
                    }
                }
                if kind == "PrometheusRule" {
                    for rule in rule::of_object(&self.identity(), object) {
                        self.buffer(place.clone(), Record::AlertRule(Box::new(rule)), sink)?;
                    }
                }
                Ok(())
            }
            Err(field) => {
                let path = field.split('.').fold(place.0, |path, part| format!("{path}.{part}"));
                sink.skip(
                    &Position(path),
                    "a required field is missing or invalid",
                    &format!("{kind} {name}"),
                )
            }
        }
    }

    /// Writes the buffered records, and the cluster with everything known at the end.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), ReadError> {
        let was_open = self.account.is_some();
        self.open(sink)?;
        if was_open {
            let record = Record::Cluster(self.cluster());
            sink.record(&Position("$".to_owned()), record)?;
        }
        Ok(())
    }

    /// The cluster's account. It is final once the first record has been written.
    pub fn account(&self) -> Account {
        self.account.clone().unwrap_or_else(|| self.identity())
    }

    /// When the dump was taken, estimated from the objects (see `latest`).
    pub fn taken_at(&self) -> Option<i64> {
        self.taken_at
    }

    /// Whether any object has been seen.
    pub fn is_empty(&self) -> bool {
        self.oldest.is_none() && self.uids.is_empty() && self.nodes.is_empty()
    }

    fn buffer(&mut self, place: Position, record: Record, sink: &mut dyn Sink) -> Result<(), ReadError> {
        if self.account.is_some() {
            return self.write(&place, record, sink);
        }
        self.buffered.push((place, record));
        if self.buffered.len() >= self.buffer_size {
            self.open(sink)?;
        }
        Ok(())
    }

    /// Decides which cluster it is, and writes the buffered records.
    fn open(&mut self, sink: &mut dyn Sink) -> Result<(), ReadError> {
        if self.account.is_some() {
            return Ok(());
        }
        self.account = Some(self.identity());
        sink.record(&Position("$".to_owned()), Record::Cluster(self.cluster()))?;
        for (place, record) in std::mem::take(&mut self.buffered) {
            self.write(&place, record, sink)?;
        }
        Ok(())
    }

    fn write(&self, place: &Position, mut record: Record, sink: &mut dyn Sink) -> Result<(), ReadError> {
        match &mut record {
            Record::Event(event) => event.account.clone_from(&self.account),
            Record::AlertRule(rule) => rule.account.clone_from(&self.account),
            Record::Finding(finding) => {
                if let Some(account) = &self.account {
                    finding.account = account.clone();
                }
            }
            Record::ClusterObject(object) => {
                if let ClusterObject::Pod(pod) = &mut **object {
                    let of_set = pod.owner.as_ref().filter(|owner| owner.kind == "ReplicaSet");
                    let key = of_set.map(|owner| (pod.namespace.clone(), owner.name.clone()));
                    let owner = key.and_then(|key| self.replica_sets.get(&key).cloned());
                    if owner.is_some() {
                        pod.owner = owner;
                    }
                }
            }
            _ => {}
        }
        sink.record(place, record)
    }

    /// Collects the information about the cluster that an object contains.
    fn collect_identity(&mut self, kind: &str, object: &Value) {
        self.taken_at = self.taken_at.max(latest(object));
        let uid = str_at(object, &["metadata", "uid"]);
        let name = str_at(object, &["metadata", "name"]).unwrap_or_default();
        match kind {
            "Event" => return,
            "Namespace" if name == "kube-system" => self.own_id = string_at(object, &["metadata", "uid"]),
            "ClusterVersion" if self.own_id.is_none() => {
                self.own_id = string_at(object, &["spec", "clusterID"]);
            }
            "Node" => {
                let labels = value_at(object, &["metadata", "labels"]);
                let named = CLUSTER_LABELS.iter().find_map(|label| str_at(labels, &[label]));
                self.own_name = self.own_name.take().or_else(|| named.map(str::to_owned));
                let kubelet = string_at(object, &["status", "nodeInfo", "kubeletVersion"]);
                self.version = self.version.take().or(kubelet);
            }
            "ReplicaSet" => {
                if let Some(owner) = owner(object) {
                    let namespace = string_at(object, &["metadata", "namespace"]).unwrap_or_default();
                    if self.replica_sets.len() < BUFFER_SIZE {
                        self.replica_sets.insert((namespace, name.to_owned()), owner);
                    }
                }
            }
            _ => {}
        }
        let namespace = str_at(object, &["metadata", "namespace"]).unwrap_or_default();
        let identity = uid.map_or_else(|| format!("{kind}/{namespace}/{name}"), str::to_owned);
        if self.uids.len() < KNOWN_BY && uid.is_some() {
            self.uids.push(identity.clone());
        }
        let node = if kind == "Node" { Some(name) } else { str_at(object, &["spec", "nodeName"]) };
        if let Some(node) = node.filter(|_| self.nodes.len() < KNOWN_BY) {
            self.nodes.insert(node.to_owned());
        }
        let made = time_at(object, &["metadata", "creationTimestamp"]).unwrap_or(i64::MAX);
        let title = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
        let this = (made, identity, title);
        if self.oldest.as_ref().is_none_or(|oldest| this < *oldest) {
            self.oldest = Some(this);
        }
    }

    fn identity(&self) -> Account {
        let of_node = self.nodes.first().map(|name| format!("Cluster of node {name}"));
        let of_object = self.oldest.as_ref().map(|(_, _, title)| format!("Cluster of {title}"));
        let oldest = self.oldest.as_ref().map(|(_, identity, _)| identity.clone());
        Account {
            provider: PROVIDER.to_owned(),
            number: self.own_id.clone().or(oldest).unwrap_or_else(|| "unknown".to_owned()),
            name: self.own_name.clone().or(of_node).or(of_object),
        }
    }

    fn cluster(&self) -> Cluster {
        let account = self.account();
        Cluster {
            number: account.number,
            name: account.name,
            version: self.version.clone(),
            taken_at: self.taken_at,
            complete_listings: self.complete_listings.iter().cloned().collect(),
            has_own_id: self.own_id.is_some(),
            uids: self.uids.clone(),
            nodes: self.nodes.iter().cloned().collect(),
            pods: Vec::new(),
        }
    }
}

/// Reads one object; `Err` names the missing field.
fn read(kind: &str, object: &Value) -> Result<Record, &'static str> {
    let read = match kind {
        "Event" => {
            let nobody = Account { provider: PROVIDER.to_owned(), number: String::new(), name: None };
            return Ok(Record::Event(Box::new(event(object, &nobody)?)));
        }
        "Pod" => {
            let mut pod = pod(object)?;
            pod.owner = pod.owner.map(|owner| deployment(owner, &pod.labels));
            ClusterObject::Pod(pod)
        }
        "Node" => ClusterObject::Node(node(object)?),
        "Namespace" => ClusterObject::Namespace(Namespace {
            name: string_at(object, &["metadata", "name"]).ok_or("metadata.name")?,
            created_at: time_at(object, &["metadata", "creationTimestamp"]),
        }),
        kind if workload::KINDS.contains(&kind) => ClusterObject::Workload(workload(object, kind)?),
        kind => other(kind, object)?,
    };
    Ok(Record::ClusterObject(Box::new(read)))
}

/// The deployment or rollout that owns a replica set. Only these put the hash labels on pods, and the set's name ends in the hash.
fn deployment(owner: Owner, labels: &Map<String, Value>) -> Owner {
    if owner.kind == "ReplicaSet" {
        for (label, kind) in [("rollouts-pod-template-hash", "Rollout"), ("pod-template-hash", "Deployment")]
        {
            let hash = labels.get(label).and_then(Value::as_str);
            let name = hash.and_then(|hash| owner.name.strip_suffix(hash)?.strip_suffix('-'));
            if let Some(name) = name {
                return Owner { kind: kind.to_owned(), name: name.to_owned() };
            }
        }
    }
    owner
}

/// An object of any other kind.
fn other(kind: &str, object: &Value) -> Result<ClusterObject, &'static str> {
    Ok(ClusterObject::Other {
        kind: kind.to_owned(),
        namespace: string_at(object, &["metadata", "namespace"]).filter(|_| !is_cluster_wide(kind)),
        name: string_at(object, &["metadata", "name"]).ok_or("metadata.name")?,
        uid: string_at(object, &["metadata", "uid"]),
        created_at: time_at(object, &["metadata", "creationTimestamp"]),
        manifest: bounded(object, kind),
    })
}
