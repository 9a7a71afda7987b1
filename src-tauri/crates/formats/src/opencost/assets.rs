//! Assets of OpenCost and Kubecost: machines, disks and load balancers with their cost at list prices.
//!
//! Allocations divide the same cost among workloads. Assets are therefore stored as metrics of their resources and are not in any
//! total, which avoids double counting.

use crate::kubernetes::json_path::{map_at, str_at, string_at, time_at, value_at};
use crate::metrics::subject::Subject;
use crate::record::{Account, Metric, Record, Resource};
use serde_json::{Map, Value};

/// Whether an object is an asset.
pub fn is_asset(object: &Value) -> bool {
    object.get("type").is_some() && object.get("properties").is_some() && object.get("totalCost").is_some()
}

/// The records of one asset; `Err` names the missing field.
pub fn asset(object: &Value, unnamed: &Account) -> Result<Vec<Record>, &'static str> {
    let property = |key: &str| str_at(object, &["properties", key]);
    let kind = str_at(object, &["type"]).ok_or("type")?;
    let name = property("name").or_else(|| property("providerID")).ok_or("properties.name")?;
    let start =
        time_at(object, &["window", "start"]).or_else(|| time_at(object, &["start"])).ok_or("start")?;
    let cost =
        value_at(object, &["totalCost"]).as_f64().filter(|cost| cost.is_finite()).ok_or("totalCost")?;
    let account = match property("cluster") {
        Some(cluster) => {
            Account { provider: "K8s".to_owned(), number: cluster.to_owned(), name: Some(cluster.to_owned()) }
        }
        None => unnamed.clone(),
    };
    let subject = match kind {
        "Node" => Subject::node(name),
        _ => Subject { kind: kind.to_owned(), name: name.to_owned(), ..Subject::default() },
    };
    let measured = |name: &str, unit: &str, value: f64| -> Metric {
        subject.measured(&account, name, unit, Some(start), value)
    };
    let mut records = vec![Record::Metric(measured("totalCost", "money", cost))];
    for (field, unit) in [("cpuCores", "cores"), ("ramBytes", "bytes"), ("bytes", "bytes")] {
        if let Some(value) = value_at(object, &[field]).as_f64().filter(|value| value.is_finite()) {
            records.push(Record::Metric(measured(field, unit, value)));
        }
    }
    let mut meta = map_at(object, &["properties"]);
    meta.retain(|_, value| value.as_str().is_some_and(|text| !text.is_empty()));
    let labels: Map<String, Value> = map_at(object, &["labels"]);
    records.push(Record::Resource(Resource {
        external_id: subject.id(),
        name: Some(name.to_owned()),
        kind: Some(kind.to_owned()),
        region: string_at(object, &["properties", "region"]),
        service_name: Some("Kubernetes".to_owned()),
        tags: Some(labels).filter(|labels| !labels.is_empty()),
        meta: Some(meta),
        seen: Some(start),
        account,
    }));
    Ok(records)
}
