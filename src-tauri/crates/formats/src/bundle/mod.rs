//! Reads support bundles of troubleshoot and must-gather archives: the cluster's objects, logs and analyzer results.

mod analysis;
mod logs;
mod names;

use crate::format::Format;
use crate::head::Head;
use crate::kubernetes::{Dump, json_path, read_documents, read_yaml};
use crate::read_error::ReadError;
use crate::record::Record;
use crate::shape::archive::{Member, members, visible_members};
use crate::shape::{DOCUMENT_BYTES, Json, yaml};
use crate::sink::{InnerFile, InnerOutcome, Position, Sink};
use logs::{Logs, Origin};
use names::{Part, part};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// The entry in the list of formats.
pub const FORMAT: Format = Format {
    id: "support-bundle",
    title: "Support bundle",
    source: "kubectl support-bundle (troubleshoot.sh) or oc adm must-gather, packed as .tar.gz",
    fills: "the cluster and all that is in it, events, logs, insights",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let files = visible_members(head.bytes);
    let is_bundle = |(name, content): &(String, &[u8])| {
        let is_version =
            name.ends_with("version.yaml") && String::from_utf8_lossy(content).contains("SupportBundle");
        name.contains("cluster-scoped-resources/")
            || name.contains("cluster-resources/")
            || name.contains("host-collectors/")
            || is_version
    };
    let is_log =
        |(name, _): &(String, &[u8])| matches!(part(name), Part::Log { .. } | Part::Analysis | Part::Version);
    if files.iter().any(is_bundle) {
        95
    } else if files.iter().any(is_log) {
        // Other archives contain logs too, but no known one has a folder of them per pod.
        60
    } else {
        0
    }
}

/// The state of reading a bundle.
#[derive(Default)]
struct Bundle {
    dump: Dump,
    logs: Logs,
    analyses: Vec<(Position, Value)>,
    is_of_hosts: bool,
    has_objects: bool,
    /// The number of files that are not read, by folder.
    others: BTreeMap<String, u32>,
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut bundle = Bundle { dump: Dump::with_buffer(200_000), ..Bundle::default() };
    let passed_over = members(bytes, &mut |member| bundle.member(member, sink))?;
    if !bundle.has_objects && bundle.is_of_hosts {
        return Err(ReadError::Refused {
            message: "This support bundle was made of hosts only: it has no cluster-resources. Nothing was imported. Make one \
                      with collectors of the cluster (clusterResources)."
                .to_owned(),
            expected: "a support bundle with cluster-resources".to_owned(),
            found: "a support bundle with host-collectors only".to_owned(),
        });
    }
    if !bundle.has_objects {
        return Err(ReadError::Refused {
            message: "The archive looks like a support bundle, but has no objects of a cluster in cluster-resources. Nothing \
                      was imported."
                .to_owned(),
            expected: "cluster-resources with objects".to_owned(),
            found: "no cluster-resources".to_owned(),
        });
    }
    let namespaces = bundle.dump.namespaces_of_pods();
    bundle.dump.finish(sink)?;
    let account = bundle.dump.account();
    for (place, entry) in bundle.analyses {
        match analysis::insight(&entry, &account) {
            Ok(insight) => sink.record(&place, Record::Insight(Box::new(insight)))?,
            Err(reason) => {
                sink.skip(&place, reason, json_path::str_at(&entry, &["name"]).unwrap_or_default())?;
            }
        }
    }
    let namespace_of = |pod: &str| namespaces.get(pod).cloned().flatten();
    bundle.logs.write(&account, bundle.dump.taken_at(), &namespace_of, sink)?;
    if passed_over > 0 {
        sink.note(format!(
            "{passed_over} links of the bundle were passed over; what they point to is read where it lies."
        ));
    }
    if !bundle.others.is_empty() {
        let all: Vec<String> =
            bundle.others.iter().map(|(folder, count)| format!("{folder} ({count})")).collect();
        sink.note(format!("Files in the bundle that are not supported: {}.", all.join(", ")));
    }
    Ok(())
}

const DAMAGED: &str = "The file is damaged";

impl Bundle {
    /// Reads a file and lists it; a log is listed when its lines are read.
    fn member(&mut self, mut member: Member<'_>, sink: &mut dyn Sink) -> Result<(), ReadError> {
        if let Some(outcome) = self.read(&mut member, sink)? {
            sink.file(InnerFile { name: member.name.to_owned(), size_bytes: member.size, outcome });
        }
        Ok(())
    }

    fn read(
        &mut self,
        member: &mut Member<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Option<InnerOutcome>, ReadError> {
        let whole = Position(member.name.to_owned());
        let outcome = match part(member.name) {
            Part::Objects { kind, namespace, is_whole } => {
                self.has_objects = true;
                let mut json = Json::new(member.content);
                let read = read_documents(&mut json, member.name, kind, &mut self.dump, sink);
                if let (Ok(()), Some(kind)) = (&read, kind.filter(|_| is_whole)) {
                    self.dump.mark_complete(kind, namespace.as_deref());
                }
                let what = kind.map_or_else(|| "Objects".to_owned(), |kind| format!("{kind} objects"));
                read_or_damaged(read, what, &whole, sink)?
            }
            Part::Yaml => {
                let is_custom = member.name.contains("custom-resources/");
                self.has_objects |= !is_custom;
                let text = yaml::text(member.content);
                // OpenShift collectors select objects; a list is seldom complete.
                let read = text.and_then(|text| read_yaml(&text, member.name, false, &mut self.dump, sink));
                read_or_damaged(read, "Objects".to_owned(), &whole, sink)?
            }
            Part::Log { .. } if member.size == 0 => InnerOutcome::Skipped("The file is empty"),
            Part::Log { namespace, pod, container, is_previous } => {
                let origin = Origin { namespace, pod, container, is_previous };
                if self.logs.store(member, origin)? {
                    return Ok(None);
                }
                sink.skip(&whole, "the logs of the bundle are longer than is read", "")?;
                InnerOutcome::Skipped("The logs of the bundle are longer than is read")
            }
            Part::Analysis => {
                let read = self.analysis(member, &whole);
                read_or_damaged(read, "Results of analyzers".to_owned(), &whole, sink)?
            }
            Part::Version => self.version(member),
            Part::Host => {
                self.is_of_hosts = true;
                InnerOutcome::Skipped("Files of host collectors are not read")
            }
            Part::Other => {
                let mut folders = member.name.split('/').rev().skip(1);
                let folder = folders.next().unwrap_or(member.name).to_owned();
                *self.others.entry(folder).or_default() += 1;
                InnerOutcome::Skipped("Files of this kind are not read")
            }
        };
        Ok(Some(outcome))
    }

    fn analysis(&mut self, member: &mut Member<'_>, whole: &Position) -> Result<(), ReadError> {
        let Value::Array(entries) = Json::new(member.content).value(DOCUMENT_BYTES)? else {
            return Err(ReadError::Refused {
                message: String::new(),
                expected: "a list".to_owned(),
                found: String::new(),
            });
        };
        let place = |index| Position(format!("{} $[{index}]", whole.0));
        self.analyses.extend(entries.into_iter().enumerate().map(|(index, entry)| (place(index), entry)));
        Ok(())
    }

    fn version(&mut self, member: &mut Member<'_>) -> InnerOutcome {
        let version = Json::new(member.content).value(DOCUMENT_BYTES).unwrap_or_default();
        let words = json_path::str_at(&version, &["string"])
            .or_else(|| json_path::str_at(&version, &["info", "gitVersion"]));
        let Some(words) = words else { return InnerOutcome::Skipped(DAMAGED) };
        self.dump.version(words);
        InnerOutcome::ReadAs("Version of the cluster".to_owned())
    }
}

/// The outcome for a file; a damaged file does not stop the bundle.
fn read_or_damaged(
    read: Result<(), ReadError>,
    what: String,
    whole: &Position,
    sink: &mut dyn Sink,
) -> Result<InnerOutcome, ReadError> {
    match read {
        Ok(()) => Ok(InnerOutcome::ReadAs(what)),
        Err(ReadError::Refused { found, .. }) => {
            sink.skip(whole, "the file is damaged", &found)?;
            Ok(InnerOutcome::Skipped(DAMAGED))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::tests::{RecordCollector, shared_bytes};
    use crate::record::ClusterObject;
    use crate::shape::archive::tests::tar_of;

    fn taken(bytes: &[u8]) -> RecordCollector {
        let mut taken = RecordCollector::default();
        read(&mut &*bytes, &mut taken).unwrap();
        taken
    }

    fn count(taken: &RecordCollector, of: &dyn Fn(&Record) -> bool) -> usize {
        taken.records.iter().filter(|(_, record)| of(record)).count()
    }

    #[test]
    fn logs_find_their_namespace_and_year_whatever_the_order() {
        let pods = r#"{"kind": "PodList", "items": [{"metadata": {"name": "web-1", "namespace": "shop", "uid": "p1",
            "creationTimestamp": "2026-01-02T00:00:00Z"}, "spec": {}, "status": {}}]}"#;
        let bytes = tar_of(&[
            ("b/app/web-1/web.log", "starting\nI0102 11:00:00.000000       1 a.go:1] x\n"),
            ("b/other/db-0/db.log", "no time at all\n"),
            ("b/cluster-resources/pods/shop.json", pods),
            ("b/cluster-resources/nodes.json", "[{\"metadata\": {\"name\""),
        ]);
        assert_eq!(certainty(&Head::new(&bytes, true)), 95);
        let taken = taken(&bytes);
        let lines: Vec<_> = taken
            .records
            .iter()
            .filter_map(|(_, record)| match record {
                Record::LogLine(line) => Some(line),
                _ => None,
            })
            .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(Some(lines[0].at), catalogue::parse_timestamp("2026-01-02T11:00:00Z"));
        assert_eq!(lines[0].labels["namespace"], "shop");
        let reasons: Vec<&str> = taken.skipped.iter().map(|(_, reason)| *reason).collect();
        assert_eq!(reasons, ["the file is damaged", "no line of its log has a time"]);
        let files: Vec<String> = taken.files.iter().map(listed).collect();
        assert_eq!(
            files,
            [
                "b/cluster-resources/pods/shop.json, 180 bytes: Pod objects",
                "b/cluster-resources/nodes.json, 21 bytes: not read. The file is damaged",
                "b/app/web-1/web.log, 49 bytes: Log of a container",
                "b/other/db-0/db.log, 15 bytes: not read. No line of the log has a time",
            ]
        );
    }

    fn listed(file: &InnerFile) -> String {
        let outcome = match &file.outcome {
            InnerOutcome::ReadAs(what) => what.clone(),
            InnerOutcome::Skipped(reason) => format!("not read. {reason}"),
        };
        format!("{}, {} bytes: {outcome}", file.name, file.size_bytes)
    }

    #[test]
    fn every_file_of_a_bundle_is_listed_once() {
        let bytes = tar_of(&[
            ("b/cluster-resources/pods/shop.json", r#"{"kind": "PodList", "items": []}"#),
            ("b/cluster-resources/roles/shop.json", "{}"),
            ("b/cluster-resources/pods/logs/shop/web-1/web-previous.log", ""),
            ("b/host-collectors/system/cpu.json", "{}"),
            ("b/analysis.json", "{}"),
            ("b/cluster-info/cluster_version.json", r#"{"string": "v1.31.0"}"#),
        ]);
        let files: Vec<String> = taken(&bytes).files.iter().map(listed).collect();
        assert_eq!(
            files,
            [
                "b/cluster-resources/pods/shop.json, 32 bytes: Pod objects",
                "b/cluster-resources/roles/shop.json, 2 bytes: not read. Files of this kind are not read",
                "b/cluster-resources/pods/logs/shop/web-1/web-previous.log, 0 bytes: not read. The file is empty",
                "b/host-collectors/system/cpu.json, 2 bytes: not read. Files of host collectors are not read",
                "b/analysis.json, 2 bytes: not read. The file is damaged",
                "b/cluster-info/cluster_version.json, 21 bytes: Version of the cluster",
            ]
        );
    }

    #[test]
    fn a_must_gather_is_read() {
        let node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  uid: u1\nstatus:\n  capacity:\n    cpu: \"4\"\n    memory: 8Gi\n";
        let pods = "apiVersion: v1\nkind: PodList\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-1\n    namespace: shop\n  spec: {}\n  status: {}\n";
        let bytes = tar_of(&[
            ("must-gather/quay/cluster-scoped-resources/core/nodes/n1.yaml", node),
            ("must-gather/quay/namespaces/shop/core/pods.yaml", pods),
            (
                "must-gather/quay/namespaces/shop/pods/web-1/web/web/logs/current.log",
                "2026-01-02T12:00:00Z hello\n",
            ),
        ]);
        assert_eq!(certainty(&Head::new(&bytes, true)), 95);
        let taken = taken(&bytes);
        assert_eq!((taken.objects().len(), taken.pods().len(), taken.skipped.len()), (2, 1, 0));
        assert_eq!(count(&taken, &|record| matches!(record, Record::LogLine(_))), 1);
        assert!(taken.cluster().complete_listings.is_empty());
    }

    #[test]
    fn a_bundle_of_hosts_says_so() {
        let bytes = tar_of(&[("b/host-collectors/system/cpu.json", "{}")]);
        let refused = read(&mut bytes.as_slice(), &mut RecordCollector::default());
        assert!(matches!(refused, Err(ReadError::Refused { message, .. }) if message.contains("hosts only")));
    }

    #[test]
    fn a_real_bundle_gives_what_is_in_it() {
        let Some(bytes) = shared_bytes("kubernetes/support-bundle.tar.gz") else { return };
        let taken = taken(&bytes);
        let objects = |kind: &str| {
            count(&taken, &|record| match record {
                Record::ClusterObject(object) => match &**object {
                    ClusterObject::Node(_) => kind == "Node",
                    ClusterObject::Namespace(_) => kind == "Namespace",
                    ClusterObject::Pod(_) => kind == "Pod",
                    ClusterObject::Workload(workload) => workload.kind == kind,
                    ClusterObject::Other { kind: other, .. } => other == kind,
                },
                _ => false,
            })
        };
        for (kind, number) in [
            ("Node", 1),
            ("Namespace", 4),
            ("Pod", 8),
            ("Deployment", 5),
            ("ReplicaSet", 6),
            ("Job", 2),
            ("StatefulSet", 0),
            ("Service", 4),
            ("PersistentVolumeClaim", 4),
            ("PersistentVolume", 4),
        ] {
            assert_eq!(objects(kind), number, "{kind}");
        }
        assert_eq!(count(&taken, &|record| matches!(record, Record::Event(_))), 5);
        assert_eq!(count(&taken, &|record| matches!(record, Record::Insight(_))), 10);
        assert_eq!(taken.cluster().version.as_deref(), Some("v1.24.4+k3s1"));
        let containers: usize = taken.pods().iter().map(|pod| pod.containers.len()).sum();
        assert_eq!(containers, 10);
        assert!(count(&taken, &|record| matches!(record, Record::LogLine(_))) > 1_000);
    }
}
