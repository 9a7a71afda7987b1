//! OpenCost and Kubecost: allocations, assets and cloud costs in JSON, and the CSV export.

mod allocation;
mod assets;
mod cloud;
mod table;

use crate::format::Format;
use crate::head::Head;
use crate::kubernetes::json_path::value_at;
use crate::read_error::ReadError;
use crate::record::{Account, Cluster, Record};
use crate::shape::{DOCUMENT_BYTES, Json};
use crate::sink::{Position, Sink};
use allocation::Allocation;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The entry in the list of formats.
pub const FORMAT: Format = Format {
    id: "opencost",
    title: "OpenCost costs",
    source: "OpenCost or Kubecost: the answer of /allocation, /assets or /cloudCost as JSON, or the CSV export",
    fills: "costs and metrics of the parts of a cluster",
    lacks_currency: true,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    if head.has_columns(&table::COLUMNS) {
        return 95;
    }
    let Some(outline) = head.outline() else { return 0 };
    let data = value_at(outline.document(), &["data"]);
    if !value_at(data, &["sets"]).is_null() {
        return 90;
    }
    let first = sets(data).next().and_then(|set| set.values().next());
    if first.is_some_and(assets::is_asset) {
        return 90;
    }
    let is_allocation =
        |object: &Value| object.get("properties").is_some() && object.get("cpuCost").is_some();
    // The visible beginning may end inside the first allocation.
    let begins = |object: &Value| object.get("properties").is_some() && object.get("window").is_some();
    if first.is_some_and(is_allocation) {
        95
    } else if first.is_some_and(begins) {
        80
    } else {
        0
    }
}

/// The sets of a response, each with its items by name; a response contains a list of sets or a single set.
fn sets(data: &Value) -> Box<dyn Iterator<Item = &serde_json::Map<String, Value>> + '_> {
    match data {
        Value::Object(set) => Box::new(std::iter::once(set)),
        Value::Array(list) => Box::new(list.iter().filter_map(Value::as_object)),
        _ => Box::new(std::iter::empty()),
    }
}

/// The account number used for a cluster that no file names.
pub const UNNAMED_CLUSTER: &str = "opencost";

/// The account for costs that do not name a cluster.
fn unnamed() -> Account {
    Account {
        provider: "K8s".to_owned(),
        number: UNNAMED_CLUSTER.to_owned(),
        name: Some("OpenCost".to_owned()),
    }
}

fn read(bytes: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut head = Vec::new();
    bytes.take(64).read_to_end(&mut head)?;
    let is_json = String::from_utf8_lossy(&head).trim_start_matches('\u{feff}').trim_start().starts_with('{');
    let mut all = head.as_slice().chain(bytes);
    if !is_json {
        let cluster = Cluster { number: unnamed().number, name: unnamed().name, ..Cluster::default() };
        sink.record(&Position("line 1".to_owned()), Record::Cluster(cluster))?;
        return table::read(&mut all, &unnamed(), sink);
    }
    let document = Json::new(&mut all).value(DOCUMENT_BYTES)?;
    match value_at(&document, &["data", "sets"]).as_array() {
        Some(sets) => cloud_costs(sets, sink),
        None => allocations(value_at(&document, &["data"]), sink),
    }
}

fn cloud_costs(sets: &[Value], sink: &mut dyn Sink) -> Result<(), ReadError> {
    for (index, set) in sets.iter().enumerate() {
        let costs = value_at(set, &["cloudCosts"]).as_object();
        for (name, object) in costs.into_iter().flatten() {
            let place = Position(format!("$.data.sets[{index}].cloudCosts[{name:?}]"));
            match cloud::cost(name, object) {
                Ok(charge) => sink.record(&place, Record::Charge(Box::new(charge)))?,
                Err(field) => missing(&place, field, sink)?,
            }
        }
    }
    Ok(())
}

/// Allocations and assets, set by set.
fn allocations(data: &Value, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut clusters: BTreeMap<String, Vec<(Position, Allocation)>> = BTreeMap::new();
    let mut has_assets = false;
    for (index, set) in sets(data).enumerate() {
        for (name, object) in set {
            let place = match data {
                Value::Object(_) => Position(format!("$.data[{name:?}]")),
                _ => Position(format!("$.data[{index}][{name:?}]")),
            };
            if assets::is_asset(object) {
                has_assets = true;
                match assets::asset(object, &unnamed()) {
                    Ok(records) => records.into_iter().try_for_each(|record| sink.record(&place, record))?,
                    Err(field) => missing(&place, field, sink)?,
                }
                continue;
            }
            match allocation::allocation(name, object, &unnamed()) {
                Ok(allocation) => {
                    let number = allocation.charge.account.number.clone();
                    clusters.entry(number).or_default().push((place, allocation));
                }
                Err(field) => missing(&place, field, sink)?,
            }
        }
    }
    if has_assets {
        sink.note(
            "Costs of assets are kept as measurements and are in no total: allocations and bills tell the same money.".to_owned(),
        );
    }
    for (number, allocations) in clusters {
        let nodes: BTreeSet<String> = allocations.iter().filter_map(|(_, one)| one.node.clone()).collect();
        let name = allocations.first().and_then(|(_, one)| one.charge.account.name.clone());
        let cluster =
            Cluster { number, name, nodes: nodes.into_iter().take(200).collect(), ..Cluster::default() };
        sink.record(&Position("$".to_owned()), Record::Cluster(cluster))?;
        for (place, allocation) in allocations {
            for metric in allocation.metrics {
                sink.record(&place, Record::Metric(metric))?;
            }
            sink.record(&place, Record::Charge(Box::new(allocation.charge)))?;
        }
    }
    Ok(())
}

fn missing(place: &Position, field: &str, sink: &mut dyn Sink) -> Result<(), ReadError> {
    sink.skip(&Position(format!("{}.{field}", place.0)), "a required field is missing or invalid", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::tests::{RecordCollector, shared};
    use crate::record::Charge;
    use catalogue::{Decimal, DecimalSum};

    fn charges(text: &str) -> (Vec<Charge>, RecordCollector) {
        assert!(certainty(&Head::new(text.as_bytes(), true)) > 80, "not recognised");
        let mut taken = RecordCollector::default();
        read(&mut text.as_bytes(), &mut taken).unwrap();
        let charges = taken.records.iter().filter_map(|(_, record)| match record {
            Record::Charge(charge) => Some((**charge).clone()),
            _ => None,
        });
        (charges.collect(), taken)
    }

    fn total(charges: &[Charge]) -> String {
        let mut sum = DecimalSum::new();
        for charge in charges {
            sum.add(charge.billed);
        }
        sum.to_string()
    }

    #[test]
    fn allocations_become_costs_and_metrics() {
        let text = r#"{"code": 200, "data": [{
            "web": {"properties": {"cluster": "prod", "namespace": "shop", "controllerKind": "deployment", "controller": "web", "node": "n1", "providerID": "i-1"},
                "window": {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}, "cpuCost": 0.10, "ramCost": 0.023, "totalCost": 0.123, "cpuCoreUsageAverage": 0.5},
            "__idle__": {"properties": {"cluster": "prod"}, "window": {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}, "cpuCost": -1, "totalCost": -1.5},
            "turned": {"properties": {"namespace": "shop"}, "window": {"start": "2026-01-02T00:00:00Z", "end": "2026-01-01T00:00:00Z"}, "totalCost": 3},
            "broken": {"properties": {}, "window": {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}}}]}"#;
        let (charges, taken) = charges(text);
        assert_eq!(
            charges.iter().map(|charge| charge.subject.as_str()).collect::<Vec<_>>(),
            ["Allocation/__idle__", "shop/Deployment/web"]
        );
        assert_eq!(charges[1].billed, Decimal::parse("0.123").unwrap());
        assert_eq!(
            (charges[1].machine.as_deref(), charges[1].service.as_deref()),
            (Some("i-1"), Some("shop"))
        );
        assert_eq!(charges[1].details["ramCost"], "0.023");
        let skipped: Vec<&str> = taken.skipped.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(skipped, ["$.data[0][\"broken\"].totalCost", "$.data[0][\"turned\"].window.end"]);
        assert_eq!(taken.cluster().nodes, ["n1"]);
    }

    #[test]
    fn real_files_have_the_totals_that_were_counted() {
        let Some(text) = shared("opencost/allocation-example-output.json") else { return };
        let (allocations, taken) = charges(&text);
        assert_eq!((allocations.len(), total(&allocations).as_str(), taken.skipped.len()), (3, "1.77816", 0));
        let Some(text) = shared("opencost/export-sample.csv") else { return };
        let (rows, _) = charges(&text);
        assert_eq!((rows.len(), total(&rows).as_str()), (2, "0.02098749347202301"));
        let Some(text) = shared("opencost/cloudCost-example-output.json") else { return };
        let (costs, taken) = charges(&text);
        assert!(!costs.is_empty() && taken.skipped.is_empty());
    }

    #[test]
    fn assets_are_measured_and_cost_nothing() {
        let text = r#"{"code": 200, "data": [{"n": {"type": "Node", "properties": {"cluster": "prod", "name": "n1", "providerID": "i-1"},
            "start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z", "cpuCores": 4, "totalCost": 2.5},
            "d": {"type": "Disk", "properties": {"cluster": "prod"}, "start": "2026-01-01T00:00:00Z", "totalCost": 1}}]}"#;
        let (charges, taken) = charges(text);
        assert!(charges.is_empty());
        assert_eq!(
            taken.skipped,
            [("$.data[0][\"d\"].properties.name".to_owned(), "a required field is missing or invalid")]
        );
        let metrics = taken.records.iter().filter(|(_, record)| matches!(record, Record::Metric(_))).count();
        assert_eq!((metrics, taken.records.len(), taken.notes.len()), (2, 3, 1));
    }
}
