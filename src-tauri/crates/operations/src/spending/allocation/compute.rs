//! Applies allocation rules to charges, day by day, with exact amounts.

use super::super::answer::too_large;
use super::super::charges::Charges;
use super::super::dimension::column;
use super::super::scope::Scope;
use super::rule::{Method, Rule};
use crate::kit::Look;
use analysis::allocation::{SplitError, split};
use analysis::forecast::start_of_month;
use catalogue::{Decimal, Value, format_date};
use graphql::Refusal;
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use store::query::{Filter, Key, Operator, Test};

/// The amount allocated to a target on a day (days since 1970). An empty target is the unallocated part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Share {
    pub day: i32,
    pub currency: String,
    pub target: String,
    pub source: Decimal,
    pub weight: Decimal,
    pub weight_total: Decimal,
    pub amount: Decimal,
}

/// The result of a rule.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    pub shares: Vec<Share>,
    pub messages: BTreeSet<String>,
}

/// Weights by month, and by currency if the weights are costs.
type Weights = BTreeMap<(i32, Option<String>), Vec<(String, Decimal)>>;

/// Applies a rule to the charges of a period that no earlier rule takes.
pub(super) fn apply(
    rows: &Transaction<'_>,
    charges: &Charges<'_>,
    (rule, before, all): (&Rule, &[Rule], &[Rule]),
    (from, until): (i32, i32),
) -> Result<Outcome, Refusal> {
    let mut conditions = vec![rule.scope.filter(charges.table)?];
    conditions.extend(without(charges, before)?);
    let filter = charges.filter(&Scope::default(), (Some(from), Some(until)), conditions)?;
    let keys = vec![("day", charges.day()?), ("currency", charges.key("unit")?)];
    let sources = charges.grouped(keys, vec![("amount", charges.sum("amount")?)], filter)?;
    let weights = match &rule.method {
        Method::Cost => of_cost(charges, rule, all, (from, until))?,
        Method::Usage(name) => of_usage(rows, name, (from, until))?,
        Method::Even(_) | Method::Fixed(_) => Weights::new(),
    };
    let mut outcome = Outcome::default();
    for sums in sources {
        let Some(day) = sums.day("day") else { continue };
        let currency = sums.text("currency").unwrap_or_default();
        let source = sums.amount("amount");
        let of_day = match &rule.method {
            Method::Even(names) => names.iter().map(|name| (name.clone(), Decimal::from(1))).collect(),
            Method::Fixed(shares) => whole(shares)?,
            Method::Cost => {
                weights.get(&(start_of_month(day), Some(currency.clone()))).cloned().unwrap_or_default()
            }
            Method::Usage(_) => weights.get(&(start_of_month(day), None)).cloned().unwrap_or_default(),
        };
        distribute(&mut outcome, (day, &currency, source), &of_day)?;
    }
    Ok(outcome)
}

/// Conditions that select charges which none of these rules takes.
fn without(charges: &Charges<'_>, rules: &[Rule]) -> Result<Vec<Filter>, Refusal> {
    rules.iter().map(|rule| rule.scope.outside(charges.table)).collect()
}

/// The percentages, with the rest to 100 as unallocated.
fn whole(shares: &[(String, Decimal)]) -> Result<Vec<(String, Decimal)>, Refusal> {
    let mut rest = Decimal::from(100);
    for (_, percent) in shares {
        rest = rest.checked_sub(*percent).ok_or_else(too_large)?;
    }
    let mut shares = shares.to_vec();
    if !rest.is_zero() {
        shares.push((String::new(), rest));
    }
    Ok(shares)
}

fn distribute(
    outcome: &mut Outcome,
    (day, currency, source): (i32, &str, Decimal),
    weights: &[(String, Decimal)],
) -> Result<(), Refusal> {
    let total = weights
        .iter()
        .try_fold(Decimal::ZERO, |sum, (_, weight)| sum.checked_add(*weight))
        .ok_or_else(too_large)?;
    let parts = match split(source, weights, (currency, day)) {
        Ok(parts) => parts,
        Err(SplitError::TooLarge) => return Err(too_large()),
        Err(SplitError::NoWeight | SplitError::NegativeWeight) => {
            let month = &format_date(day)[..7];
            outcome.messages.insert(format!(
                "nothing is known in {month} to split {} by: it stays unallocated",
                if currency.is_empty() { "the charges" } else { currency }
            ));
            outcome.shares.push(Share {
                day,
                currency: currency.to_owned(),
                target: String::new(),
                source,
                weight: Decimal::ZERO,
                weight_total: Decimal::ZERO,
                amount: source,
            });
            return Ok(());
        }
    };
    outcome.shares.extend(parts.into_iter().map(|part| Share {
        day,
        currency: currency.to_owned(),
        target: part.target,
        source,
        weight: part.weight,
        weight_total: total,
        amount: part.amount,
    }));
    Ok(())
}

/// The cost of each target by month and currency, from charges that no rule allocates. Negative sums, such as credits, count as 0.
fn of_cost(
    charges: &Charges<'_>,
    rule: &Rule,
    all: &[Rule],
    (from, until): (i32, i32),
) -> Result<Weights, Refusal> {
    let target = rule.target.key(charges.table)?;
    let mut conditions = vec![rule.basis.filter(charges.table)?];
    conditions.extend(without(charges, all)?);
    let months = (start_of_month(from), end_of_month(until));
    let filter = charges.filter(&Scope::default(), (Some(months.0), Some(months.1)), conditions)?;
    let month = Key::Time(column(charges.table, "date")?, store::query::TimeUnit::Month);
    let keys = vec![("month", month), ("currency", charges.key("unit")?), ("target", target)];
    let mut found = Weights::new();
    for sums in charges.grouped(keys, vec![("amount", charges.sum("amount")?)], filter)? {
        let (Some(month), Some(target)) = (sums.day("month"), sums.text("target")) else { continue };
        let amount = sums.amount("amount");
        if !target.is_empty() && !amount.is_negative() && !amount.is_zero() {
            let key = (month, Some(sums.text("currency").unwrap_or_default()));
            found.entry(key).or_default().push((target, amount));
        }
    }
    for weights in found.values_mut() {
        weights.sort_by(|one, other| one.0.cmp(&other.0));
    }
    Ok(found)
}

fn end_of_month(day: i32) -> i32 {
    analysis::forecast::first_of_next(day) - 1
}

/// The sums of a business number by month and group.
fn of_usage(rows: &Transaction<'_>, name: &str, (from, until): (i32, i32)) -> Result<Weights, Refusal> {
    let day = |operator, day: i32| Test::Compare(operator, Value::Date(day));
    let look = Look::at(rows, "business_number")?
        .with("name", name)?
        .that("date", day(Operator::GreaterOrEqual, start_of_month(from)))?
        .that("date", day(Operator::LessOrEqual, end_of_month(until)))?;
    let mut sums: BTreeMap<(i32, String), Decimal> = BTreeMap::new();
    for row in look.rows(&["group", "date", "value"])? {
        let Some(day) = row["date"].as_str().and_then(catalogue::parse_date) else { continue };
        let group = row["group"].as_str().unwrap_or_default();
        let Some(value) = super::super::budget_check::amount(&row["value"]) else { continue };
        if group.is_empty() {
            continue;
        }
        let sum = sums.entry((start_of_month(day), group.to_owned())).or_default();
        *sum = sum.checked_add(value).ok_or_else(too_large)?;
    }
    let mut found = Weights::new();
    for ((month, group), sum) in sums {
        if !sum.is_negative() && !sum.is_zero() {
            found.entry((month, None)).or_default().push((group, sum));
        }
    }
    Ok(found)
}
