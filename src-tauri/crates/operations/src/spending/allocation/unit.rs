//! `unit_costs`: what a unit of a number of the business costs.

use super::super::answer::{Date, Money, json, share, total};
use super::super::budget_check::amount;
use super::super::charges::Charges;
use super::super::days::interval;
use super::super::scope::Scope;
use crate::kit::{Arguments, Look};
use analysis::forecast::start_of_month;
use catalogue::{Decimal, Value, parse_date};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::query::{Operator, Test};

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    date: Date,
    currency: Option<String>,
    cost: Money,
    value: Money,
    unit_cost: Option<f64>,
}

pub(in crate::spending) fn unit_costs(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (from, until) = interval(request, ("from", "to"))?;
    let name = request.needed("name")?;
    let is_monthly = request.word("every", &["day", "month"])? != Some("day");
    let grain = |day: i32| if is_monthly { start_of_month(day) } else { day };
    let scope = request.value("scope").map(Scope::read).transpose()?.unwrap_or_default();
    let within = |operator, day: i32| Test::Compare(operator, Value::Date(day));
    let mut look = Look::at(call.rows, "business_number")?
        .with("name", name)?
        .that("date", within(Operator::GreaterOrEqual, from))?
        .that("date", within(Operator::LessOrEqual, until))?;
    if let Some(group) = request.text("group") {
        look = look.with("group", group)?;
    }
    let mut values: BTreeMap<i32, Decimal> = BTreeMap::new();
    let mut days = std::collections::BTreeSet::new();
    for row in look.rows(&["date", "value"])? {
        let (Some(day), Some(value)) = (row["date"].as_str().and_then(parse_date), amount(&row["value"]))
        else {
            continue;
        };
        days.insert(day);
        let sum = values.entry(grain(day)).or_default();
        *sum = total([*sum, value])?;
    }
    let charges = Charges::at(call.rows)?;
    let filter = charges.filter(&scope, (Some(from), Some(until)), Vec::new())?;
    let keys = vec![("day", charges.day()?), ("currency", charges.key("unit")?)];
    let mut costs: BTreeMap<(i32, Option<String>), Decimal> = BTreeMap::new();
    for sums in charges.grouped(keys, vec![("amount", charges.sum("amount")?)], filter)? {
        // A day without the number is left out of both, so that they are held against each other for the same days.
        let Some(day) = sums.day("day").filter(|day| days.contains(day) || is_monthly) else { continue };
        let cost = costs.entry((grain(day), sums.text("currency"))).or_default();
        *cost = total([*cost, sums.amount("amount")])?;
    }
    let row = |((date, currency), cost): ((i32, Option<String>), Decimal)| {
        let value = *values.get(&date)?;
        let unit_cost = (!value.is_zero()).then(|| share(cost.to_f64() / value.to_f64()));
        Some(Row { date: Date(date), currency, cost: Money(cost), value: Money(value), unit_cost })
    };
    json(&Answer { rows: costs.into_iter().filter_map(row).collect() })
}
