//! Reads metrics: the output of `kubectl top`, responses of metrics-server and Prometheus, and a plain CSV.

mod prometheus;
mod server;
pub mod subject;
mod table;
mod top;

use crate::format::Format;
use crate::head::Head;
use crate::kubernetes::json_path::{list_at, str_at, value_at};
use crate::read_error::ReadError;
use crate::record::{Account, Cluster, Record};
use crate::shape::{DOCUMENT_BYTES, Json};
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;

/// The entry in the list of formats.
pub const FORMAT: Format = Format {
    id: "metrics",
    title: "Measurements",
    source: "kubectl top nodes|pods -A; kubectl get --raw /apis/metrics.k8s.io/v1beta1/pods; a Prometheus query as JSON; CSV \
             with the columns account, resource, metric, time, value",
    fills: "metrics of resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    if let Some(outline) = head.outline() {
        let top = outline.document();
        let is_server =
            |object: &Value| str_at(object, &["apiVersion"]).is_some_and(|v| v.starts_with("metrics.k8s.io"));
        if !value_at(top, &["data", "resultType"]).is_null() && !value_at(top, &["status"]).is_null() {
            return 90;
        }
        let first = list_at(top, &["items"]).first();
        return if is_server(top) || first.is_some_and(is_server) { 95 } else { 0 };
    }
    if head.has_columns(&table::COLUMNS) {
        return 90;
    }
    let text = String::from_utf8_lossy(head.bytes);
    if text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| top::columns(line).is_some()) {
        95
    } else {
        0
    }
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    // The bytes read for detection are chained in front of the rest.
    let mut head = Vec::new();
    bytes.take(512).read_to_end(&mut head)?;
    let start = String::from_utf8_lossy(&head).trim_start_matches('\u{feff}').trim_start().to_owned();
    let is_top = start.lines().next().is_some_and(|line| top::columns(line).is_some());
    let mut all = head.as_slice().chain(bytes);
    if start.starts_with(['{', '[']) {
        json(&mut all, sink)
    } else if is_top {
        top::read(&mut all, sink)
    } else {
        table::read(&mut all, sink)
    }
}

/// The cluster for metrics that do not name one.
fn cluster_of(first: &str, nodes: BTreeSet<String>, pods: BTreeSet<(String, String)>) -> Cluster {
    Cluster {
        number: format!("metrics/{first}"),
        name: Some(format!("Cluster of {first}")),
        nodes: nodes.into_iter().collect(),
        pods: pods.into_iter().collect(),
        ..Cluster::default()
    }
}

fn json(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let document = Json::new(bytes).value(DOCUMENT_BYTES)?;
    let (path, elements) = match value_at(&document, &["data", "result"]).as_array() {
        Some(series) => ("$.data.result", series.as_slice()),
        None => ("$.items", list_at(&document, &["items"])),
    };
    let is_series = path != "$.items";
    if is_series && str_at(&document, &["status"]) == Some("error") {
        let found = str_at(&document, &["error"]).unwrap_or("an error").to_owned();
        return Err(ReadError::Refused {
            message: format!("Prometheus answered this query with an error: {found}. Nothing was imported."),
            expected: "an answer with results".to_owned(),
            found,
        });
    }
    let of_node = |element: &Value| match is_series {
        true => prometheus::node(element).map(str::to_owned),
        false if str_at(element, &["metadata", "namespace"]).is_none() => {
            str_at(element, &["metadata", "name"]).map(str::to_owned)
        }
        false => None,
    };
    let nodes: BTreeSet<String> = elements.iter().filter_map(of_node).take(200).collect();
    let name = |element: &Value| {
        let paths: [&[&str]; 4] =
            [&["metadata", "name"], &["metric", "pod"], &["metric", "node"], &["metric", "instance"]];
        paths.iter().find_map(|path| str_at(element, path)).map(str::to_owned)
    };
    let of_pod = |element: &Value| {
        let (labels, name) = if is_series { ("metric", "pod") } else { ("metadata", "name") };
        let namespace = str_at(element, &[labels, "namespace"])?.to_owned();
        Some((namespace, str_at(element, &[labels, name])?.to_owned()))
    };
    let pods: BTreeSet<(String, String)> = elements.iter().filter_map(of_pod).take(50).collect();
    let first = nodes.first().cloned().or_else(|| elements.iter().find_map(name));
    let cluster = cluster_of(first.as_deref().unwrap_or("unnamed"), nodes, pods);
    let account =
        Account { provider: "K8s".to_owned(), number: cluster.number.clone(), name: cluster.name.clone() };
    // When every series names its cluster, no substitute cluster is needed.
    let is_of_one = !(is_series && !elements.is_empty() && elements.iter().all(prometheus::names_cluster));
    if is_of_one {
        sink.record(&Position("$".to_owned()), Record::Cluster(cluster))?;
    }
    for (index, element) in elements.iter().enumerate() {
        let place = Position(format!("{path}[{index}]"));
        if is_series {
            let (metrics, wrong) = prometheus::series(element, &account);
            if wrong > 0 {
                let values = Position(format!("{}.values", place.0));
                sink.skip(&values, "values that are no finite numbers", &wrong.to_string())?;
            }
            for metric in metrics {
                sink.record(&place, Record::Metric(metric))?;
            }
            continue;
        }
        match server::measurements(element, &account) {
            Ok(metrics) => {
                for metric in metrics {
                    sink.record(&place, Record::Metric(metric))?;
                }
            }
            Err(field) => {
                sink.skip(
                    &Position(format!("{}.{field}", place.0)),
                    "a required field is missing or invalid",
                    "",
                )?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::tests::RecordCollector;
    use crate::record::Metric;

    fn metrics(text: &str) -> (Vec<Metric>, RecordCollector) {
        assert!(certainty(&Head::new(text.as_bytes(), true)) > 80, "not recognised: {text}");
        let mut taken = RecordCollector::default();
        read(&mut text.as_bytes(), &mut taken).unwrap();
        let metrics = taken.records.iter().filter_map(|(_, record)| match record {
            Record::Metric(metric) => Some(metric.clone()),
            _ => None,
        });
        (metrics.collect(), taken)
    }

    #[test]
    fn tables_of_kubectl_top_are_read() {
        let (nodes, taken) = metrics(
            "NAME   CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%\nn1     250m         12%    2Gi            40%\nn2     <unknown>    <unknown>  <unknown>  <unknown>\n",
        );
        assert_eq!(
            (nodes[0].subject.as_str(), nodes[0].value, nodes[1].value),
            ("Node/n1", 0.25, f64::from(1_u32 << 31))
        );
        assert_eq!(taken.skipped, [("line 3".to_owned(), "its use of processor or memory is not known")]);
        assert_eq!(taken.cluster().nodes, ["n1", "n2"]);
        let (pods, _) = metrics(
            "NAMESPACE   NAME    CPU(cores)   MEMORY(bytes)\nshop        web-1   3m           64Mi\n",
        );
        assert_eq!(
            (pods[0].subject.as_str(), pods[0].name.as_str()),
            ("shop/Pod/web-1", "cpuCoreUsageAverage")
        );
        assert_eq!(pods[0].tags["pod_fqdn"], "shop/web-1");
        let (containers, _) =
            metrics("POD     NAME   CPU(cores)   MEMORY(bytes)\nweb-1   nginx  3m           64Mi\n");
        assert_eq!(
            (containers[0].subject.as_str(), &containers[0].tags["container"]),
            ("default/Pod/web-1/nginx", &"nginx".into())
        );
    }

    #[test]
    fn measurements_of_metrics_server_add_up_containers() {
        let text = r#"{"kind": "PodMetricsList", "apiVersion": "metrics.k8s.io/v1beta1", "items": [{"metadata": {"name": "web-1", "namespace": "shop"},
            "timestamp": "2026-01-02T12:00:00Z", "containers": [{"usage": {"cpu": "1500000n", "memory": "10Mi"}}, {"usage": {"cpu": "1m", "memory": "1Mi"}}]},
            {"metadata": {"name": "n1"}}]}"#;
        let (metrics, taken) = metrics(text);
        assert_eq!((metrics[0].value, metrics[1].value), (0.002_5, 11.0 * 1_048_576.0));
        assert_eq!(taken.skipped[0].0, "$.items[1].timestamp");
    }

    #[test]
    fn answers_of_prometheus_are_read() {
        let text = r#"{"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"__name__": "up", "namespace": "shop", "pod": "web-1", "cluster": "prod"},
            "values": [[1767355200, "1"], [1767355215.5, "NaN"]]}]}}"#;
        let (metrics, taken) = metrics(text);
        assert_eq!(
            (metrics.len(), metrics[0].name.as_str(), metrics[0].account.number.as_str()),
            (1, "up", "prod")
        );
        assert_eq!(metrics[0].at, catalogue::parse_timestamp("2026-01-02T12:00:00Z"));
        assert_eq!(taken.skipped.len(), 1);
    }

    #[test]
    fn series_that_name_their_cluster_are_of_no_other_one() {
        let clusters = |second: &str| {
            let series = |labels: &str| {
                format!(r#"{{"metric": {{"pod": "web-1"{labels}}}, "value": [1767355200, "1"]}}"#)
            };
            let both = format!("{},{}", series(r#", "cluster": "prod""#), series(second));
            let (_, taken) = metrics(&format!(
                r#"{{"status": "success", "data": {{"resultType": "vector", "result": [{both}]}}}}"#
            ));
            taken.records.iter().filter(|(_, record)| matches!(record, Record::Cluster(_))).count()
        };
        assert_eq!((clusters(r#", "k8s_cluster": "test""#), clusters("")), (0, 1));
    }

    #[test]
    fn rows_of_a_plain_table_are_read_or_left_out_by_name() {
        let (metrics, taken) = metrics(
            "account,resource,metric,time,value\n123,i-1,cpu,2026-01-02T12:00:00Z,0.5\n123,i-1,cpu,yesterday,0.5\n",
        );
        assert_eq!((metrics.len(), metrics[0].subject.as_str()), (1, "i-1"));
        assert_eq!(taken.skipped, [("line 3".to_owned(), "its time is not as 2026-11-20T06:38:00Z")]);
    }
}
