//! What drove an anomaly of cost: its parts beside what was to be expected of them.

use super::bill::{Usage, UseOfKind, equals};
use super::{SERVICE, decimal, feedback, number};
use crate::kit::{self, Arguments, Look};
use analysis::anomalies::{Effect, KindOfUse, effects, shares};
use catalogue::{Decimal, DecimalSum, Value, parse_date};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use store::query::{Filter, Key};
use uuid::Uuid;

const DEFAULT_LIMIT: i64 = 10;
const MOST: i64 = 100;
/// Days that are told before and after an anomaly.
const DAYS_BEFORE: i32 = 42;
const DAYS_AFTER: i32 = 14;
/// What the rows beyond the limit are told as.
const OTHERS: &str = "all others";
/// Whether more was used, or the price rose.
const PRICE_OR_QUANTITY: &str = "price_or_quantity";

/// One part of a dimension.
struct Part {
    key: String,
    actual: Decimal,
    expected: Decimal,
    amount: Decimal,
}

/// `spend_anomaly_drivers`
pub(in crate::anomalies) fn operation(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let limit = request.whole("limit").unwrap_or(DEFAULT_LIMIT);
    if !(1..=MOST).contains(&limit) {
        return Err(Refusal::invalid(format!("`limit` is {limit}: expected 1 to {MOST}")));
    }
    let id = request.needed_id("anomaly_id")?;
    let anomaly = feedback::find(call, id)?;
    let reference = &anomaly["reference_value"];
    let days = |list: &str| -> Vec<i32> {
        let list = reference[list].as_array().into_iter().flatten();
        list.filter_map(|one| parse_date(one["date"].as_str()?)).collect()
    };
    let expected = reference["run"].as_array().into_iter().flatten();
    let expected = total(expected.filter_map(|day| decimal(&day["expected"])))?;
    let usage = Usage::of(call.rows)?;
    let is_service = anomaly["scope"] == SERVICE;
    let mut conditions =
        vec![equals(usage.column("unit")?, Value::Text(kit::text(&anomaly, "currency").to_owned()))];
    if is_service {
        let account = kit::uuid(&anomaly, "account_id").ok_or_else(Refusal::denied)?;
        conditions.push(equals(usage.column("cloud_account")?, Value::Uuid(account)));
        conditions.push(usage.of_service(kit::text(&anomaly, "name"))?);
    }
    let among = |days: &[i32]| -> Result<Vec<Filter>, Refusal> {
        let mut all = conditions.clone();
        all.push(usage.on(days)?);
        Ok(all)
    };
    let (during, before) = (among(&days("run"))?, among(&days("values"))?);
    let mut dimensions: Vec<(&str, Key)> =
        vec![("account", usage.column("cloud_account")?), ("service", usage.service()?)];
    // All resources of a tenant may be more than an answer holds.
    if is_service {
        dimensions.push(("resource", usage.column("cloud_resource_id")?));
    }
    dimensions.push(("usage_type", usage.usage_type()?));
    dimensions.push(("meter", usage.column("sku_meter")?));
    let mut rows = Vec::new();
    for (dimension, key) in dimensions {
        let actual = usage.by(key.clone(), during.clone())?;
        let parts = parts(actual, usage.by(key, before.clone())?, expected)?;
        rows.extend(told(call, dimension, parts, usize::try_from(limit).unwrap_or(usize::MAX))?);
    }
    let effects = price_or_quantity(usage.by_kind(during)?, usage.by_kind(before)?, expected)?;
    rows.extend(told(call, PRICE_OR_QUANTITY, effects, usize::MAX)?);
    let run = days("run");
    let (first, last) = (run.first().copied().unwrap_or_default(), run.last().copied().unwrap_or_default());
    conditions.push(usage.during(first - DAYS_BEFORE..last + DAYS_AFTER + 1)?);
    Ok(json!({
        "anomaly_id": id,
        "currency": anomaly["currency"],
        "impact": anomaly["impact"],
        "rows": rows,
        "days": by_day(&usage, conditions)?,
    }))
}

/// What usage cost day by day, in order.
fn by_day(usage: &Usage<'_>, conditions: Vec<Filter>) -> Result<Vec<Json>, Refusal> {
    let mut days = usage.by(usage.day()?, conditions)?;
    days.sort_by(|left, right| left.0.cmp(&right.0));
    let day =
        |(date, amount): (String, Decimal)| Ok(json!({ "date": date.get(..10), "amount": number(amount)? }));
    days.into_iter().map(day).collect()
}

/// The parts of a dimension, the largest difference first. What was expected of all is divided among them as they cost on the days that were
/// compared with.
fn parts(
    actual: Vec<(String, Decimal)>,
    before: Vec<(String, Decimal)>,
    expected: Decimal,
) -> Result<Vec<Part>, Refusal> {
    let mut all: BTreeMap<String, (Decimal, Decimal)> = BTreeMap::new();
    for (key, amount) in actual {
        all.entry(key).or_default().0 = amount;
    }
    for (key, amount) in before {
        all.entry(key).or_default().1 = amount;
    }
    let bases: Vec<Decimal> = all.values().map(|(_, before)| *before).collect();
    let divided = shares(expected, &bases);
    if divided.is_none() && !expected.is_zero() {
        // Nothing was there before that could be expected to cost something now.
        all.entry(String::new()).or_default();
    }
    let divided = divided.unwrap_or_else(|| {
        let whole = |key: &String| if key.is_empty() { expected } else { Decimal::ZERO };
        all.keys().map(whole).collect()
    });
    let mut parts = Vec::with_capacity(all.len());
    for ((key, (actual, _)), expected) in all.into_iter().zip(divided) {
        let amount = actual.checked_sub(expected).ok_or_else(too_long)?;
        parts.push(Part { key, actual, expected, amount });
    }
    parts.sort_by(|left, right| {
        right.amount.abs().cmp(&left.amount.abs()).then_with(|| left.key.cmp(&right.key))
    });
    Ok(parts)
}

/// What of the difference comes from the quantity that was used, what from its price, and what is of use whose quantity charges do not say; nothing
/// where they say none at all.
fn price_or_quantity(
    actual: Vec<UseOfKind>,
    before: Vec<UseOfKind>,
    expected: Decimal,
) -> Result<Vec<Part>, Refusal> {
    let mut kinds: BTreeMap<[String; 5], KindOfUse> = BTreeMap::new();
    for (key, cost, quantity) in actual {
        let kind = kinds.entry(key).or_default();
        (kind.cost, kind.quantity) = (cost, quantity);
    }
    for (key, cost, quantity) in before {
        let kind = kinds.entry(key).or_default();
        (kind.cost_before, kind.quantity_before) = (cost, quantity);
    }
    if kinds.values().all(|kind| kind.quantity.is_zero() && kind.quantity_before.is_zero()) {
        return Ok(Vec::new());
    }
    let kinds: Vec<KindOfUse> = kinds.into_values().collect();
    let found = effects(&kinds, expected).ok_or_else(too_long)?;
    let part = |(key, Effect { expected, actual }): (&str, Effect)| {
        let amount = actual.checked_sub(expected).ok_or_else(too_long)?;
        Ok(Part { key: key.to_owned(), actual, expected, amount })
    };
    let named = [("quantity", found.quantity), ("price", found.price), ("quantity not known", found.unknown)];
    let said = named.into_iter().filter(|(_, effect)| *effect != Effect::default());
    said.map(part).collect()
}

/// The parts as rows, with names, those beyond the limit together.
fn told(call: &Call<'_>, dimension: &str, mut parts: Vec<Part>, limit: usize) -> Result<Vec<Json>, Refusal> {
    let others = if parts.len() > limit { parts.split_off(limit - 1) } else { Vec::new() };
    let names = names(call, dimension, &parts)?;
    let row = |id: Option<&str>, name: &str, part: &Part| -> Result<Json, Refusal> {
        Ok(json!({
            "dimension": dimension,
            "id": id,
            "name": name,
            "actual": number(part.actual)?,
            "expected": number(part.expected)?,
            "amount": number(part.amount)?,
        }))
    };
    let mut rows = Vec::with_capacity(parts.len() + 1);
    for part in &parts {
        let name = names.get(&part.key);
        let id = name.is_some().then_some(part.key.as_str());
        rows.push(row(id, name.map_or(part.key.as_str(), String::as_str), part)?);
    }
    if !others.is_empty() {
        let sum = |pick: fn(&Part) -> Decimal| total(others.iter().map(pick));
        let rest = Part {
            key: String::new(),
            actual: sum(|part| part.actual)?,
            expected: sum(|part| part.expected)?,
            amount: sum(|part| part.amount)?,
        };
        rows.push(row(None, OTHERS, &rest)?);
    }
    Ok(rows)
}

/// What accounts and resources are called, by id.
fn names(call: &Call<'_>, dimension: &str, parts: &[Part]) -> Result<HashMap<String, String>, Refusal> {
    let (table, column) = match dimension {
        "account" => ("cloud_accounts", "account_name"),
        "resource" => ("cloud_resourses", "name"),
        _ => return Ok(HashMap::new()),
    };
    let ids = parts.iter().filter_map(|part| Uuid::parse_str(&part.key).ok()).map(Value::Uuid).collect();
    let rows = Look::at(call.rows, table)?.one_of("id", ids)?.rows(&["id", column])?;
    let pair = |row: &Json| (kit::text(row, "id").to_owned(), kit::text(row, column).to_owned());
    Ok(rows.iter().map(pair).collect())
}

fn total(amounts: impl Iterator<Item = Decimal>) -> Result<Decimal, Refusal> {
    let mut sum = DecimalSum::new();
    amounts.for_each(|amount| sum.add(amount));
    sum.total().ok_or_else(too_long)
}

fn too_long() -> Refusal {
    Refusal::new("data-exception", "an amount needs more than 38 digits")
}
