//! `unit_costs`: cost per unit of a business number.

use super::super::answer::{Date, Money, json, share, total};
use super::super::budget_check::amount;
use super::super::charges::Charges;
use super::super::days::interval;
use super::super::scope::Scope;
use crate::kit::{Arguments, Look};
use analysis::forecast::{first_of_next, start_of_month};
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
    days: i32,
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
    let mut numbers: BTreeMap<i32, Decimal> = BTreeMap::new();
    for row in look.rows(&["date", "value"])? {
        let (Some(day), Some(value)) = (row["date"].as_str().and_then(parse_date), amount(&row["value"]))
        else {
            continue;
        };
        let sum = numbers.entry(day).or_default();
        *sum = total([*sum, value])?;
    }
    let charges = Charges::at(call.rows)?;
    let Some(known) = charges.known_day(&scope.accounts(), Some(until))? else {
        return json(&Answer { rows: Vec::new() });
    };
    // Days without the number, and days without a bill yet, are excluded from both sides, so that cost and number cover the same days. A number
    // with single values counts for its whole month.
    let by_day = !is_monthly || is_told_by_day(&numbers);
    let mut values: BTreeMap<i32, (Decimal, i32)> = BTreeMap::new();
    for (day, value) in numbers.iter().filter(|(day, _)| !by_day || **day <= known) {
        let (sum, days) = values.entry(grain(*day)).or_default();
        *sum = total([*sum, *value])?;
        *days += 1;
    }
    let filter = charges.filter(&scope, (Some(from), Some(until)), Vec::new())?;
    let keys = vec![("day", charges.day()?), ("currency", charges.key("unit")?)];
    let mut costs: BTreeMap<(i32, Option<String>), Decimal> = BTreeMap::new();
    for sums in charges.grouped(keys, vec![("amount", charges.sum("amount")?)], filter)? {
        let counts = |day: &i32| !by_day || (numbers.contains_key(day) && *day <= known);
        let Some(day) = sums.day("day").filter(counts) else { continue };
        let cost = costs.entry((grain(day), sums.text("currency"))).or_default();
        *cost = total([*cost, sums.amount("amount")])?;
    }
    let row = |((date, currency), cost): ((i32, Option<String>), Decimal)| {
        let (value, of_number) = *values.get(&date)?;
        let unit_cost = (!value.is_zero()).then(|| share(cost.to_f64() / value.to_f64()));
        let of_cost = first_of_next(date).min(known + 1).min(until + 1) - date.max(from);
        let days = if by_day { of_number } else { of_cost };
        Some(Row { date: Date(date), currency, cost: Money(cost), value: Money(value), unit_cost, days })
    };
    json(&Answer { rows: costs.into_iter().filter_map(row).collect() })
}

/// Whether a number has daily values: values on two consecutive days of one month. (Monthly values may be on the last day of one month and the
/// first of the next.)
fn is_told_by_day(numbers: &BTreeMap<i32, Decimal>) -> bool {
    let is_next =
        |(day, next): (&i32, &i32)| next - day == 1 && start_of_month(*day) == start_of_month(*next);
    numbers.keys().zip(numbers.keys().skip(1)).any(is_next)
}
