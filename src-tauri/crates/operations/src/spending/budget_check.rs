//! Validation of budgets.

use super::scope::Scope;
use super::thresholds;
use crate::kit::{Look, text};
use catalogue::{Decimal, Value};
use graphql::Refusal;
use serde_json::Value as Json;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Refuses invalid budgets among these.
pub(super) fn written(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    refuse(rows, ids).map_err(Refusal::into_error)
}

fn refuse(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), Refusal> {
    let ids = ids.iter().map(|id| Value::Uuid(*id)).collect();
    let look = Look::at(rows, "budget")?.one_of("id", ids)?;
    for budget in look.rows(&["name", "scope", "amount", "currency", "thresholds"])? {
        check(&budget)?;
    }
    Ok(())
}

fn check(budget: &Json) -> Result<(), Refusal> {
    if text(budget, "name").trim().is_empty() {
        return Err(Refusal::invalid("`name` is empty: expected what people call the budget"));
    }
    Scope::read(&budget["scope"])?;
    let amount = amount(&budget["amount"]);
    if !amount.is_some_and(|amount| !amount.is_zero() && !amount.is_negative()) {
        return Err(Refusal::invalid(format!("`amount` is {}: expected more than 0", budget["amount"])));
    }
    let currency = text(budget, "currency");
    if currency.len() != 3 || !currency.bytes().all(|letter| letter.is_ascii_uppercase()) {
        let message = format!("`currency` is \"{currency}\": expected a three-letter code such as USD");
        return Err(Refusal::invalid(message));
    }
    thresholds::read(&budget["thresholds"]).map(drop)
}

/// Parses an amount from a row.
pub(super) fn amount(value: &Json) -> Option<Decimal> {
    match value {
        Json::Number(number) => Decimal::parse(&number.to_string()).ok(),
        Json::String(text) => Decimal::parse(text).ok(),
        _ => None,
    }
}
