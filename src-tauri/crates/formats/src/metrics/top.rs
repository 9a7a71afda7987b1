//! Reads the output of `kubectl top`.

use super::subject::{CPU_USED, MEMORY_USED, Subject};
use crate::kubernetes::quantity::Quantity;
use crate::read_error::ReadError;
use crate::record::{Account, Cluster, Metric, Record};
use crate::shape::Lines;
use crate::sink::{Position, Sink};
use std::collections::BTreeSet;
use std::io::Read;

/// Maximum number of pods recorded to identify the cluster.
const PODS: usize = 50;

/// The columns of a `kubectl top` table; `None` when the line is not such a header.
pub fn columns(line: &str) -> Option<Vec<&str>> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let has = |start: &str| columns.iter().any(|column| column.starts_with(start));
    let is_top = columns.contains(&"NAME") || columns.contains(&"POD");
    (is_top && has("CPU(") && has("MEMORY(")).then_some(columns)
}

/// Reads the rows after the header. The table has no times and does not name a cluster.
pub fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut lines = Lines::new(bytes);
    let mut header: Vec<String> = Vec::new();
    let mut rows: Vec<(Position, Metric)> = Vec::new();
    let mut nodes = BTreeSet::new();
    let mut pods = BTreeSet::new();
    let mut account = Account { provider: "K8s".to_owned(), number: String::new(), name: None };
    while let Some(line) = lines.next_line()? {
        let text = String::from_utf8_lossy(line.bytes).into_owned();
        if let Some(columns) = columns(&text) {
            header = columns.into_iter().map(str::to_owned).collect();
            continue;
        }
        let place = line.position();
        let cells: Vec<&str> = text.split_whitespace().collect();
        if cells.is_empty() {
            continue;
        }
        let cell = |name: &str| {
            let column =
                header.iter().position(|column| column == name || column.starts_with(&format!("{name}(")))?;
            cells.get(column).copied()
        };
        let amount = |name: &str| cell(name).and_then(Quantity::parse);
        let pod = cell("POD").or_else(|| cell("NAMESPACE").and(cell("NAME")));
        let is_node = header.iter().any(|column| column == "CPU%" || column == "CPU(%)");
        let subject = match (pod, cell("NAME")) {
            (Some(pod), _) => {
                let namespace = cell("NAMESPACE").unwrap_or("default");
                let container = cell("POD").and(cell("NAME")).map(str::to_owned);
                Subject { container, ..Subject::pod(namespace, pod) }
            }
            (None, Some(name)) if is_node => {
                nodes.insert(name.to_owned());
                Subject::node(name)
            }
            (None, Some(name)) => Subject::pod("default", name),
            (None, None) => {
                sink.skip(&place, "no row of kubectl top", &text)?;
                continue;
            }
        };
        let (Some(cpu), Some(memory)) = (amount("CPU"), amount("MEMORY")) else {
            sink.skip(&place, "its use of processor or memory is not known", &text)?;
            continue;
        };
        if let Some(namespace) = subject.namespace.clone().filter(|_| pods.len() < PODS) {
            pods.insert((namespace, subject.name.clone()));
        }
        if account.number.is_empty() {
            account.number = format!("top/{}", subject.id());
            account.name = Some(format!("Cluster of {}", subject.name));
        }
        let mut put = |name: &str, unit: &str, value: f64| {
            rows.push((place.clone(), subject.measured(&account, name, unit, None, value)));
        };
        put(CPU_USED, "cores", cpu.measured());
        put(MEMORY_USED, "bytes", memory.measured());
    }
    let Some((_, first)) = rows.first() else { return Ok(()) };
    let cluster = Cluster {
        number: first.account.number.clone(),
        name: first.account.name.clone(),
        nodes: nodes.into_iter().collect(),
        pods: pods.into_iter().collect(),
        ..Cluster::default()
    };
    sink.record(&Position("line 1".to_owned()), Record::Cluster(cluster))?;
    sink.note("kubectl top writes no timestamps: the import time is used.".to_owned());
    for (place, metric) in rows {
        sink.record(&place, Record::Metric(metric))?;
    }
    Ok(())
}
