//! The drivers of a cost anomaly: its parts, each with its actual and expected cost.

use super::bill::{Usage, UseOfKind, equals};
use super::{DAY, HOUR, SERVICE, TAG, TOTAL, feedback, number, tags};
use crate::kit::values::exact;
use crate::kit::{self, Arguments, Look};
use analysis::anomalies::{Effect, KindOfUse, effects, shares};
use catalogue::{Decimal, DecimalSum, Value, parse_date, parse_timestamp};
use graphql::{Call, Refusal};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use store::query::{Filter, Key};
use uuid::Uuid;

const DEFAULT_LIMIT: i64 = 10;
const MOST: i64 = 100;
/// Days returned before and after an anomaly.
const DAYS_BEFORE: i32 = 42;
const DAYS_AFTER: i32 = 14;
/// Days returned before and after an hourly anomaly.
const HOURLY_DAYS: (i32, i32) = (3, 1);
/// Scopes of cost anomalies: their parts add up.
const COSTS: [&str; 3] = [SERVICE, TAG, TOTAL];
/// The name of the row that sums the parts beyond the limit.
const OTHERS: &str = "all others";
/// The dimension that separates quantity from price effects.
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
    if !COSTS.contains(&kit::text(&anomaly, "scope")) {
        return Err(Refusal::invalid(format!(
            "anomaly {id} is of no cost: what is measured or counted has no parts that add up"
        )));
    }
    let reference = &anomaly["reference_value"];
    let times = |list: &str| -> Vec<Range<i64>> {
        let list = reference[list].as_array().into_iter().flatten();
        list.filter_map(|one| time_of(one["date"].as_str()?)).collect()
    };
    let expected = reference["run"].as_array().into_iter().flatten();
    let expected = total(expected.filter_map(|day| exact(&day["expected"])))?;
    let usage = Usage::of(call.rows)?;
    let is_service = anomaly["scope"] == SERVICE;
    let mut conditions =
        vec![equals(usage.column("unit")?, Value::Text(kit::text(&anomaly, "currency").to_owned()))];
    if is_service {
        let account = kit::uuid(&anomaly, "account_id").ok_or_else(Refusal::denied)?;
        conditions.push(equals(usage.column("cloud_account")?, Value::Uuid(account)));
        conditions.push(usage.of_service(kit::text(&anomaly, "name"))?);
    }
    if let Some((tag, value)) =
        tags::parts_of(kit::text(&anomaly, "name")).filter(|_| anomaly["scope"] == TAG)
    {
        conditions.push(usage.of_tag(tag, value)?);
    }
    let among = |list: &str| -> Result<Vec<Filter>, Refusal> {
        let mut all = conditions.clone();
        all.push(usage.within(times(list))?);
        Ok(all)
    };
    let (during, before) = (among("run")?, among("values")?);
    let mut dimensions: Vec<(&str, Key)> =
        vec![("account", usage.column("cloud_account")?), ("service", usage.service()?)];
    // The resources of a whole tenant may exceed the size of a result.
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
    let run = times("run");
    let day = |time: i64| i32::try_from(time.div_euclid(DAY)).unwrap_or_default();
    let first = run.first().map(|time| day(time.start)).unwrap_or_default();
    let last = run.last().map(|time| day(time.end - 1)).unwrap_or_default();
    let is_hourly = reference["grain"] == "hour";
    let (before, after) = if is_hourly { HOURLY_DAYS } else { (DAYS_BEFORE, DAYS_AFTER) };
    conditions.push(usage.during(first - before..last + after + 1)?);
    let steps = if is_hourly { usage.hour()? } else { usage.day()? };
    Ok(json!({
        "anomaly_id": id,
        "currency": anomaly["currency"],
        "impact": anomaly["impact"],
        "rows": rows,
        "days": by_step(&usage, steps, conditions)?,
    }))
}

/// The time range of a day (`2026-06-18`) or of an hour (`2026-06-18T13:00:00`), µs since 1970 UTC.
fn time_of(text: &str) -> Option<Range<i64>> {
    if let Some(day) = parse_date(text) {
        return Some(i64::from(day) * DAY..i64::from(day + 1) * DAY);
    }
    let hour = parse_timestamp(text)?;
    Some(hour..hour + HOUR)
}

/// The cost of usage by day or hour, in chronological order.
fn by_step(usage: &Usage<'_>, steps: Key, conditions: Vec<Filter>) -> Result<Vec<Json>, Refusal> {
    let is_day = steps == usage.day()?;
    let mut amounts = usage.by(steps, conditions)?;
    amounts.sort_by(|left, right| left.0.cmp(&right.0));
    let step = |(time, amount): (String, Decimal)| {
        let date = if is_day { time.get(..10) } else { time.get(..19) };
        Ok(json!({ "date": date, "amount": number(amount)? }))
    };
    amounts.into_iter().map(step).collect()
}

/// The parts of a dimension, largest difference first. The expected total is divided in proportion to their cost on the reference days.
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
        // No part had cost before, so no part has a basis for the expected cost.
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

/// Splits the difference into the effects of quantity and price, and the part of use without a quantity. Empty if no charge has a quantity.
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

/// The parts as named JSON rows; those beyond the limit are summed in one row.
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

/// The names of accounts and resources, by id.
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
