//! Generates requests of the `_v2` listings: columns, filters, groups, order.

use crate::properties::data::TEXTS;
use crate::properties::random::Random;
use catalogue::{Catalogue, Listing, ListingColumn, ListingSource, RequestType};
use serde_json::{Value as Json, json};

pub fn random(catalogue: &Catalogue, random: &mut Random) -> (String, Json) {
    let listing = &catalogue.listings[random.below(catalogue.listings.len())];
    let shown: Vec<&ListingColumn> =
        listing.columns.iter().filter(|column| column.row_type.is_some()).collect();
    let mut chosen: Vec<&str> =
        shown.iter().filter(|_| random.one_in(5)).take(6).map(|column| column.name.as_str()).collect();
    if chosen.is_empty() {
        chosen.push(&shown[random.below(shown.len())].name);
    }
    let mut variables = serde_json::Map::new();
    let mut give = |name: &str, value: Json| {
        if listing.takes(name) {
            variables.insert(name.to_owned(), value);
        }
    };
    give("columns", json!(chosen));
    if let Some(condition) = condition(listing, random) {
        give("where", condition);
    }
    // All columns that identify a row are in the order, so that it is total.
    let order: Vec<Json> = chosen
        .iter()
        .map(|column| json!({ "column": column, "order": random.pick(&["asc", "desc", "asc_nulls_first", "desc_nulls_last"]) }))
        .collect();
    give("order_by", Json::Array(order));
    if random.one_in(3) {
        give("limit", json!(1 + random.below(5)));
    }
    if random.one_in(5) {
        give("offset", json!(random.below(3)));
    }
    let argument = |(name, kind): &(String, String)| format!("${name}: {kind}");
    let used: Vec<&(String, String)> =
        listing.arguments.iter().filter(|(name, _)| variables.contains_key(name)).collect();
    let declared: Vec<String> = used.iter().map(|pair| argument(pair)).collect();
    let given: Vec<String> = used.iter().map(|(name, _)| format!("{name}: ${name}")).collect();
    let fields = chosen.join(" ");
    let fields = if listing.response_type.is_some() { format!("rows {{ {fields} }}") } else { fields };
    let query =
        format!("query({}) {{ {}({}) {{ {fields} }} }}", declared.join(", "), listing.name, given.join(", "));
    (query, Json::Object(variables))
}

fn condition(listing: &Listing, random: &mut Random) -> Option<Json> {
    listing.where_type.as_ref()?;
    let filtered: Vec<(&str, RequestType)> = listing
        .columns
        .iter()
        .filter(|column| matches!(column.source, ListingSource::Value(_)))
        .filter_map(|column| Some((column.name.as_str(), column.request?)))
        .collect();
    if filtered.is_empty() || random.one_in(3) {
        return None;
    }
    let (name, kind) = filtered[random.below(filtered.len())];
    let value = match kind {
        RequestType::String => json!(random.pick(&TEXTS)),
        RequestType::Int => json!(random.below(3)),
        RequestType::Float => json!(0.5),
        RequestType::Boolean => json!(random.one_in(2)),
        RequestType::Datetime => json!("2024-09-01T05:00:00Z"),
        RequestType::Json => json!({ "a": 1 }),
    };
    let operator = match kind {
        RequestType::Json => "_contains",
        RequestType::Boolean => random.pick(&["_eq", "_neq"]),
        RequestType::String => random.pick(&["_eq", "_neq", "_like", "_ilike"]),
        _ => random.pick(&["_eq", "_neq", "_gt", "_lte"]),
    };
    let test =
        if random.one_in(4) { json!({ "_is_null": random.one_in(2) }) } else { json!({ operator: value }) };
    let condition = json!({ name: test });
    Some(if random.one_in(4) { json!({ "_not": condition }) } else { condition })
}
