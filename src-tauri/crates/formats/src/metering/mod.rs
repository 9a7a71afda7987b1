//! Reads OpenShift metering: the hourly data for each pod and volume that Red Hat's cost management operator uploads.

use crate::format::Format;
use crate::head::Head;
use crate::kubernetes::json_path::string_at;
use crate::metrics::subject::{CPU_REQUESTED, CPU_USED, MEMORY_REQUESTED, MEMORY_USED, Subject};
use crate::read_error::ReadError;
use crate::record::{Account, Cluster, Record};
use crate::shape::archive::{members, visible_members};
use crate::shape::{DOCUMENT_BYTES, Json, Table};
use crate::sink::{Position, Sink};
use catalogue::parse_timestamp;
use std::collections::BTreeSet;
use std::io::Read;

/// The entry in the list of formats.
pub const FORMAT: Format = Format {
    id: "openshift-metering",
    title: "OpenShift metering",
    source: "the payload.tar.gz that the cost management operator (koku-metrics-operator) uploads",
    fills: "the cluster, metrics of its pods and volumes: use and requests by the hour",
    lacks_currency: false,
    certainty,
    read,
};

/// Seconds in an hour.
const SECONDS: f64 = 3_600.0;
const MICROS: f64 = 1e6;

/// Columns of a pod file, with the metric and unit that each becomes. The values are amounts multiplied by seconds.
const OF_PODS: [(&str, &str, &str); 6] = [
    ("pod_usage_cpu_core_seconds", CPU_USED, "cores"),
    ("pod_request_cpu_core_seconds", CPU_REQUESTED, "cores"),
    ("pod_limit_cpu_core_seconds", "cpuCoreLimitAverage", "cores"),
    ("pod_usage_memory_byte_seconds", MEMORY_USED, "bytes"),
    ("pod_request_memory_byte_seconds", MEMORY_REQUESTED, "bytes"),
    ("pod_limit_memory_byte_seconds", "ramByteLimitAverage", "bytes"),
];
/// Columns of a volume file, with the metric and unit that each becomes.
const OF_VOLUMES: [(&str, &str, &str); 3] = [
    ("persistentvolumeclaim_capacity_byte_seconds", "pvcByteCapacityAverage", "bytes"),
    ("volume_request_storage_byte_seconds", "pvcByteRequestAverage", "bytes"),
    ("persistentvolumeclaim_usage_byte_seconds", "pvcByteUsageAverage", "bytes"),
];

fn certainty(head: &Head<'_>) -> u8 {
    let is_metering = |text: &[u8]| {
        let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        first.contains("report_period_start") && first.contains("interval_start")
    };
    let is_file = head.has_columns(&["report_period_start", "interval_start", "namespace"]);
    if is_file || visible_members(head.bytes).iter().any(|(_, content)| is_metering(content)) {
        95
    } else {
        0
    }
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut start = Vec::new();
    bytes.take(512).read_to_end(&mut start)?;
    let is_table = start.starts_with(b"report_period_start");
    let mut all = start.as_slice().chain(bytes);
    let mut metering = Metering::default();
    if is_table {
        metering.table("", &mut all, sink)?;
    } else {
        // The manifest, which names the cluster, may be the last file; rows are buffered until then.
        members(&mut all, &mut |member| {
            if member.name.strip_suffix(".json").is_some() {
                let manifest = Json::new(member.content).value(DOCUMENT_BYTES)?;
                metering.number = metering.number.take().or_else(|| string_at(&manifest, &["cluster_id"]));
                return Ok(());
            }
            if member.name.strip_suffix(".csv").is_some() {
                return metering.table(member.name, member.content, sink);
            }
            sink.skip(&Position(member.name.to_owned()), "no file of measurements", "")
        })?;
    }
    metering.finish(sink)
}

/// A row that is buffered until the cluster's name is known.
struct Row {
    place: Position,
    subject: Subject,
    at: i64,
    values: Vec<(&'static str, &'static str, f64)>,
}

/// Maximum number of buffered rows.
const ROWS: usize = 200_000;

#[derive(Default)]
struct Metering {
    number: Option<String>,
    account: Option<Account>,
    nodes: BTreeSet<String>,
    rows: Vec<Row>,
}

impl Metering {
    fn table(&mut self, name: &str, bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
        let mut table = Table::new(bytes, b',')?;
        while let Some(row) = table.next_row()? {
            let place = match name {
                "" => row.position(),
                name => Position(format!("{name} {}", row.position().0)),
            };
            let time = |column: &str| row.cell(column).and_then(go_time);
            let (Some(start), Some(end)) = (time("interval_start"), time("interval_end")) else {
                sink.skip(&place, "interval_start or interval_end cannot be read", "")?;
                continue;
            };
            let Some(namespace) = row.cell("namespace") else {
                sink.skip(&place, "it has no namespace", "")?;
                continue;
            };
            let (mut subject, columns) = match (row.cell("persistentvolumeclaim"), row.cell("pod")) {
                (Some(claim), _) => {
                    let mut subject = Subject::pod(namespace, claim);
                    "PersistentVolumeClaim".clone_into(&mut subject.kind);
                    (subject, OF_VOLUMES.as_slice())
                }
                (None, Some(pod)) => (Subject::pod(namespace, pod), OF_PODS.as_slice()),
                (None, None) => {
                    sink.skip(&place, "no pod or volume name", "")?;
                    continue;
                }
            };
            if let Some(node) = row.cell("node") {
                subject.node = Some(node.to_owned());
                self.nodes.insert(node.to_owned());
            }
            // Intervals end at 14:59:59 or at 15:00:00; both are one hour.
            #[allow(clippy::cast_precision_loss)] // Hours in microseconds.
            let seconds = (((end - start) as f64 / MICROS) / SECONDS).round().max(1.0) * SECONDS;
            let number =
                |column: &str| row.cell(column)?.parse::<f64>().ok().filter(|number| number.is_finite());
            let values: Vec<_> = columns
                .iter()
                .filter_map(|(column, metric, unit)| Some((*metric, *unit, number(column)? / seconds)))
                .collect();
            if values.is_empty() {
                sink.skip(&place, "it has no amounts", "")?;
                continue;
            }
            self.rows.push(Row { place, subject, at: start, values });
            if self.rows.len() >= ROWS {
                self.write(sink)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), ReadError> {
        if !self.rows.is_empty() {
            self.write(sink)?;
        }
        Ok(())
    }

    fn write(&mut self, sink: &mut dyn Sink) -> Result<(), ReadError> {
        if self.account.is_none() {
            let of_node = self.nodes.first().map(|node| format!("metering/{node}"));
            let name =
                self.number.clone().or_else(|| Some(format!("Cluster of node {}", self.nodes.first()?)));
            let account = Account {
                provider: "K8s".to_owned(),
                number: self.number.clone().or(of_node).unwrap_or_else(|| "metering".to_owned()),
                name,
            };
            let cluster = Cluster {
                number: account.number.clone(),
                name: account.name.clone(),
                has_own_id: self.number.is_some(),
                nodes: self.nodes.iter().take(200).cloned().collect(),
                ..Cluster::default()
            };
            sink.record(&Position("$".to_owned()), Record::Cluster(cluster))?;
            self.account = Some(account);
        }
        let Some(account) = &self.account else { return Ok(()) };
        for row in self.rows.drain(..) {
            for (metric, unit, value) in row.values {
                let metric = row.subject.measured(account, metric, unit, Some(row.at), value);
                sink.record(&row.place, Record::Metric(metric))?;
            }
        }
        Ok(())
    }
}

/// Parses a time as Go prints it: `2019-02-01 00:00:00 +0000 UTC`.
fn go_time(text: &str) -> Option<i64> {
    parse_timestamp(text.strip_suffix(" UTC").unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::tests::{RecordCollector, shared_bytes};
    use crate::shape::archive::tests::tar_of;
    use std::collections::BTreeMap;

    const PODS: &str = "report_period_start,report_period_end,pod,namespace,node,interval_start,interval_end,pod_usage_cpu_core_seconds,pod_request_cpu_core_seconds\n\
        2019-02-01 00:00:00 +0000 UTC,2019-03-01 00:00:00 +0000 UTC,web-1,shop,n1,2019-02-01 00:00:00 +0000 UTC,2019-02-01 00:59:59 +0000 UTC,1800,3600\n\
        2019-02-01 00:00:00 +0000 UTC,2019-03-01 00:00:00 +0000 UTC,,shop,n1,2019-02-01 00:00:00 +0000 UTC,2019-02-01 00:59:59 +0000 UTC,1800,3600\n";

    fn taken(bytes: &[u8]) -> RecordCollector {
        let mut taken = RecordCollector::default();
        read(&mut &*bytes, &mut taken).unwrap();
        taken
    }

    #[test]
    fn rows_become_averages_of_their_hour() {
        let bytes = tar_of(&[("a.csv", PODS), ("manifest.json", "{\"cluster_id\": \"my-cluster\"}")]);
        assert_eq!(certainty(&Head::new(&bytes, true)), 95);
        let taken = taken(&bytes);
        assert_eq!(taken.cluster().number, "my-cluster");
        let Record::Metric(used) = &taken.records[1].1 else { panic!("{:?}", taken.records) };
        assert_eq!(
            (used.value, used.name.as_str(), used.subject.as_str()),
            (0.5, CPU_USED, "shop/Pod/web-1")
        );
        assert_eq!(taken.skipped, [("a.csv line 3".to_owned(), "no pod or volume name")]);
    }

    #[test]
    fn the_real_payload_has_what_was_counted() {
        let Some(bytes) = shared_bytes("openshift-metering/payload.tar.gz") else { return };
        let taken = taken(&bytes);
        assert_eq!(taken.skipped, []);
        let mut by_subject: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
        let mut rows = BTreeSet::new();
        for (place, record) in &taken.records {
            if let Record::Metric(metric) = record {
                rows.insert(place.clone());
                by_subject.entry(metric.subject.clone()).or_default().extend(metric.at);
            }
        }
        let pods = by_subject.iter().filter(|(subject, _)| subject.contains("/Pod/"));
        let hours: Vec<usize> = pods.map(|(_, times)| times.len()).collect();
        assert_eq!(hours, [120; 4]);
        assert_eq!(
            by_subject.keys().filter(|subject| subject.contains("/PersistentVolumeClaim/")).count(),
            3
        );
        // 480 rows of pods and 381 of volumes, without their headers.
        assert_eq!(rows.len(), 480 + 381);
    }
}
