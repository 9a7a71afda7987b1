//! Prometheus responses to `query` and `query_range`.

use super::subject::Subject;
use crate::kubernetes::json_path::{list_at, map_at, str_at, value_at};
use crate::record::{Account, Metric};
use serde_json::Value;

/// Labels that contain the cluster's name.
const CLUSTER: [&str; 3] = ["cluster", "cluster_name", "k8s_cluster"];

/// Whether a series names its cluster.
pub fn names_cluster(element: &Value) -> bool {
    CLUSTER.iter().any(|name| str_at(element, &["metric", name]).is_some_and(|name| !name.is_empty()))
}

/// Reads one series: its values, and the number of values that are not numbers.
pub fn series(element: &Value, account: &Account) -> (Vec<Metric>, u64) {
    let labels = map_at(element, &["metric"]);
    let label = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| labels.get(*name).and_then(Value::as_str))
            .filter(|text| !text.is_empty())
    };
    let name = label(&["__name__"]).unwrap_or("query");
    let subject =
        match (label(&["namespace", "exported_namespace"]), label(&["pod", "exported_pod", "pod_name"])) {
            (Some(namespace), Some(pod)) => Subject {
                node: label(&["node"]).map(str::to_owned),
                container: label(&["container"]).map(str::to_owned),
                ..Subject::pod(namespace, pod)
            },
            (Some(namespace), None) => {
                let kinds = [
                    ("deployment", "Deployment"),
                    ("statefulset", "StatefulSet"),
                    ("daemonset", "DaemonSet"),
                ];
                let workload = kinds
                    .iter()
                    .find_map(|(key, kind)| Some(((*kind).to_owned(), label(&[key])?.to_owned())));
                match workload {
                    Some((kind, name)) => Subject {
                        namespace: Some(namespace.to_owned()),
                        controller: Some((kind.to_ascii_lowercase(), name.clone())),
                        kind,
                        name,
                        ..Subject::default()
                    },
                    None => Subject {
                        kind: "Namespace".to_owned(),
                        name: namespace.to_owned(),
                        ..Subject::default()
                    },
                }
            }
            _ => {
                if let Some(node) = label(&["node", "nodename"]) {
                    Subject::node(node)
                } else {
                    let name = label(&["instance", "job"]).unwrap_or(name);
                    Subject { kind: "Target".to_owned(), name: name.to_owned(), ..Subject::default() }
                }
            }
        };
    let account = match label(&CLUSTER) {
        Some(cluster) => {
            Account { provider: "K8s".to_owned(), number: cluster.to_owned(), name: Some(cluster.to_owned()) }
        }
        None => account.clone(),
    };
    let values = list_at(element, &["values"]);
    let single = value_at(element, &["value"]);
    let all = if single.is_array() { std::slice::from_ref(single) } else { values };
    let mut metrics = Vec::new();
    let mut wrong = 0;
    for pair in all {
        let seconds = pair.get(0).and_then(Value::as_f64);
        let value = pair.get(1).and_then(Value::as_str).and_then(|text| text.parse::<f64>().ok());
        match (seconds, value.filter(|value| value.is_finite())) {
            (Some(seconds), Some(value)) => {
                #[allow(clippy::cast_possible_truncation)] // Seconds of any date fit.
                let at = (seconds * 1e6).round() as i64;
                let mut metric = subject.measured(&account, name, "", Some(at), value);
                metric.unit = None;
                metric.tags.extend(labels.clone().into_iter().filter(|(key, _)| key != "__name__"));
                metrics.push(metric);
            }
            _ => wrong += 1,
        }
    }
    (metrics, wrong)
}

/// The series' `node` label.
pub fn node(element: &Value) -> Option<&str> {
    str_at(element, &["metric", "node"])
}
