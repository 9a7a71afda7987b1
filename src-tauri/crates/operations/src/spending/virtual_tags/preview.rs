//! `virtual_tag_preview`: the charges that each rule of a virtual tag would match, without storing anything.

use super::super::answer::{Money, json, ratio, total};
use super::super::charges::{Charges, Sums};
use super::super::days::interval;
use super::super::dimension::column;
use super::super::scope::Scope;
use super::rule::Rules;
use crate::kit::Arguments;
use catalogue::Decimal;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::MemberValue;
use store::query::{Filter, Key, Term};

/// Sources returned of charges without a value.
const MOST_SOURCES: usize = 10;

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
    without: Vec<Source>,
}

#[derive(Serialize)]
struct Row {
    rule: Option<usize>,
    value: Option<String>,
    currency: Option<String>,
    amount: Money,
    charges: u64,
    share: Option<f64>,
}

#[derive(Serialize)]
struct Source {
    account_id: Option<String>,
    service_name: Option<String>,
    currency: Option<String>,
    amount: Money,
    charges: u64,
}

/// The index of a rule with its value and the currency. Charges without a value come after all rules.
type Place = (Option<String>, usize, Option<String>);

pub(in crate::spending) fn preview(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (from, until) = interval(request, ("from", "to"))?;
    let rules = Rules::read(request.value("rules").unwrap_or(&Json::Null), request.text("other_value"))?;
    let charges = Charges::at(call.rows)?;
    let grouped = |keys: Vec<(&str, Key)>, more: Vec<Filter>| {
        let filter = charges.filter(&Scope::default(), (Some(from), Some(until)), more)?;
        charges.grouped(keys, vec![("amount", charges.sum("amount")?), ("charges", Term::Count)], filter)
    };
    let mut found: BTreeMap<Place, (Decimal, u64)> = BTreeMap::new();
    let mut add = |place: Place, sums: &Sums| -> Result<(), Refusal> {
        let (amount, count) = found.entry(place).or_default();
        *amount = total([*amount, sums.amount("amount")])?;
        *count += sums.whole("charges");
        Ok(())
    };
    let mut left = Vec::new();
    for case in rules.cases(&charges)? {
        let mut keys = vec![("currency", charges.key("unit")?)];
        if let MemberValue::Member(key) = &case.value {
            keys.push(("value", Key::JsonKey(column(charges.table, "tags")?, key.clone())));
        }
        let more = left.iter().cloned().chain([case.takes]).collect();
        for sums in grouped(keys, more)? {
            let value = match &case.value {
                MemberValue::Text(text) => Some(text.clone()),
                MemberValue::Member(_) => sums.text("value"),
            };
            add((sums.text("currency"), case.rule, value), &sums)?;
        }
        left.push(case.leaves);
    }
    let keys = vec![
        ("currency", charges.key("unit")?),
        ("account", charges.key("cloud_account")?),
        ("service", super::super::dimension::Dimension::Column("service_name").key(charges.table)?),
    ];
    let rest = grouped(keys, left)?;
    for sums in &rest {
        add((sums.text("currency"), usize::MAX, rules.other_value.clone()), sums)?;
    }
    let without = if rules.other_value.is_none() { sources(&rest) } else { Vec::new() };
    json(&Answer { rows: rows(found)?, without })
}

fn rows(found: BTreeMap<Place, (Decimal, u64)>) -> Result<Vec<Row>, Refusal> {
    let mut wholes: BTreeMap<Option<String>, Decimal> = BTreeMap::new();
    for ((currency, ..), (amount, _)) in &found {
        let whole = wholes.entry(currency.clone()).or_default();
        *whole = total([*whole, *amount])?;
    }
    let mut sorted: Vec<_> = found.into_iter().collect();
    sorted.sort_by(|(one, (less, _)), (other, (more, _))| {
        (&one.0, one.1, more, &one.2).cmp(&(&other.0, other.1, less, &other.2))
    });
    let row = |((currency, rule, value), (amount, charges)): (Place, (Decimal, u64))| Row {
        rule: (rule != usize::MAX).then_some(rule),
        value,
        share: wholes.get(&currency).and_then(|whole| ratio(amount, *whole)),
        currency,
        amount: Money(amount),
        charges,
    };
    Ok(sorted.into_iter().map(row).collect())
}

fn sources(rest: &[Sums]) -> Vec<Source> {
    let source = |sums: &Sums| Source {
        account_id: sums.text("account"),
        service_name: sums.text("service"),
        currency: sums.text("currency"),
        amount: Money(sums.amount("amount")),
        charges: sums.whole("charges"),
    };
    let mut sources: Vec<Source> = rest.iter().map(source).collect();
    sources.sort_by(|one, other| {
        let names = |source: &Source| (source.service_name.clone(), source.account_id.clone());
        other.amount.cmp(&one.amount).then_with(|| names(one).cmp(&names(other)))
    });
    sources.truncate(MOST_SOURCES);
    sources
}
