//! Cloud costs of OpenCost and Kubecost: the providers' invoices, as imported by these tools.

use super::allocation::decimal;
use crate::kubernetes::json_path::{map_at, str_at, string_at, time_at, value_at};
use crate::record::{Account, Charge};
use serde_json::{Map, Value};

/// Reads one cost; `Err` names the missing field.
pub fn cost(name: &str, object: &Value) -> Result<Charge, &'static str> {
    let property = |key: &str| str_at(object, &["properties", key]);
    let money = |field: &str| decimal(value_at(object, &[field, "cost"]));
    let provider = property("provider").ok_or("properties.provider")?.to_owned();
    let number = property("accountID").or_else(|| property("invoiceEntityID"));
    let mut details = Map::new();
    for key in ["category", "invoiceEntityID"] {
        if let Some(value) = property(key) {
            details.insert(key.to_owned(), value.into());
        }
    }
    let share = value_at(object, &["listCost", "kubernetesPercent"]);
    if share.is_number() {
        details.insert("kubernetesPercent".to_owned(), share.clone());
    }
    let id = property("providerID").unwrap_or(name);
    Ok(Charge {
        source: "OpenCost",
        start: time_at(object, &["window", "start"]).ok_or("window.start")?,
        end: time_at(object, &["window", "end"]).ok_or("window.end")?,
        billed: money("invoicedCost").or_else(|| money("netCost")).ok_or("invoicedCost.cost")?,
        effective: money("amortizedNetCost").or_else(|| money("amortizedCost")),
        list: money("listCost"),
        currency: None,
        service: string_at(object, &["properties", "service"]),
        subject: id.to_owned(),
        subject_name: id.rsplit('/').next().unwrap_or(id).to_owned(),
        subject_kind: None,
        machine: None,
        tags: map_at(object, &["properties", "labels"]),
        details,
        account: Account {
            number: number.map_or_else(|| format!("{provider} without an account"), str::to_owned),
            name: string_at(object, &["properties", "accountName"]),
            provider,
        },
    })
}
