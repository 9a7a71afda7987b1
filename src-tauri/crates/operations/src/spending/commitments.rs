//! `spend_commitments`: utilisation of reservations and savings plans, from FOCUS columns.

use super::answer::{Date, Money, json, ratio, too_large};
use super::charges::Charges;
use super::commitment_totals::{Total, totals};
use super::days::interval;
use super::dimension::Dimension;
use super::scope::Scope;
use crate::kit::Arguments;
use catalogue::Decimal;
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::query::{Filter, Test};

/// A purchase for more days than this covers a term; shorter ones are instalments.
const INSTALMENT: i32 = 32;
/// The pricing category of spot usage, which commitments do not cover.
pub(super) const SPOT: &str = "Dynamic";

#[derive(Serialize)]
struct Answer {
    rows: Vec<Row>,
    totals: Option<Total>,
    totals_by_currency: Vec<Total>,
}

#[derive(Serialize)]
struct Row {
    commitment_id: String,
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    currency: Option<String>,
    utilization: Option<f64>,
    coverage: Option<f64>,
    unused_cost: Money,
    used_cost: Money,
    expires_on: Option<Date>,
    purchased: Option<Money>,
}

/// The sums of one commitment in one currency.
#[derive(Default)]
struct Commitment {
    name: Option<String>,
    kind: Option<String>,
    used: Decimal,
    unused: Decimal,
    /// Contracted cost of the usage it covers.
    covered: Decimal,
    services: BTreeSet<Option<String>>,
    expires_on: Option<i32>,
    purchased: Option<Decimal>,
}

/// Commitments by currency and id.
type CommitmentMap = BTreeMap<(Option<String>, String), Commitment>;
/// Contracted cost of eligible usage by currency and service.
type Eligible = BTreeMap<(Option<String>, Option<String>), Decimal>;

pub(super) fn commitments(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let (from, to) = interval(request, ("from", "to"))?;
    let scope = Scope::of_accounts(request.value("account_ids"))?;
    let charges = Charges::at(call.rows)?;
    let (mut found, eligible) = used(&charges, &scope, (from, to))?;
    purchases(&charges, &scope, (from, to), &mut found)?;
    let mut rows = Vec::new();
    for ((currency, id), commitment) in found {
        let services = commitment.services.iter();
        let mut eligible = services.filter_map(|service| eligible.get(&(currency.clone(), service.clone())));
        let eligible = eligible.try_fold(Decimal::ZERO, |sum, more| sum.checked_add(*more));
        let all = commitment.used.checked_add(commitment.unused).ok_or_else(too_large)?;
        rows.push(Row {
            name: commitment.name,
            commitment_id: id,
            kind: commitment.kind,
            currency,
            utilization: ratio(commitment.used, all),
            coverage: ratio(commitment.covered, eligible.ok_or_else(too_large)?),
            unused_cost: Money(commitment.unused),
            used_cost: Money(commitment.used),
            expires_on: commitment.expires_on.map(Date),
            purchased: commitment.purchased.map(Money),
        });
    }
    rows.sort_by(|one, other| {
        (other.unused_cost, &one.commitment_id).cmp(&(one.unused_cost, &other.commitment_id))
    });
    let totals_by_currency = totals(&charges, &scope, (from, to))?;
    json(&Answer { rows, totals: totals_by_currency.first().cloned(), totals_by_currency })
}

/// Usage in the interval: by commitment, and the usage that commitments could cover.
fn used(
    charges: &Charges<'_>,
    scope: &Scope,
    (from, to): (i32, i32),
) -> Result<(CommitmentMap, Eligible), Refusal> {
    let keys = vec![
        ("currency", charges.key("unit")?),
        ("id", charges.key("commitment_discount_id")?),
        ("name", charges.key("commitment_discount_name")?),
        ("type", charges.key("commitment_discount_type")?),
        ("status", charges.key("commitment_discount_status")?),
        ("pricing", charges.key("pricing_category")?),
        ("service", Dimension::Column("service_name").key(charges.table)?),
    ];
    let mut figures = vec![("effective", charges.sum("effective_cost")?)];
    figures.extend(charges.contracted()?);
    let usage = charges.use_made_or_not()?;
    let filter = charges.filter(scope, (Some(from), Some(to)), vec![usage])?;
    let (mut found, mut eligible) = (CommitmentMap::new(), Eligible::new());
    for sums in charges.grouped(keys, figures, filter)? {
        let (currency, service) = (sums.text("currency"), sums.text("service"));
        let is_unused = sums.text("status").as_deref() == Some("Unused");
        let (effective, contracted) = (sums.amount("effective"), sums.contracted()?);
        if !is_unused && sums.text("pricing").as_deref() != Some(SPOT) {
            add(eligible.entry((currency.clone(), service.clone())).or_default(), contracted)?;
        }
        let Some(id) = sums.text("id") else { continue };
        let commitment = found.entry((currency, id)).or_default();
        commitment.name = commitment.name.take().or_else(|| sums.text("name"));
        commitment.kind = commitment.kind.take().or_else(|| sums.text("type"));
        if is_unused {
            add(&mut commitment.unused, effective)?;
        } else {
            add(&mut commitment.used, effective)?;
            add(&mut commitment.covered, contracted)?;
            commitment.services.insert(service);
        }
    }
    Ok((found, eligible))
}

/// Purchases up to the end of the interval: amounts paid, and ends of terms. Commitments whose term ended before the interval are not included.
fn purchases(
    charges: &Charges<'_>,
    scope: &Scope,
    (from, to): (i32, i32),
    found: &mut CommitmentMap,
) -> Result<(), Refusal> {
    let keys = vec![
        ("currency", charges.key("unit")?),
        ("id", charges.key("commitment_discount_id")?),
        ("name", charges.key("commitment_discount_name")?),
        ("type", charges.key("commitment_discount_type")?),
        ("day", charges.day()?),
        ("end", charges.key("period_end")?),
    ];
    let conditions = vec![
        charges.is("charge_category", "Purchase")?,
        Filter::Not(Box::new(charges.test("commitment_discount_id", Test::IsNull)?)),
    ];
    let filter = charges.filter(scope, (None, Some(to)), conditions)?;
    for sums in charges.grouped(keys, vec![("billed", charges.sum("billed_cost")?)], filter)? {
        let (Some(id), Some(day)) = (sums.text("id"), sums.day("day")) else { continue };
        let end = sums.day("end");
        let key = (sums.text("currency"), id);
        let is_current = day >= from || end.is_some_and(|end| end > from);
        if !is_current && !found.contains_key(&key) {
            continue;
        }
        let commitment = found.entry(key).or_default();
        commitment.name = commitment.name.take().or_else(|| sums.text("name"));
        commitment.kind = commitment.kind.take().or_else(|| sums.text("type"));
        add(commitment.purchased.get_or_insert_default(), sums.amount("billed"))?;
        commitment.expires_on = commitment.expires_on.max(end.filter(|end| end - day > INSTALMENT));
    }
    Ok(())
}

pub(super) fn add(sum: &mut Decimal, more: Decimal) -> Result<(), Refusal> {
    *sum = sum.checked_add(more).ok_or_else(too_large)?;
    Ok(())
}
