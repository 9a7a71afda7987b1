//! Infracost: estimated monthly costs of Terraform resources. Estimates are not charges: they are stored with the resources.

use crate::format::Format;
use crate::head::{Head, has};
use crate::kubernetes::json_path::{list_at, str_at, string_at, time_at, value_at};
use crate::read_error::ReadError;
use crate::reason;
use crate::recommendations::decimal;
use crate::record::{Account, Record, Resource};
use crate::shape::{DOCUMENT_BYTES, Json};
use crate::sink::{Position, Sink};
use catalogue::DecimalSum;
use serde_json::{Map, Value};
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "infracost",
    title: "Infracost estimate",
    source: "JSON of `infracost breakdown --format json`",
    fills: "resources with their estimated monthly cost",
    lacks_currency: false,
    certainty,
    read,
};

/// The reason for leaving out a resource whose price depends on usage that nobody has specified.
const BY_USAGE: &str = "its cost depends on usage that the estimate does not know";

fn certainty(head: &Head<'_>) -> u8 {
    let object = head.object();
    let project = object.get("projects").and_then(|list| list.get(0)).unwrap_or(&Value::Null);
    if has(object, &["projects", "totalMonthlyCost"]) || has(project, &["breakdown", "metadata"]) {
        95
    } else {
        0
    }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let estimate = json.value(DOCUMENT_BYTES)?;
    json.end()?;
    let currency = str_at(&estimate, &["currency"]).unwrap_or("USD");
    let made = time_at(&estimate, &["timeGenerated"]);
    let mut sum = DecimalSum::new();
    for (number, project) in list_at(&estimate, &["projects"]).iter().enumerate() {
        let name = str_at(project, &["name"]).unwrap_or("project");
        let account = Account {
            provider: "Other".to_owned(),
            number: format!("infracost {name}"),
            name: Some(format!("Infracost {name}")),
        };
        for (index, resource) in list_at(project, &["breakdown", "resources"]).iter().enumerate() {
            let place = Position(format!("$.projects[{number}].breakdown.resources[{index}]"));
            let Some(address) = str_at(resource, &["name"]) else {
                sink.skip(&place, reason::NO_ID, "")?;
                continue;
            };
            let Some(cost) = decimal(value_at(resource, &["monthlyCost"])) else {
                sink.skip(&place, BY_USAGE, address)?;
                continue;
            };
            sum.add(cost);
            let mut meta = Map::new();
            meta.insert("estimated_monthly_cost".to_owned(), cost.to_string().into());
            meta.insert("currency".to_owned(), currency.into());
            for (key, name) in [("costComponents", "cost_components"), ("subresources", "parts")] {
                if !list_at(resource, &[key]).is_empty() {
                    meta.insert(name.to_owned(), value_at(resource, &[key]).clone());
                }
            }
            let kind = string_at(resource, &["resourceType"]).or_else(|| kind_of(address));
            sink.record(
                &place,
                Record::Resource(Resource {
                    account: account.clone(),
                    external_id: address.to_owned(),
                    name: Some(address.to_owned()),
                    kind,
                    region: None,
                    service_name: Some("Infracost".to_owned()),
                    tags: value_at(resource, &["tags"]).as_object().cloned(),
                    meta: Some(meta),
                    seen: made,
                }),
            )?;
        }
    }
    let stated = str_at(&estimate, &["totalMonthlyCost"]).unwrap_or("nothing");
    sink.note(format!(
        "The estimates of all resources add up to {sum} {currency} a month (the file states {stated}). Estimates are no charges and are \
         in no total."
    ));
    Ok(())
}

/// The resource type in an address: `module.net.aws_instance.web[0]` is an `aws_instance`.
pub fn kind_of(address: &str) -> Option<String> {
    let mut parts = address.split('.');
    let mut part = parts.next()?;
    while part == "module" || part == "data" {
        if part == "module" {
            parts.next()?;
        }
        part = parts.next()?;
    }
    Some(part.to_owned()).filter(|kind| kind.contains('_'))
}
