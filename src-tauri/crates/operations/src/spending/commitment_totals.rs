//! Savings by commitments and negotiated prices over an interval, by currency.

use super::answer::{Money, less, ratio, total};
use super::charges::Charges;
use super::commitments::{SPOT, add};
use super::scope::Scope;
use catalogue::{Decimal, Value};
use graphql::Refusal;
use serde::Serialize;
use std::collections::BTreeMap;
use store::query::{Filter, Operator, Term, Test};

/// The totals of one currency in the API.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Total {
    currency: Option<String>,
    effective_savings_rate: Option<f64>,
    list_cost: Money,
    effective_cost: Money,
    negotiated_savings: Money,
    commitment_savings: Money,
    unused_cost: Money,
    utilization: Option<f64>,
    coverage: Option<f64>,
    left_out_charges: u64,
    left_out_effective_cost: Money,
}

/// The sums of one currency.
#[derive(Default)]
struct Sum {
    list: Decimal,
    contracted: Decimal,
    /// Effective cost of usage, covered by commitments or not.
    effective: Decimal,
    unused: Decimal,
    /// Effective and contracted cost of usage that commitments cover.
    used: Decimal,
    covered: Decimal,
    eligible: Decimal,
    left_out: u64,
    left_out_effective: Decimal,
}

/// The totals, largest list cost first.
pub(super) fn totals(charges: &Charges<'_>, scope: &Scope, span: (i32, i32)) -> Result<Vec<Total>, Refusal> {
    let mut sums = all(charges, scope, span)?;
    leave_out(charges, scope, span, &mut sums)?;
    let mut totals =
        sums.into_iter().map(|(currency, sum)| of(currency, &sum)).collect::<Result<Vec<_>, _>>()?;
    totals.sort_by(|one, other| (other.list_cost, &one.currency).cmp(&(one.list_cost, &other.currency)));
    Ok(totals)
}

fn of(currency: Option<String>, sum: &Sum) -> Result<Total, Refusal> {
    let effective = total([sum.effective, sum.unused])?;
    Ok(Total {
        effective_savings_rate: ratio(less(sum.list, effective)?, sum.list),
        negotiated_savings: Money(less(sum.list, sum.contracted)?),
        commitment_savings: Money(less(sum.contracted, sum.effective)?),
        unused_cost: Money(sum.unused),
        list_cost: Money(sum.list),
        effective_cost: Money(effective),
        utilization: ratio(sum.used, total([sum.used, sum.unused])?),
        coverage: ratio(sum.covered, sum.eligible),
        left_out_charges: sum.left_out,
        left_out_effective_cost: Money(sum.left_out_effective),
        currency,
    })
}

/// The sums of all usage.
fn all(
    charges: &Charges<'_>,
    scope: &Scope,
    (from, to): (i32, i32),
) -> Result<BTreeMap<Option<String>, Sum>, Refusal> {
    let keys = vec![
        ("currency", charges.key("unit")?),
        ("status", charges.key("commitment_discount_status")?),
        ("pricing", charges.key("pricing_category")?),
    ];
    let mut figures =
        vec![("list", charges.sum("list_cost")?), ("effective", charges.sum("effective_cost")?)];
    figures.extend(charges.contracted()?);
    let usage = charges.use_made_or_not()?;
    let filter = charges.filter(scope, (Some(from), Some(to)), vec![usage])?;
    let mut found: BTreeMap<Option<String>, Sum> = BTreeMap::new();
    for row in charges.grouped(keys, figures, filter)? {
        let sum = found.entry(row.text("currency")).or_default();
        let (contracted, effective) = (row.contracted()?, row.amount("effective"));
        let status = row.text("status");
        // The list and contracted costs of unused capacity do not belong to any usage.
        if status.as_deref() == Some("Unused") {
            add(&mut sum.unused, effective)?;
            continue;
        }
        add(&mut sum.list, row.amount("list"))?;
        add(&mut sum.contracted, contracted)?;
        add(&mut sum.effective, effective)?;
        if row.text("pricing").as_deref() != Some(SPOT) {
            add(&mut sum.eligible, contracted)?;
        }
        if status.as_deref() == Some("Used") {
            add(&mut sum.used, effective)?;
            add(&mut sum.covered, contracted)?;
        }
    }
    Ok(found)
}

/// Subtracts usage whose list cost is not a public price: missing, below the contracted cost, or 0 although the usage cost something.
fn leave_out(
    charges: &Charges<'_>,
    scope: &Scope,
    (from, to): (i32, i32),
    found: &mut BTreeMap<Option<String>, Sum>,
) -> Result<(), Refusal> {
    let zero = || Value::Decimal(Decimal::ZERO);
    let too_low = Filter::Or(vec![
        charges.test("list_cost", Test::IsNull)?,
        Filter::Columns {
            left: charges.key("list_cost")?,
            operator: Operator::Less,
            right: charges.key("contracted_cost")?,
        },
        Filter::And(vec![
            charges.test("list_cost", Test::Compare(Operator::LessOrEqual, zero()))?,
            charges.test("effective_cost", Test::Compare(Operator::Greater, zero()))?,
        ]),
    ]);
    let is_made = Filter::Or(vec![
        charges.test("commitment_discount_status", Test::IsNull)?,
        Filter::Not(Box::new(charges.is("commitment_discount_status", "Unused")?)),
    ]);
    let conditions = vec![charges.is("charge_category", "Usage")?, is_made, too_low];
    let mut figures = vec![
        ("list", charges.sum("list_cost")?),
        ("effective", charges.sum("effective_cost")?),
        ("count", Term::Count),
    ];
    figures.extend(charges.contracted()?);
    let filter = charges.filter(scope, (Some(from), Some(to)), conditions)?;
    for row in charges.grouped(vec![("currency", charges.key("unit")?)], figures, filter)? {
        let sum = found.entry(row.text("currency")).or_default();
        sum.list = less(sum.list, row.amount("list"))?;
        sum.contracted = less(sum.contracted, row.contracted()?)?;
        sum.effective = less(sum.effective, row.amount("effective"))?;
        sum.left_out += row.whole("count");
        add(&mut sum.left_out_effective, row.amount("effective"))?;
    }
    Ok(())
}
