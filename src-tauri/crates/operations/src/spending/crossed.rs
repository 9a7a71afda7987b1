//! Thresholds of budgets that have been reached in the running period: what notices tell.

use super::answer::Money;
use super::budget::{Row, stand};
use super::budgets::{of_accounts, stored};
use super::charges::Charges;
use super::scope::Scope;
use catalogue::Decimal;
use graphql::Refusal;
use store::Transaction;
use uuid::Uuid;

/// A threshold that was reached. Days are counted since 1970.
pub(crate) struct CrossedThreshold {
    pub budget: Uuid,
    pub name: String,
    pub amount: Decimal,
    pub currency: Option<String>,
    /// First and last day of the period.
    pub from: i32,
    pub until: i32,
    pub percent: Decimal,
    /// Of the forecast, not of what was billed.
    pub is_forecast: bool,
    pub reached_on: i32,
    pub spent: Option<Decimal>,
    pub forecast: Option<Decimal>,
}

/// Of every budget the highest threshold that what was billed has reached, and the highest that the forecast reaches. Of the forecast, only thresholds
/// that are above what was billed: the others say nothing new.
pub(crate) fn crossed(rows: &Transaction<'_>) -> Result<Vec<CrossedThreshold>, Refusal> {
    let mut budgets = stored(rows, None)?;
    budgets.extend(of_accounts(rows, None)?);
    if budgets.is_empty() {
        return Ok(Vec::new());
    }
    let charges = Charges::at(rows)?;
    let Some(as_of) = charges.last_day(&Scope::default(), None)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for budget in budgets {
        let row = stand(&charges, budget, as_of)?;
        let billed = highest(&row, "actual", Decimal::ZERO);
        let above = billed.as_ref().map(|threshold| threshold.percent).unwrap_or_default();
        found.extend(highest(&row, "forecast", above));
        found.extend(billed);
    }
    Ok(found)
}

fn highest(row: &Row, on: &str, above: Decimal) -> Option<CrossedThreshold> {
    let reached = row.thresholds.iter().filter(|threshold| threshold.on == on && threshold.percent.0 > above);
    let reached = reached.filter_map(|threshold| Some((threshold.percent.0, threshold.reached_on?.0)));
    let (percent, reached_on) = reached.max_by_key(|(percent, _)| *percent)?;
    let amount = |money: Option<Money>| money.map(|Money(amount)| amount);
    Some(CrossedThreshold {
        budget: row.budget_id,
        name: row.name.clone(),
        amount: row.amount.0,
        currency: row.currency.clone(),
        from: row.from.0,
        until: row.until.0,
        percent,
        is_forecast: on == "forecast",
        reached_on,
        spent: amount(row.spent),
        forecast: amount(row.forecast),
    })
}
