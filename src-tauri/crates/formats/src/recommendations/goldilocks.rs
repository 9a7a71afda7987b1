//! Goldilocks: the output of `goldilocks summary`, with the Vertical Pod Autoscaler's recommendations for all namespaces.

use crate::format::Format;
use crate::head::Head;
use crate::kubernetes::vpa;
use crate::read_error::ReadError;
use crate::reason;
use crate::record::Record;
use crate::security::common::account_of_tool;
use crate::shape::document;
use crate::sink::{Position, Sink};
use serde_json::Value;
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "goldilocks",
    title: "Goldilocks recommendations",
    source: "JSON of `goldilocks summary`; recommendations of a VerticalPodAutoscaler come with `kubectl get vpa -A -o json`, too",
    fills: "recommendations (right sizing of containers), resources",
    lacks_currency: false,
    certainty,
    read,
};

fn certainty(head: &Head<'_>) -> u8 {
    let namespaces = member(head.object(), &["Namespaces", "namespaces"]);
    let first = namespaces.and_then(Value::as_object).and_then(|map| map.values().next());
    if first.is_some_and(|one| one.get("workloads").is_some()) { 96 } else { 0 }
}

fn member<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| value.get(key))
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let summary = document(read)?;
    let account = account_of_tool("goldilocks", "Goldilocks", sink);
    let namespaces = member(&summary, &["Namespaces", "namespaces"]).and_then(Value::as_object);
    for (namespace, content) in namespaces.into_iter().flatten() {
        let workloads = content.get("workloads").and_then(Value::as_object);
        for (name, workload) in workloads.into_iter().flatten() {
            let place = Position(format!("$.Namespaces[{namespace:?}].workloads[{name:?}]"));
            let word = |key: &str| workload.get(key).and_then(Value::as_str);
            let Some(containers) = workload.get("containers").and_then(Value::as_object) else {
                sink.skip(&place, reason::NO_OBJECT, name)?;
                continue;
            };
            for (container, amounts) in containers {
                let place = Position(format!("{}.containers[{container:?}]", place.0));
                if amounts.get("target").and_then(Value::as_object).is_none_or(serde_json::Map::is_empty) {
                    sink.skip(&place, "the Vertical Pod Autoscaler has recommended nothing yet", name)?;
                    continue;
                }
                let recommendation = vpa::ContainerRecommendation {
                    account: &account,
                    source: "goldilocks",
                    namespace,
                    kind: word("controllerType").unwrap_or("Deployment"),
                    workload: word("controllerName").unwrap_or(name),
                    container,
                    amounts,
                };
                sink.record(&place, Record::Finding(Box::new(vpa::of_container(&recommendation))))?;
            }
        }
    }
    Ok(())
}
