//! `tag_coverage`: the share of cost with tags, by key.

use super::super::answer::{Money, json, less, ratio, total};
use super::super::charges::{Charges, Sums};
use super::super::days::interval;
use super::super::dimension::{VIRTUAL, column};
use super::super::scope::Scope;
use crate::kit::Arguments;
use analysis::allocation::clusters;
use catalogue::Decimal;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value as Json;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use store::query::{Filter, Key, Term};

/// Charge categories that cannot be tagged.
const UNTAGGABLE: [&str; 3] = ["Tax", "Credit", "Adjustment"];
/// The prefix of keys that importers add; users do not.
const OWN: &str = "nb_";

#[derive(Serialize)]
struct Answer {
    currency: Option<String>,
    taggable: Money,
    untaggable: Money,
    tagged: Money,
    keys: Vec<KeyRow>,
    virtual_tags: Vec<KeyRow>,
    spellings: Vec<SpellingRow>,
}

#[derive(Serialize)]
struct KeyRow {
    key: String,
    amount: Money,
    share: Option<f64>,
    values: usize,
}

#[derive(Serialize)]
struct SpellingRow {
    keys: Vec<String>,
    amount: Money,
}

/// The cost amounts and distinct values of each key.
type Keys = BTreeMap<String, (Vec<Decimal>, BTreeSet<String>)>;

/// The tags of charges and their cost.
#[derive(Default)]
struct Tags {
    keys: Keys,
    /// Keys of derived tags. Charges with only these count as untagged.
    derived: Keys,
    /// Cost by the set of a charge's own keys.
    sets: BTreeMap<BTreeSet<String>, Decimal>,
}

pub(in crate::spending) fn coverage(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (from, until) = interval(request, ("from", "to"))?;
    let charges = Charges::at(call.rows)?;
    let grouped = |keys, more: Vec<Filter>| {
        let filter = charges.filter(&Scope::default(), (Some(from), Some(until)), more)?;
        charges.grouped(keys, vec![("amount", charges.sum("amount")?), ("charges", Term::Count)], filter)
    };
    let by_currency = grouped(
        vec![("currency", charges.key("unit")?), ("category", charges.key("charge_category")?)],
        Vec::new(),
    )?;
    let currency = match request.text("currency") {
        Some(named) => Some(named.to_owned()),
        None => main_currency(&by_currency),
    };
    let is_untaggable =
        |sums: &&Sums| sums.text("category").is_some_and(|category| UNTAGGABLE.contains(&category.as_str()));
    let of_currency = || by_currency.iter().filter(|sums| sums.text("currency") == currency);
    let untaggable = total(of_currency().filter(is_untaggable).map(|sums| sums.amount("amount")))?;
    let taggable = less(total(of_currency().map(|sums| sums.amount("amount")))?, untaggable)?;
    let mut more = vec![match &currency {
        Some(currency) => charges.is("unit", currency)?,
        None => charges.test("unit", store::query::Test::IsNull)?,
    }];
    for category in UNTAGGABLE {
        let is = charges.is("charge_category", category)?;
        let none = charges.test("charge_category", store::query::Test::IsNull)?;
        more.push(Filter::Or(vec![none, Filter::Not(Box::new(is))]));
    }
    let tags = read(&grouped(vec![("tags", Key::Column(column(charges.table, "tags")?))], more)?)?;
    let tagged = total(tags.sets.iter().filter(|(keys, _)| !keys.is_empty()).map(|(_, amount)| *amount))?;
    let spellings = spellings(&tags)?;
    let keys = covered(tags.keys, taggable)?;
    let virtual_tags = covered(tags.derived, taggable)?;
    json(&Answer {
        currency,
        taggable: Money(taggable),
        untaggable: Money(untaggable),
        tagged: Money(tagged),
        keys,
        virtual_tags,
        spellings,
    })
}

/// The cost covered by each key, largest first.
fn covered(found: Keys, taggable: Decimal) -> Result<Vec<KeyRow>, Refusal> {
    let mut keys = Vec::with_capacity(found.len());
    for (key, (amounts, values)) in found {
        let amount = total(amounts)?;
        keys.push(KeyRow {
            key,
            amount: Money(amount),
            share: ratio(amount, taggable),
            values: values.len(),
        });
    }
    keys.sort_by(|one, other| other.amount.cmp(&one.amount).then_with(|| one.key.cmp(&other.key)));
    Ok(keys)
}

/// The currency with the most charges, as amounts of different currencies are not comparable; of several, the first by name.
fn main_currency(sums: &[Sums]) -> Option<String> {
    let mut counts: BTreeMap<Option<String>, u64> = BTreeMap::new();
    for one in sums {
        *counts.entry(one.text("currency")).or_default() += one.whole("charges");
    }
    counts.into_iter().max_by_key(|(currency, count)| (*count, Reverse(currency.clone())))?.0
}

fn read(groups: &[Sums]) -> Result<Tags, Refusal> {
    let mut tags = Tags::default();
    for group in groups {
        let amount = group.amount("amount");
        let object = group.object("tags");
        let mut set = BTreeSet::new();
        for (key, value) in object.iter().flat_map(|object| object.iter()) {
            let value = match value {
                Json::String(text) => text.clone(),
                Json::Null => String::new(),
                other => other.to_string(),
            };
            if key.starts_with(OWN) || value.trim().is_empty() {
                continue;
            }
            let is_virtual = key.starts_with(VIRTUAL);
            let keys = if is_virtual { &mut tags.derived } else { &mut tags.keys };
            let (amounts, values) = keys.entry(key.clone()).or_default();
            amounts.push(amount);
            values.insert(value);
            if !is_virtual {
                set.insert(key.clone());
            }
        }
        let sum = tags.sets.entry(set).or_default();
        *sum = total([*sum, amount])?;
    }
    Ok(tags)
}

fn spellings(tags: &Tags) -> Result<Vec<SpellingRow>, Refusal> {
    let mut weighed = Vec::with_capacity(tags.keys.len());
    for (key, (amounts, _)) in &tags.keys {
        weighed.push((key.clone(), total(amounts.iter().copied())?));
    }
    let mut rows = Vec::new();
    for spelling in clusters(&weighed) {
        let has_any = |keys: &BTreeSet<String>| spelling.keys.iter().any(|key| keys.contains(key));
        let amount = total(tags.sets.iter().filter(|(keys, _)| has_any(keys)).map(|(_, amount)| *amount))?;
        rows.push(SpellingRow { keys: spelling.keys, amount: Money(amount) });
    }
    rows.sort_by(|one, other| other.amount.cmp(&one.amount).then_with(|| one.keys.cmp(&other.keys)));
    Ok(rows)
}
