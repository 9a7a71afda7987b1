//! Tests with whole files, as kubectl and similar tools write them.

use super::FORMAT;
use crate::head::Head;
use crate::read_error::ReadError;
use crate::record::{Cluster, ClusterObject, Event, Pod, Record};
use crate::sink::{InnerFile, Position, Sink};
use serde_json::json;
use std::path::PathBuf;

#[derive(Default)]
pub struct RecordCollector {
    pub records: Vec<(String, Record)>,
    pub skipped: Vec<(String, &'static str)>,
    pub notes: Vec<String>,
    pub files: Vec<InnerFile>,
}

impl Sink for RecordCollector {
    fn record(&mut self, place: &Position, record: Record) -> Result<(), ReadError> {
        self.records.push((place.0.clone(), record));
        Ok(())
    }

    fn skip(&mut self, place: &Position, reason: &'static str, _quote: &str) -> Result<(), ReadError> {
        self.skipped.push((place.0.clone(), reason));
        Ok(())
    }

    fn file(&mut self, file: InnerFile) {
        self.files.push(file);
    }

    fn note(&mut self, sentence: String) {
        self.notes.push(sentence);
    }
}

impl RecordCollector {
    pub fn of(text: &str) -> Self {
        assert!((FORMAT.certainty)(&Head::new(text.as_bytes(), true)) > 50, "not recognised: {text:.80}");
        let mut taken = Self::default();
        (FORMAT.read)(&mut text.as_bytes(), &mut taken).unwrap();
        taken
    }

    pub fn cluster(&self) -> &Cluster {
        let mut clusters = self.records.iter().rev().filter_map(|(_, record)| match record {
            Record::Cluster(cluster) => Some(cluster),
            _ => None,
        });
        clusters.next().unwrap()
    }

    pub fn objects(&self) -> Vec<&ClusterObject> {
        self.records
            .iter()
            .filter_map(|(_, record)| match record {
                Record::ClusterObject(object) => Some(&**object),
                _ => None,
            })
            .collect()
    }

    pub fn pods(&self) -> Vec<&Pod> {
        self.objects()
            .into_iter()
            .filter_map(|object| match object {
                ClusterObject::Pod(pod) => Some(pod),
                _ => None,
            })
            .collect()
    }

    pub fn events(&self) -> Vec<&Event> {
        self.records
            .iter()
            .filter_map(|(_, record)| match record {
                Record::Event(event) => Some(&**event),
                _ => None,
            })
            .collect()
    }
}

/// The content of a real file; `None` when the folder of real files is not available.
pub fn shared_bytes(name: &str) -> Option<Vec<u8>> {
    let folder =
        std::env::var_os("SHARED_DATA").map_or_else(|| PathBuf::from("/work/shared/data"), PathBuf::from);
    let bytes = std::fs::read(folder.join(name)).ok();
    if bytes.is_none() {
        eprintln!("{name} is not there; nothing was tried");
    }
    bytes
}

/// The content of a real file as text.
pub fn shared(name: &str) -> Option<String> {
    shared_bytes(name).map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_list_of_several_kinds_is_one_cluster() {
    let list = json!({"apiVersion": "v1", "items": [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-7d9f-x", "namespace": "shop", "uid": "p1",
            "labels": {"pod-template-hash": "7d9f"}, "ownerReferences": [{"kind": "ReplicaSet", "name": "web-7d9f", "controller": true}]},
            "spec": {"containers": [{"name": "c"}]}, "status": {"phase": "Running"}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "db-0", "namespace": "data", "uid": "p2"}, "spec": {}, "status": {}},
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": "the-cluster",
            "creationTimestamp": "2026-01-01T00:00:00Z"}},
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {}},
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "shop"}, "data": {"a": "aHVudGVyMg=="}},
    ], "kind": "List"});
    let taken = RecordCollector::of(&list.to_string());
    assert_eq!(taken.cluster().number, "the-cluster");
    assert_eq!(
        taken.skipped,
        [("$.items[3].status.capacity.cpu".to_owned(), "a required field is missing or invalid")]
    );
    assert_eq!(taken.objects().len(), 4);
    let owner = taken.pods()[0].owner.clone().unwrap();
    assert_eq!((owner.kind.as_str(), owner.name.as_str()), ("Deployment", "web"));
    let whole: Vec<_> = taken
        .cluster()
        .complete_listings
        .iter()
        .map(|whole| (whole.kind.as_str(), whole.namespace.as_deref()))
        .collect();
    assert!(whole.contains(&("Pod", None)) && whole.contains(&("Secret", None)), "{whole:?}");
    assert!(!format!("{:?}", taken.objects()).contains("aHVudGVyMg"));
}

#[test]
fn the_kind_of_a_list_may_stand_behind_its_items() {
    let list = r#"{"items": [{"metadata": {"name": "web", "namespace": "shop", "uid": "d1"}, "spec": {}}], "kind": "DeploymentList", "apiVersion": "apps/v1"}"#;
    let taken = RecordCollector::of(list);
    assert!(matches!(taken.objects()[0], ClusterObject::Workload(workload) if workload.kind == "Deployment"));
    assert_eq!(taken.records[1].0, "$.items[0]");
}

#[test]
fn yaml_gives_the_same_as_json() {
    let yaml = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-1\n    namespace: shop\n    uid: p1\n    \
        creationTimestamp: \"2026-01-01T00:00:00Z\"\n  spec:\n    containers:\n    - name: c\n      resources:\n        requests:\n          \
        cpu: 100m\n          memory: 128974848\n  status:\n    phase: Running\nkind: List\nmetadata:\n  resourceVersion: \"\"\n";
    let json = json!({"apiVersion": "v1", "items": [{"apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "web-1", "namespace": "shop", "uid": "p1", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "100m", "memory": 128_974_848}}}]},
        "status": {"phase": "Running"}}], "kind": "List", "metadata": {"resourceVersion": ""}});
    let (yaml, json) = (RecordCollector::of(yaml), RecordCollector::of(&json.to_string()));
    assert_eq!(yaml.pods()[0].containers[0].memory_request, Some(128_974_848));
    assert_eq!(yaml.records, json.records);
}

#[test]
fn a_page_of_a_list_is_not_whole() {
    let list = json!({"kind": "PodList", "apiVersion": "v1", "metadata": {"continue": "abc"}, "items": [
        {"metadata": {"name": "a", "namespace": "x"}, "spec": {}, "status": {}}]});
    assert!(RecordCollector::of(&list.to_string()).cluster().complete_listings.is_empty());
}

#[test]
fn each_real_file_of_clusters_is_recognised_as_what_it_is() {
    for (name, id) in [
        ("kubernetes/lists/nodes.json", "kubernetes"),
        ("kubernetes/openshift/nodes.json", "kubernetes"),
        ("kubernetes/single/po.json", "kubernetes"),
        ("kubernetes/incidents/events-message-image-pull-fail.json", "kubernetes"),
        ("opencost/allocation-example-output.json", "opencost"),
        ("opencost/cloudCost-example-output.json", "opencost"),
        ("opencost/export-sample.csv", "opencost"),
    ] {
        let Some(bytes) = shared_bytes(name) else { return };
        let head = Head::new(&bytes[..bytes.len().min(65_536)], bytes.len() <= 65_536);
        let sure: Vec<&str> = crate::FORMATS
            .iter()
            .filter(|format| (format.certainty)(&head) > 50)
            .map(|format| format.id)
            .collect();
        assert_eq!(sure, [id], "{name}");
    }
}

#[test]
fn real_files_give_what_is_in_them() {
    for (name, kind, number) in [
        ("lists/deployments-kube-system.json", "Deployment", 2),
        ("lists/deployments-monitoring.json", "Deployment", 4),
        ("lists/jobs-test.json", "Job", 2),
        ("lists/nodes.json", "Node", 7),
        ("lists/replicasets-default.json", "ReplicaSet", 2),
        ("lists/statefulsets-monitoring.json", "StatefulSet", 2),
        ("openshift/nodes.json", "Node", 6),
        ("single/dp.json", "Deployment", 1),
        ("single/po.json", "Pod", 1),
        ("incidents/pods-message-oomkill-pod.json", "Pod", 1),
    ] {
        let Some(text) = shared(&format!("kubernetes/{name}")) else { return };
        let taken = RecordCollector::of(&text);
        assert_eq!(taken.skipped, [], "{name}");
        let kinds: Vec<&str> = taken
            .objects()
            .iter()
            .map(|object| match object {
                ClusterObject::Node(_) => "Node",
                ClusterObject::Workload(workload) => &workload.kind,
                ClusterObject::Pod(_) => "Pod",
                _ => "other",
            })
            .collect();
        assert_eq!(kinds, vec![kind; number], "{name}");
    }
    let status = |name: &str| {
        Some(RecordCollector::of(&shared(&format!("kubernetes/incidents/{name}"))?).pods()[0].status.clone())
    };
    assert_eq!(status("pods-message-oomkill-pod.json").as_deref(), Some("OOMKilled"));
    assert_eq!(status("pods-message-pending-pod-resources.json").as_deref(), Some("Pending"));
    assert_eq!(status("pods-message-pod-crashloop-backoff.json").as_deref(), Some("CrashLoopBackOff"));
    let Some(text) = shared("kubernetes/incidents/events-message-image-pull-fail.json") else { return };
    let taken = RecordCollector::of(&text);
    assert_eq!((taken.events().len(), taken.skipped.len()), (17, 0));
}
