//! NodeMetrics and PodMetrics of metrics-server, in JSON.

use super::subject::{CPU_USED, MEMORY_USED, Subject};
use crate::kubernetes::json_path::{list_at, quantity_at, str_at, time_at};
use crate::kubernetes::quantity::Quantity;
use crate::record::{Account, Metric};
use serde_json::Value;

/// Reads one object; `Err` names the missing field.
pub fn measurements(object: &Value, account: &Account) -> Result<Vec<Metric>, &'static str> {
    let name = str_at(object, &["metadata", "name"]).ok_or("metadata.name")?;
    let at = Some(time_at(object, &["timestamp"]).ok_or("timestamp")?);
    let (subject, cpu, memory) = match str_at(object, &["metadata", "namespace"]) {
        Some(namespace) => {
            let containers = list_at(object, &["containers"]);
            let sum = |what: &str| {
                let zero = Quantity::parse("0")?;
                containers.iter().try_fold(zero, |sum, container| {
                    Some(sum.plus(quantity_at(container, &["usage", what])?))
                })
            };
            (Subject::pod(namespace, name), sum("cpu"), sum("memory"))
        }
        None => (
            Subject::node(name),
            quantity_at(object, &["usage", "cpu"]),
            quantity_at(object, &["usage", "memory"]),
        ),
    };
    let (cpu, memory) = (cpu.ok_or("usage.cpu")?, memory.ok_or("usage.memory")?);
    Ok(vec![
        subject.measured(account, CPU_USED, "cores", at, cpu.measured()),
        subject.measured(account, MEMORY_USED, "bytes", at, memory.measured()),
    ])
}
