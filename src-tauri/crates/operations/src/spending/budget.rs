//! One budget: its period, its charges and its state.

use super::answer::{Date, ForecastAccuracy, Money, total};
use super::budget_share::{self, Share};
use super::budgets::portion::{AsOf, Ledger, Portion};
use super::burn::{Burn, BurnDay, State, ThresholdState};
use super::charges::Charges;
use super::thresholds::Threshold;
use analysis::forecast::{first_of_next, start_of_month};
use catalogue::{Decimal, format_date, parse_date};
use graphql::Refusal;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The period of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Period {
    Month,
    Quarter,
    Year,
    /// Once, from the first to the last day, both inclusive.
    Between(i32, i32),
}

/// The API's name of the period; null for a one-time period.
impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Month => serializer.serialize_str("month"),
            Self::Quarter => serializer.serialize_str("quarter"),
            Self::Year => serializer.serialize_str("year"),
            Self::Between(..) => serializer.serialize_none(),
        }
    }
}

impl Period {
    pub(super) fn find(name: &str) -> Self {
        match name {
            "quarter" => Self::Quarter,
            "year" => Self::Year,
            _ => Self::Month,
        }
    }

    /// First and last day of the period that contains a day.
    pub(super) fn around(self, day: i32) -> (i32, i32) {
        if let Self::Between(from, until) = self {
            return (from, until);
        }
        let text = format_date(day);
        let month: u32 = text[5..7].parse().unwrap_or(1);
        let (first, months) = match self {
            Self::Month => (month, 1),
            Self::Quarter => ((month - 1) / 3 * 3 + 1, 3),
            Self::Year | Self::Between(..) => (1, 12),
        };
        let from =
            parse_date(&format!("{}-{first:02}-01", &text[..4])).unwrap_or_else(|| start_of_month(day));
        let end = (0..months).fold(from, |day, _| first_of_next(day));
        (from, end - 1)
    }
}

/// A budget: a row of the table `budget`, the budget of an account, or the funding of a business unit or project.
#[derive(Clone)]
pub(super) struct Budget {
    pub id: Uuid,
    pub of: Owner,
    pub name: String,
    /// The stored scope, and the portions of charges that it selects.
    pub scope: Json,
    pub portions: Vec<Portion>,
    pub amount: Decimal,
    /// `None` if unspecified: the currency of its charges then counts, if there is only one.
    pub currency: Option<String>,
    pub period: Period,
    pub thresholds: Vec<Threshold>,
    pub owner: Option<Uuid>,
    /// The day of its last change, if known. Periods that ended before that day had other settings.
    pub changed_on: Option<i32>,
    /// Remarks necessary to interpret the figures.
    pub notes: Vec<String>,
    /// The reason why the budget cannot be evaluated.
    pub doubt: Option<String>,
}

/// What a budget belongs to.
#[derive(Clone)]
pub(super) enum Owner {
    Tenant,
    Account(Uuid),
    Unit { unit: Uuid, fundings: Vec<Uuid> },
    Project { project: Uuid, fundings: Vec<Uuid> },
}

/// The state of a budget in the API.
#[derive(Serialize)]
pub(super) struct Row {
    pub budget_id: Uuid,
    pub account_id: Option<Uuid>,
    business_unit_id: Option<Uuid>,
    project_id: Option<Uuid>,
    funding_ids: Vec<Uuid>,
    pub name: String,
    scope: Json,
    period: Period,
    owner: Option<Uuid>,
    pub amount: Money,
    pub currency: Option<String>,
    pub from: Date,
    pub until: Date,
    pub spent: Option<Money>,
    pub forecast: Option<Money>,
    low: Option<Money>,
    high: Option<Money>,
    state: State,
    crossed_on: Option<Date>,
    pub thresholds: Vec<ThresholdState>,
    days: Vec<BurnDay>,
    accounts: Vec<Share>,
    other_currencies: Vec<Other>,
    accuracy: Option<ForecastAccuracy>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Other {
    currency: Option<String>,
    amount: Money,
}

/// The state of a budget at the end of a day.
pub(super) fn stand(charges: &Charges<'_>, mut budget: Budget, as_of: AsOf) -> Result<Row, Refusal> {
    let (from, until) = budget.period.around(as_of.day);
    if let Some(doubt) = budget.doubt.take() {
        let accounts = accounts(&budget.of, &budget.portions, None)?;
        return Ok(Row { accounts, ..unknown(budget, (from, until), Vec::new(), doubt) });
    }
    let portions = std::mem::take(&mut budget.portions);
    let ledger = Ledger::read(charges, &portions, from, as_of)?;
    let found = ledger.currencies();
    let currency = budget.currency.clone().or_else(|| match found.as_slice() {
        [only] => only.clone(),
        _ => None,
    });
    if budget.currency.is_none() && found.len() > 1 {
        let names: Vec<&str> = found.iter().map(|code| code.as_deref().unwrap_or("no currency")).collect();
        let message = several(&budget, &names.join(" and "));
        let accounts = accounts(&budget.of, &portions, None)?;
        return Ok(Row { accounts, ..unknown(budget, (from, until), others(&ledger, |_| false)?, message) });
    }
    let others = others(&ledger, |other| other == currency.as_deref())?;
    let ahead = ledger.ahead(currency.as_deref(), (from, until))?;
    let days = ledger.days(currency.as_deref())?;
    let burn = Burn::of((from, until), ledger.known, &days, ahead.days.as_ref())?;
    let (state, crossed_on, thresholds) = burn.stand(budget.amount, &budget.thresholds)?;
    let bound = |rest: Option<Decimal>| -> Result<Option<Money>, Refusal> {
        rest.map(|rest| total([burn.spent, rest]).map(Money)).transpose()
    };
    let notes: Vec<String> = std::mem::take(&mut budget.notes).into_iter().chain(ahead.message).collect();
    let accounts = accounts(&budget.of, &portions, Some((&ledger, currency.as_deref())))?;
    Ok(Row {
        accounts,
        currency,
        spent: Some(Money(burn.spent)),
        forecast: burn.expected.map(Money),
        low: bound(ahead.low)?,
        high: bound(ahead.high)?,
        state,
        crossed_on: crossed_on.map(Date),
        thresholds,
        days: burn.days,
        accuracy: ahead.accuracy,
        message: (!notes.is_empty()).then(|| notes.join("; ")),
        ..unknown(budget, (from, until), others, String::new())
    })
}

/// A project's shares of accounts; empty for other budgets.
fn accounts(
    of: &Owner,
    portions: &[Portion],
    ledger: Option<(&Ledger<'_>, Option<&str>)>,
) -> Result<Vec<Share>, Refusal> {
    match of {
        Owner::Project { .. } => budget_share::shares(portions, ledger),
        Owner::Tenant | Owner::Account(_) | Owner::Unit { .. } => Ok(Vec::new()),
    }
}

/// The message that a budget without a currency has charges in several currencies.
fn several(budget: &Budget, currencies: &str) -> String {
    match budget.of {
        Owner::Tenant | Owner::Account(_) => format!(
            "the account is charged in {currencies}: its budget of {} has no currency. Add a budget that names one",
            budget.amount
        ),
        Owner::Unit { .. } | Owner::Project { .. } => format!(
            "its charges are in {currencies}: in which of them {} was given, the tables of funding do not say",
            budget.amount
        ),
    }
}

/// Charges of the period in currencies that do not count.
fn others(ledger: &Ledger<'_>, counts: impl Fn(Option<&str>) -> bool) -> Result<Vec<Other>, Refusal> {
    let mut others = Vec::new();
    for currency in ledger.currencies() {
        let days: BTreeMap<i32, Decimal> = ledger.days(currency.as_deref())?;
        let mut days = days.range(ledger.from..).map(|(_, amount)| *amount).peekable();
        if days.peek().is_some() && !counts(currency.as_deref()) {
            others.push(Other { currency, amount: Money(total(days)?) });
        }
    }
    Ok(others)
}

/// The row of a budget that cannot be evaluated, with the reason.
fn unknown(budget: Budget, (from, until): (i32, i32), others: Vec<Other>, message: String) -> Row {
    let (mut account_id, mut business_unit_id, mut project_id, mut funding_ids) =
        (None, None, None, Vec::new());
    match budget.of {
        Owner::Tenant => {}
        Owner::Account(account) => account_id = Some(account),
        Owner::Unit { unit, fundings } => (business_unit_id, funding_ids) = (Some(unit), fundings),
        Owner::Project { project, fundings } => (project_id, funding_ids) = (Some(project), fundings),
    }
    Row {
        budget_id: budget.id,
        account_id,
        business_unit_id,
        project_id,
        funding_ids,
        name: budget.name,
        scope: budget.scope,
        period: budget.period,
        owner: budget.owner,
        amount: Money(budget.amount),
        currency: budget.currency,
        from: Date(from),
        until: Date(until),
        spent: None,
        forecast: None,
        low: None,
        high: None,
        state: State::Unknown,
        crossed_on: None,
        thresholds: Vec::new(),
        days: Vec::new(),
        accounts: Vec::new(),
        other_currencies: others,
        accuracy: None,
        message: Some(message),
    }
}

#[cfg(test)]
mod tests {
    use super::Period;
    use catalogue::{format_date, parse_date};

    #[test]
    fn periods_are_those_of_the_calendar() {
        let around = |period: Period, day: &str| {
            let (from, until) = period.around(parse_date(day).unwrap());
            (format_date(from), format_date(until))
        };
        let expected = |from: &str, until: &str| (from.to_owned(), until.to_owned());
        assert_eq!(around(Period::Month, "2028-02-10"), expected("2028-02-01", "2028-02-29"));
        assert_eq!(around(Period::Quarter, "2026-11-19"), expected("2026-10-01", "2026-12-31"));
        assert_eq!(around(Period::Year, "2026-11-19"), expected("2026-01-01", "2026-12-31"));
    }
}
