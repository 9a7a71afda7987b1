//! Allocations of OpenCost and Kubecost: the cost and use of a part of a cluster in a window.

use crate::kubernetes::json_path::{map_at, str_at, string_at, time_at, value_at};
use crate::metrics::subject::Subject;
use crate::record::{Account, Charge, Metric};
use catalogue::Decimal;
use serde_json::{Map, Value};

/// Fields that become metrics, with their units.
pub const MEASURED: [(&str, &str); 10] = [
    ("cpuCoreUsageAverage", "cores"),
    ("cpuCoreRequestAverage", "cores"),
    ("ramByteUsageAverage", "bytes"),
    ("ramByteRequestAverage", "bytes"),
    ("networkReceiveBytes", "bytes"),
    ("networkTransferBytes", "bytes"),
    ("cpuEfficiency", "share"),
    ("ramEfficiency", "share"),
    ("totalEfficiency", "share"),
    ("totalCost", "money"),
];
/// Fields that are parts of the cost.
const PARTS: [&str; 8] = [
    "cpuCost",
    "gpuCost",
    "ramCost",
    "pvCost",
    "networkCost",
    "loadBalancerCost",
    "sharedCost",
    "externalCost",
];

/// The cost and metrics of a part of a cluster in a window.
pub struct Allocation {
    pub charge: Charge,
    pub metrics: Vec<Metric>,
    pub node: Option<String>,
}

/// Reads one allocation; `Err` names the missing field. `unnamed` is the account when no cluster is named.
pub fn allocation(name: &str, object: &Value, unnamed: &Account) -> Result<Allocation, &'static str> {
    let property = |key: &str| str_at(object, &["properties", key]);
    let account = match property("cluster") {
        Some(cluster) => {
            Account { provider: "K8s".to_owned(), number: cluster.to_owned(), name: Some(cluster.to_owned()) }
        }
        None => unnamed.clone(),
    };
    let start = time_at(object, &["window", "start"])
        .or_else(|| time_at(object, &["start"]))
        .ok_or("window.start")?;
    let end = time_at(object, &["window", "end"]).or_else(|| time_at(object, &["end"]));
    let end = end.filter(|end| *end >= start).ok_or("window.end")?;
    let billed = decimal(value_at(object, &["totalCost"])).ok_or("totalCost")?;
    let namespace = property("namespace").map(str::to_owned);
    let node = property("node").map(str::to_owned);
    let subject = subject(
        name,
        namespace.as_deref(),
        property("controllerKind").zip(property("controller")),
        property("pod"),
        property("container"),
        node.as_deref(),
    );
    let measured = |field: &str, unit: &str| {
        let value = value_at(object, &[field]).as_f64().filter(|value| value.is_finite())?;
        Some(subject.measured(&account, field, unit, Some(start), value))
    };
    let mut details = Map::new();
    for part in PARTS {
        if let Some(cost) = decimal(value_at(object, &[part])).filter(|cost| !cost.is_zero()) {
            details.insert(part.to_owned(), cost.to_text().as_str().into());
        }
    }
    let mut tags = map_at(object, &["properties", "labels"]);
    tags.retain(|_, value| value.is_string());
    Ok(Allocation {
        metrics: MEASURED.iter().filter_map(|(field, unit)| measured(field, unit)).collect(),
        charge: Charge {
            source: "OpenCost",
            start,
            end,
            billed,
            effective: Some(billed),
            list: None,
            currency: None,
            service: Some(namespace.unwrap_or_else(|| name.to_owned())),
            subject: subject.id(),
            subject_name: subject.name.clone(),
            subject_kind: Some(subject.kind.clone()),
            machine: string_at(object, &["properties", "providerID"]).filter(|id| Some(id) != node.as_ref()),
            tags,
            details,
            account,
        },
        node,
    })
}

/// The most specific part of the cluster that the properties name.
pub fn subject(
    name: &str,
    namespace: Option<&str>,
    controller: Option<(&str, &str)>,
    pod: Option<&str>,
    container: Option<&str>,
    node: Option<&str>,
) -> Subject {
    let controller = controller.map(|(kind, name)| (kind.to_ascii_lowercase(), name.to_owned()));
    let subject = match (namespace, pod, &controller, node) {
        (Some(namespace), Some(pod), ..) => {
            Subject { container: container.map(str::to_owned), ..Subject::pod(namespace, pod) }
        }
        (Some(namespace), None, Some((kind, name)), _) => Subject {
            namespace: Some(namespace.to_owned()),
            kind: kind_name(kind),
            name: name.clone(),
            ..Subject::default()
        },
        (Some(namespace), None, None, _) => {
            Subject { kind: "Namespace".to_owned(), name: namespace.to_owned(), ..Subject::default() }
        }
        (None, _, _, Some(node)) if !name.starts_with("__") => Subject::node(node),
        // `__idle__`, `__unmounted__`, `__unallocated__`, or the value that the response was grouped by.
        _ => Subject { kind: "Allocation".to_owned(), name: name.to_owned(), ..Subject::default() },
    };
    Subject { controller, node: node.map(str::to_owned), ..subject }
}

fn kind_name(kind: &str) -> String {
    let known = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Rollout"];
    known
        .iter()
        .find(|known| known.eq_ignore_ascii_case(kind))
        .map_or_else(|| kind.to_owned(), |kind| (*kind).to_owned())
}

/// The number exactly as written.
pub fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::parse(&number.to_string()).ok(),
        _ => None,
    }
}
