//! Terraform: `terraform show -json` of a state or a plan, and the state file itself.
//!
//! Secrets are not read: only the few attributes in [`SHOWN`] are stored.

use super::infracost::kind_of;
use crate::format::Format;
use crate::head::{Head, has};
use crate::kubernetes::json_path::{list_at, str_at, value_at};
use crate::read_error::ReadError;
use crate::reason;
use crate::record::{Account, Record, Resource};
use crate::shape::{DOCUMENT_BYTES, Json};
use crate::sink::{Position, Sink};
use serde_json::{Map, Value};
use std::io::Read;

pub const FORMAT: Format = Format {
    id: "terraform",
    title: "Terraform state or plan",
    source: "JSON of `terraform show -json` (state or plan), or a state file (terraform.tfstate)",
    fills: "resources, accounts",
    lacks_currency: false,
    certainty,
    read,
};

/// Attributes that are stored: none of them can be a secret.
const SHOWN: [&str; 21] = [
    "allocated_storage",
    "availability_zone",
    "disk_size_gb",
    "engine",
    "engine_version",
    "instance_class",
    "instance_type",
    "kind",
    "location",
    "machine_type",
    "memory_size",
    "multi_az",
    "node_type",
    "region",
    "resource_group_name",
    "sku",
    "sku_name",
    "storage_type",
    "vm_size",
    "volume_type",
    "zone",
];
const DATA_SOURCE: &str = "a data source: it is read, and not of this Terraform";
/// The reason for leaving out a planned resource, which has no id yet.
const NOT_THERE: &str = "it is to be created: nothing of it is there yet";

fn certainty(head: &Head<'_>) -> u8 {
    let object = head.object();
    let is_one = has(object, &["format_version", "resource_changes"])
        || has(object, &["format_version", "terraform_version", "values"])
        || has(object, &["format_version", "terraform_version", "planned_values"])
        || has(object, &["terraform_version", "lineage", "serial"]);
    if is_one { 97 } else { 0 }
}

fn read(read: &mut dyn Read, sink: &mut dyn Sink) -> Result<(), ReadError> {
    let mut json = Json::new(read);
    let document = json.value(DOCUMENT_BYTES)?;
    json.end()?;
    if has(&document, &["lineage", "serial"]) {
        return raw_state(&document, sink);
    }
    if !list_at(&document, &["resource_changes"]).is_empty() {
        return plan(&document, sink);
    }
    module(value_at(&document, &["values", "root_module"]), "$.values.root_module", sink)
}

/// Reads the resources of a module and of its child modules.
fn module(module: &Value, path: &str, sink: &mut dyn Sink) -> Result<(), ReadError> {
    for (index, resource) in list_at(module, &["resources"]).iter().enumerate() {
        let place = Position(format!("{path}.resources[{index}]"));
        let address = str_at(resource, &["address"]).unwrap_or_default();
        let found = match str_at(resource, &["mode"]) {
            Some("data") => Err(DATA_SOURCE),
            _ => resource_of(address, str_at(resource, &["type"]), value_at(resource, &["values"]), None),
        };
        hand_on(&place, address, found, sink)?;
    }
    for (index, child) in list_at(module, &["child_modules"]).iter().enumerate() {
        self::module(child, &format!("{path}.child_modules[{index}]"), sink)?;
    }
    Ok(())
}

/// Reads the existing resources of a plan, with their planned action.
fn plan(document: &Value, sink: &mut dyn Sink) -> Result<(), ReadError> {
    for (index, change) in list_at(document, &["resource_changes"]).iter().enumerate() {
        let place = Position(format!("$.resource_changes[{index}]"));
        let address = str_at(change, &["address"]).unwrap_or_default();
        let before = value_at(change, &["change", "before"]);
        let found = match str_at(change, &["mode"]) {
            Some("data") => Err(DATA_SOURCE),
            _ if !before.is_object() => Err(NOT_THERE),
            _ => {
                let actions = value_at(change, &["change", "actions"]);
                resource_of(address, str_at(change, &["type"]), before, Some(actions))
            }
        };
        hand_on(&place, address, found, sink)?;
    }
    Ok(())
}

/// Reads Terraform's own state file.
fn raw_state(document: &Value, sink: &mut dyn Sink) -> Result<(), ReadError> {
    for (index, resource) in list_at(document, &["resources"]).iter().enumerate() {
        let (kind, name) = (str_at(resource, &["type"]).unwrap_or_default(), str_at(resource, &["name"]));
        let before = str_at(resource, &["module"]).map(|module| format!("{module}.")).unwrap_or_default();
        for (number, instance) in list_at(resource, &["instances"]).iter().enumerate() {
            let place = Position(format!("$.resources[{index}].instances[{number}]"));
            let key = match value_at(instance, &["index_key"]) {
                Value::Null => String::new(),
                key => format!("[{key}]"),
            };
            let address = format!("{before}{kind}.{}{key}", name.unwrap_or_default());
            let found = match str_at(resource, &["mode"]) {
                Some("data") => Err(DATA_SOURCE),
                _ => resource_of(&address, Some(kind), value_at(instance, &["attributes"]), None),
            };
            hand_on(&place, &address, found, sink)?;
        }
    }
    Ok(())
}

fn hand_on(
    place: &Position,
    address: &str,
    found: Result<Resource, &'static str>,
    sink: &mut dyn Sink,
) -> Result<(), ReadError> {
    match found {
        Ok(resource) => sink.record(place, Record::Resource(resource)),
        Err(reason) => sink.skip(place, reason, address),
    }
}

fn resource_of(
    address: &str,
    kind: Option<&str>,
    values: &Value,
    planned: Option<&Value>,
) -> Result<Resource, &'static str> {
    if address.is_empty() {
        return Err(reason::NO_ID);
    }
    let attribute = |key: &str| str_at(values, &[key]);
    let kind = kind.map(str::to_owned).or_else(|| kind_of(address));
    let family = kind.as_deref().unwrap_or_default().split('_').next().unwrap_or_default().to_owned();
    let id = attribute("arn").or_else(|| attribute("self_link")).or_else(|| attribute("id"));
    let account = account(&family, id, values);
    let mut meta = Map::new();
    meta.insert("terraform_address".to_owned(), address.into());
    for key in SHOWN {
        if let Some(value) = values.get(key).filter(|value| !value.is_null() && !value.is_object()) {
            meta.insert(key.to_owned(), value.clone());
        }
    }
    if let Some(actions) = planned {
        meta.insert("terraform_plan".to_owned(), actions.clone());
    }
    let tags = ["tags_all", "tags", "labels"].iter().find_map(|key| values.get(*key)?.as_object());
    let name = attribute("name").or_else(|| tags?.get("Name")?.as_str());
    let region = attribute("region").or_else(|| attribute("location")).map(str::to_owned);
    let of_arn = id.filter(|id| id.starts_with("arn:")).and_then(|arn| arn.split(':').nth(3));
    Ok(Resource {
        account,
        external_id: id.unwrap_or(address).to_owned(),
        name: Some(name.unwrap_or(address).to_owned()),
        kind,
        region: region.or_else(|| of_arn.filter(|region| !region.is_empty()).map(str::to_owned)),
        service_name: None,
        tags: tags.cloned(),
        meta: Some(meta),
        seen: None,
    })
}

/// The account named by a resource id; otherwise a substitute account for Terraform resources of this provider.
fn account(family: &str, id: Option<&str>, values: &Value) -> Account {
    let provider = match family {
        "aws" => "AWS",
        "azurerm" | "azapi" => "Azure",
        "google" => "GCP",
        _ => "Other",
    };
    let parts = |separator| id.unwrap_or_default().split(separator).collect::<Vec<&str>>();
    let number = match provider {
        "AWS" => parts(':').get(4).filter(|number| number.len() == 12).map(|number| (*number).to_owned()),
        "Azure" => match parts('/').as_slice() {
            ["", word, subscription, ..] if word.eq_ignore_ascii_case("subscriptions") => {
                Some((*subscription).to_owned())
            }
            _ => None,
        },
        "GCP" => str_at(values, &["project"]).map(str::to_owned),
        _ => None,
    };
    match number {
        Some(number) => Account { provider: provider.to_owned(), number, name: None },
        None => Account {
            provider: "Other".to_owned(),
            number: format!("terraform {family}"),
            name: Some(format!("Terraform ({family})")),
        },
    }
}
