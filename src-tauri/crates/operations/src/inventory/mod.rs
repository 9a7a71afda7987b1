//! The list of resources: searched, filtered, sorted, paged and summed in the database.
//!
//! Amounts are sums of the charges in an interval, by currency. A page is read in two steps: first the ids of its resources, then their columns.

mod charges;
mod cluster_costs;
pub(crate) mod containers;
mod selection;
mod values;

use crate::Function;
use crate::kit::{Arguments, Look, text, typed, uuid};
use catalogue::Value;
use charges::{Charges, CurrencySum};
use graphql::{Call, Refusal};
use model::operations::CloudResourcesTotalsResponse;
use selection::Selection;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use uuid::Uuid;

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("cloud_resources_page", page),
    ("cloud_resources_totals", typed!(totals)),
    ("cloud_resources_values", values::values),
    ("k8s_cluster_costs", typed!(cluster_costs::read)),
];

/// The largest number of rows on a page.
const MOST: u64 = 200;

/// The columns of a row, by their API names.
const COLUMNS: [&str; 9] = [
    "id",
    "name",
    "external_resource_id",
    "type",
    "service_name",
    "region",
    "status",
    "last_seen",
    "account",
];

fn totals(call: &Call<'_>) -> Result<CloudResourcesTotalsResponse, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let resources = Selection::of(call, request)?;
    let charges = Charges::of(call, request)?;
    let wants = |name: &str| call.selects(&[name]);
    let count = if wants("count") { resources.look()?.count()? } else { 0 };
    let billed = if wants("billed") { charges.totals(&resources)? } else { Vec::new() };
    let unassigned = if wants("unassigned") { charges.unassigned()? } else { Vec::new() };
    let shown = |sums: Vec<CurrencySum>| sums.into_iter().map(CurrencySum::shown).collect();
    Ok(CloudResourcesTotalsResponse {
        count: i64::try_from(count).unwrap_or(i64::MAX),
        billed: shown(billed),
        unassigned: shown(unassigned),
    })
}

fn page(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let whole = |name: &str, usual: u64| match request.whole(name) {
        None => Ok(usual),
        Some(number) => u64::try_from(number)
            .map_err(|_| Refusal::invalid(format!("`{name}` is {number}: expected 0 or more"))),
    };
    let (limit, offset) = (whole("limit", 100)?, whole("offset", 0)?);
    if limit > MOST {
        let message = format!("`limit` is {limit}: expected {MOST} at most; `offset` leads to the next page");
        return Err(Refusal::invalid(message));
    }
    let resources = Selection::of(call, request)?;
    let charges = Charges::of(call, request)?;
    let is_descending = request.flag("descending").unwrap_or_default();
    let rows = match request.text("sort").unwrap_or("NAME") {
        "COST" => {
            let currency = request.text("currency").ok_or_else(|| {
                Refusal::invalid("`currency` is missing: resources are sorted by the amounts of one currency")
            })?;
            let rows = by_cost(call, &resources, &charges, (currency, is_descending), (limit, offset))?;
            let mut rows = complete(call, &charges, rows)?;
            order_equals(&mut rows, currency);
            rows
        }
        sort => {
            let direction = if is_descending { "desc_nulls_last" } else { "asc_nulls_last" };
            let rows = resources.sorted(sort, direction)?.limit(limit).offset(offset).rows(&COLUMNS)?;
            complete(call, &charges, rows)?
        }
    };
    Ok(json!({ "rows": rows }))
}

/// Sorts resources of a page with equal cost by name.
fn order_equals(rows: &mut [Json], currency: &str) {
    let amount = |row: &Json| {
        let mut billed = row["billed"].as_array().into_iter().flatten();
        billed.find(|one| one["currency"] == currency).map(|one| one["amount"].clone())
    };
    for equals in rows.chunk_by_mut(|one, other| amount(one).is_some() && amount(one) == amount(other)) {
        equals.sort_by(|one, other| text(one, "name").cmp(text(other, "name")));
    }
}

/// A page of the list by amount: first the resources with charges in the currency, then the others by name.
fn by_cost(
    call: &Call<'_>,
    resources: &Selection<'_>,
    charges: &Charges<'_>,
    (currency, is_descending): (&str, bool),
    (limit, offset): (u64, u64),
) -> Result<Vec<Json>, Refusal> {
    let ids = charges.resources_by_amount(resources, currency, is_descending, (limit, offset))?;
    let wanted = ids.iter().map(|id| Value::Uuid(*id)).collect();
    let found = Look::at(call.rows, "cloud_resourses")?.one_of("id", wanted)?.rows(&COLUMNS)?;
    let mut found: HashMap<Option<Uuid>, Json> =
        found.into_iter().map(|row| (uuid(&row, "id"), row)).collect();
    let mut rows: Vec<Json> = ids.iter().filter_map(|id| found.remove(&Some(*id))).collect();
    let left = limit.saturating_sub(ids.len() as u64);
    if left > 0 {
        let with_amount = charges.count_of_resources(resources, currency)?;
        let others = resources.that(charges.none_for(currency)?).sorted("NAME", "asc_nulls_last")?;
        rows.extend(others.limit(left).offset(offset.saturating_sub(with_amount)).rows(&COLUMNS)?);
    }
    Ok(rows)
}

/// Adds account names and billed amounts to the rows.
fn complete(call: &Call<'_>, charges: &Charges<'_>, rows: Vec<Json>) -> Result<Vec<Json>, Refusal> {
    let ids: Vec<Uuid> = rows.iter().filter_map(|row| uuid(row, "id")).collect();
    let mut billed = charges.of_each(&ids)?;
    let accounts: Vec<Value> = {
        let mut ids: Vec<Uuid> = rows.iter().filter_map(|row| uuid(row, "account")).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(Value::Uuid).collect()
    };
    let accounts =
        Look::at(call.rows, "cloud_accounts")?.one_of("id", accounts)?.rows(&["id", "account_name"])?;
    let names: HashMap<&str, &str> =
        accounts.iter().map(|row| (text(row, "id"), text(row, "account_name"))).collect();
    let completed = rows.into_iter().map(|mut row| {
        let account = row["account"].take();
        row["account_name"] = account.as_str().and_then(|id| names.get(id)).copied().into();
        row["account_id"] = account;
        row["billed"] = uuid(&row, "id").and_then(|id| billed.remove(&id)).unwrap_or_default().into();
        row
    });
    Ok(completed.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_that_cost_the_same_are_in_the_order_of_their_names() {
        let row = |name: &str, currency: &str, amount: i32| json!({ "name": name, "billed": [{ "currency": currency, "amount": amount }] });
        let mut rows = vec![
            row("web", "USD", 7),
            row("b", "USD", 0),
            row("a", "USD", 0),
            row("z", "EUR", 3),
            row("y", "EUR", 3),
        ];
        order_equals(&mut rows, "USD");
        let names: Vec<&str> = rows.iter().map(|row| text(row, "name")).collect();
        // Rows without an amount in the currency keep their order.
        assert_eq!(names, ["web", "a", "b", "z", "y"]);
    }
}
