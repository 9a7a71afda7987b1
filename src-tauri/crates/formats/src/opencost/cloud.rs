//! Cloud costs of OpenCost and Kubecost: the providers' invoices, as imported by these tools.

use super::allocation::decimal;
use crate::kubernetes::look::{at, map, owned, text, time};
use crate::record::{Account, Charge};
use serde_json::{Map, Value};

/// Reads one cost; `Err` names the missing field.
pub fn cost(name: &str, object: &Value) -> Result<Charge, &'static str> {
    let property = |key: &str| text(object, &["properties", key]);
    let money = |field: &str| decimal(at(object, &[field, "cost"]));
    let provider = property("provider").ok_or("properties.provider")?.to_owned();
    let number = property("accountID").or_else(|| property("invoiceEntityID"));
    let mut details = Map::new();
    for key in ["category", "invoiceEntityID"] {
        if let Some(value) = property(key) {
            details.insert(key.to_owned(), value.into());
        }
    }
    let share = at(object, &["listCost", "kubernetesPercent"]);
    if share.is_number() {
        details.insert("kubernetesPercent".to_owned(), share.clone());
    }
    let id = property("providerID").unwrap_or(name);
    Ok(Charge {
        source: "OpenCost",
        start: time(object, &["window", "start"]).ok_or("window.start")?,
        end: time(object, &["window", "end"]).ok_or("window.end")?,
        billed: money("invoicedCost").or_else(|| money("netCost")).ok_or("invoicedCost.cost")?,
        effective: money("amortizedNetCost").or_else(|| money("amortizedCost")),
        list: money("listCost"),
        currency: None,
        service: owned(object, &["properties", "service"]),
        subject: id.to_owned(),
        subject_name: id.rsplit('/').next().unwrap_or(id).to_owned(),
        subject_kind: None,
        machine: None,
        tags: map(object, &["properties", "labels"]),
        details,
        account: Account {
            number: number.map_or_else(|| format!("{provider} without an account"), str::to_owned),
            name: owned(object, &["properties", "accountName"]),
            provider,
        },
    })
}
