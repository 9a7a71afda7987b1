//! `allocation_preview`: the amounts that a rule would allocate to each target, without storing anything.

use super::super::answer::{Money, json, ratio, total};
use super::super::charges::Charges;
use super::super::days::interval;
use super::compute::{Share, apply};
use super::rule::{self, COLUMNS};
use crate::kit::{Arguments, Look};
use catalogue::Decimal;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use uuid::Uuid;

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
    sources: Vec<Source>,
    messages: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    currency: Option<String>,
    target: String,
    amount: Money,
    share: Option<f64>,
}

#[derive(Serialize)]
struct Source {
    currency: Option<String>,
    amount: Money,
    allocated: Money,
}

pub(in crate::spending) fn preview(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (from, until) = interval(request, ("from", "to"))?;
    let asked = rule::read(&asked(call, request)?)?;
    let mut all = rule::active(call.rows)?;
    all.retain(|rule| rule.id != asked.id);
    all.push(asked.clone());
    rule::sort(&mut all);
    let place = all.iter().position(|rule| rule.id == asked.id).unwrap_or_default();
    let charges = Charges::at(call.rows)?;
    let outcome = apply(call.rows, &charges, (&asked, &all[..place], &all), (from, until))?;
    let (rows, sources) = sums(&outcome.shares)?;
    json(&Answer { rows, sources, messages: outcome.messages.into_iter().collect() })
}

/// The rule to preview: the fields of the request override the stored rule with its id.
fn asked(call: &Call<'_>, request: Arguments<'_>) -> Result<Json, Refusal> {
    let id = request.id("id")?;
    let mut columns = match id {
        None => Map::new(),
        Some(id) => {
            let stored = Look::at(call.rows, "allocation_rule")?.with("id", id)?.first(&COLUMNS)?;
            let none = || Refusal::not_found(format!("there is no rule {id} in this tenant"));
            stored.as_ref().and_then(Json::as_object).cloned().ok_or_else(none)?
        }
    };
    for name in COLUMNS {
        if let Some(value) = request.value(name) {
            columns.insert(name.to_owned(), value.clone());
        }
    }
    let usual = [("name", "a new rule"), ("method", "even"), ("target", "tags.team")];
    for (name, value) in usual {
        columns.entry(name).or_insert_with(|| value.into());
    }
    for name in ["shares", "basis"] {
        columns.entry(name).or_insert_with(|| Map::new().into());
    }
    columns.entry("id").or_insert_with(|| Uuid::nil().to_string().into());
    Ok(Json::Object(columns))
}

/// The total of each target, and the total of the charges to allocate.
fn sums(shares: &[Share]) -> Result<(Vec<Row>, Vec<Source>), Refusal> {
    let mut targets: BTreeMap<(&str, &str), Vec<Decimal>> = BTreeMap::new();
    for share in shares {
        targets.entry((&share.currency, &share.target)).or_default().push(share.amount);
    }
    let mut sources: BTreeMap<&str, (Decimal, Decimal)> = BTreeMap::new();
    let mut rows = Vec::new();
    for ((currency, target), amounts) in targets {
        let amount = total(amounts)?;
        let (source, allocated) = sources.entry(currency).or_default();
        *source = total([*source, amount])?;
        if !target.is_empty() {
            *allocated = total([*allocated, amount])?;
        }
        rows.push((currency, target, amount));
    }
    rows.sort_by(|one, other| (one.0, other.2).cmp(&(other.0, one.2)).then_with(|| one.1.cmp(other.1)));
    let named = |currency: &str| (!currency.is_empty()).then(|| currency.to_owned());
    let rows = rows.into_iter().map(|(currency, target, amount)| Row {
        currency: named(currency),
        target: target.to_owned(),
        amount: Money(amount),
        share: sources.get(currency).and_then(|(source, _)| ratio(amount, *source)),
    });
    let rows = rows.collect();
    let sources = sources.into_iter().map(|(currency, (amount, allocated))| Source {
        currency: named(currency),
        amount: Money(amount),
        allocated: Money(allocated),
    });
    Ok((rows, sources.collect()))
}
