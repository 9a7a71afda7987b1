//! Budget thresholds reached in the current period, or in the previous one while that is recent: the basis of budget notices.

use super::answer::{Date, Money};
use super::budget::{Budget, Row, stand};
use super::budgets::all;
use super::budgets::portion::AsOf;
use super::charges::Charges;
use catalogue::Decimal;
use graphql::Refusal;
use serde::Serialize;
use serde_json::Value as Json;
use store::Transaction;
use uuid::Uuid;

/// Days after its end during which a period counts as recent.
pub(crate) const NEWS_DAYS: i32 = 31;

/// A threshold that was reached. Days are days since 1970.
pub(crate) struct CrossedThreshold {
    pub budget: Uuid,
    /// The account, for the budget of one account.
    pub account: Option<Uuid>,
    pub name: String,
    pub amount: Decimal,
    pub currency: Option<String>,
    /// First and last day of the period.
    pub from: i32,
    pub until: i32,
    pub percent: Decimal,
    /// Whether the threshold applies to the forecast, not to the billed amount.
    pub is_forecast: bool,
    pub reached_on: i32,
    pub spent: Option<Decimal>,
    pub forecast: Option<Decimal>,
}

/// A threshold in the form that workflow runs receive.
#[derive(Serialize)]
struct ThresholdFacts<'t> {
    id: Uuid,
    account_id: Option<Uuid>,
    name: &'t str,
    amount: Money,
    currency: Option<&'t str>,
    /// `actual` or `forecast`.
    on: &'static str,
    percent: Money,
    reached_on: Date,
    period_start: Date,
    period_end: Date,
    spent: Option<Money>,
    forecast: Option<Money>,
}

impl CrossedThreshold {
    /// The data that workflow runs receive.
    pub(crate) fn told(&self) -> Result<Json, Refusal> {
        crate::kit::reply(&ThresholdFacts {
            id: self.budget,
            account_id: self.account,
            name: &self.name,
            amount: Money(self.amount),
            currency: self.currency.as_deref(),
            on: if self.is_forecast { "forecast" } else { "actual" },
            percent: Money(self.percent),
            reached_on: Date(self.reached_on),
            period_start: Date(self.from),
            period_end: Date(self.until),
            spent: self.spent.map(Money),
            forecast: self.forecast.map(Money),
        })
    }
}

/// For every budget, the highest threshold that the billed amount reached and the highest that the forecast reaches. Forecast thresholds count
/// only if they are above the one reached by the billed amount; others would add nothing.
pub(crate) fn crossed(rows: &Transaction<'_>) -> Result<Vec<CrossedThreshold>, Refusal> {
    let charges = Charges::at(rows)?;
    let Some(as_of) = AsOf::of(&charges, None)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for budget in all(rows, None, (as_of.day - NEWS_DAYS, as_of.day))? {
        // The bill with the last days of a period often contains the first days of the next one.
        if let Some(last) = ended(&budget, as_of.day) {
            let row = stand(&charges, budget.clone(), AsOf { day: last, ..as_of })?;
            found.extend(highest(&row, "actual", Decimal::ZERO));
        }
        if budget.period.around(as_of.day).1 < as_of.day {
            continue;
        }
        let row = stand(&charges, budget, as_of)?;
        let billed = highest(&row, "actual", Decimal::ZERO);
        let above = billed.as_ref().map(|threshold| threshold.percent).unwrap_or_default();
        found.extend(highest(&row, "forecast", above));
        found.extend(billed);
    }
    Ok(found)
}

/// The last day of the budget's previous period, if it is recent and the budget has not changed since.
fn ended(budget: &Budget, day: i32) -> Option<i32> {
    let (from, until) = budget.period.around(day);
    let last = if until < day { until } else { from - 1 };
    let held = budget.period.around(last).1 == last;
    let is_news = last >= day - NEWS_DAYS;
    (held && is_news && budget.changed_on.is_none_or(|changed| changed <= last)).then_some(last)
}

fn highest(row: &Row, on: &str, above: Decimal) -> Option<CrossedThreshold> {
    let reached = row.thresholds.iter().filter(|threshold| threshold.on == on && threshold.percent.0 > above);
    let reached = reached.filter_map(|threshold| Some((threshold.percent.0, threshold.reached_on?.0)));
    let (percent, reached_on) = reached.max_by_key(|(percent, _)| *percent)?;
    let amount = |money: Option<Money>| money.map(|Money(amount)| amount);
    Some(CrossedThreshold {
        budget: row.budget_id,
        account: row.account_id,
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
