//! One budget: its period, its charges, how it stands.

use super::answer::{Date, Judged, Money, total};
use super::burn::{Burn, BurnDay, State, Told};
use super::charges::Charges;
use super::outlook::{Asked, History, READ_DAYS, histories, late_bill, outlook};
use super::scope::Scope;
use super::thresholds::Threshold;
use analysis::forecast::{first_of_next, start_of_month};
use catalogue::{Decimal, format_date, parse_date};
use graphql::Refusal;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// How long the amount is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Period {
    Month,
    Quarter,
    Year,
}

impl Period {
    pub(super) fn find(name: &str) -> Self {
        match name {
            "quarter" => Self::Quarter,
            "year" => Self::Year,
            _ => Self::Month,
        }
    }

    /// First and last day of the period that holds a day.
    pub(super) fn around(self, day: i32) -> (i32, i32) {
        let text = format_date(day);
        let month: u32 = text[5..7].parse().unwrap_or(1);
        let (first, months) = match self {
            Self::Month => (month, 1),
            Self::Quarter => ((month - 1) / 3 * 3 + 1, 3),
            Self::Year => (1, 12),
        };
        let from =
            parse_date(&format!("{}-{first:02}-01", &text[..4])).unwrap_or_else(|| start_of_month(day));
        let end = (0..months).fold(from, |day, _| first_of_next(day));
        (from, end - 1)
    }
}

/// A budget as it is stored, in a table of its own or on an account.
pub(super) struct Budget {
    pub id: Uuid,
    pub account: Option<Uuid>,
    pub name: String,
    /// As it is stored, and as it is read.
    pub scope: (Json, Scope),
    pub amount: Decimal,
    /// `None`: the one its charges are in, if there is only one.
    pub currency: Option<String>,
    pub period: Period,
    pub thresholds: Vec<Threshold>,
    pub owner: Option<Uuid>,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub budget_id: Uuid,
    pub account_id: Option<Uuid>,
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
    pub thresholds: Vec<Told>,
    days: Vec<BurnDay>,
    other_currencies: Vec<Other>,
    accuracy: Option<Judged>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Other {
    currency: Option<String>,
    amount: Money,
}

/// What is expected after the last known day.
#[derive(Default)]
struct Ahead {
    days: Option<BTreeMap<i32, Decimal>>,
    low: Option<Decimal>,
    high: Option<Decimal>,
    accuracy: Option<Judged>,
    message: Option<String>,
}

/// How a budget stands at the end of a day.
pub(super) fn stand(charges: &Charges<'_>, budget: Budget, as_of: i32) -> Result<Row, Refusal> {
    let (from, until) = budget.period.around(as_of);
    let last = charges.last_day(&budget.scope.1.accounts(), Some(as_of))?;
    // Without any charge nothing is known but that nothing was charged.
    let known = last.unwrap_or(as_of);
    let read_from = (known - READ_DAYS).min(from);
    let asked = Asked { scope: &budget.scope.1, groups: &[], metric: "amount", from: read_from, known };
    let mut found = histories(charges, &asked)?;
    let currency = budget.currency.clone().or_else(|| match found.len() {
        1 => found.keys().next().and_then(|(currency, _)| currency.clone()),
        _ => None,
    });
    if budget.currency.is_none() && found.len() > 1 {
        let message = format!(
            "the account is charged in {}: its budget of {} has no currency. Add a budget that names one",
            found
                .keys()
                .map(|(code, _)| code.as_deref().unwrap_or("no currency"))
                .collect::<Vec<_>>()
                .join(" and "),
            budget.amount
        );
        return Ok(unknown(budget, (from, until), others(&found, None, from)?, message));
    }
    let name = (currency.clone(), None);
    let history = found.remove(&name).unwrap_or_default();
    let others = others(&found, currency.as_deref(), from)?;
    let ahead = ahead(&name, &history, (read_from, known), (from, until))?;
    let burn = Burn::of((from, until), known, &history.booked, ahead.days.as_ref())?;
    let (state, crossed_on, thresholds) = burn.stand(budget.amount, &budget.thresholds)?;
    let bound = |rest: Option<Decimal>| -> Result<Option<Money>, Refusal> {
        rest.map(|rest| total([burn.spent, rest]).map(Money)).transpose()
    };
    Ok(Row {
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
        message: ahead.message,
        ..unknown(budget, (from, until), others, String::new())
    })
}

/// What is expected of the rest of a period.
fn ahead(
    name: &super::outlook::Name,
    history: &History,
    (read_from, known): (i32, i32),
    (from, until): (i32, i32),
) -> Result<Ahead, Refusal> {
    if known >= until {
        return Ok(Ahead::default());
    }
    if history.charges == 0 {
        let message = format!("no charges that count up to {}", format_date(known));
        return Ok(Ahead { message: Some(message), ..Ahead::default() });
    }
    let outlook = match outlook(name, history, (read_from, known, until))? {
        Ok(outlook) => outlook,
        Err(reason) => return Ok(Ahead { message: Some(reason), ..Ahead::default() }),
    };
    let within: Vec<_> = outlook.days.iter().filter(|day| day.date >= from).collect();
    let late: Vec<String> = outlook.late.iter().map(|bill| late_bill(*bill, known)).collect();
    let bound = |pick: fn((Decimal, Decimal)) -> Decimal| -> Result<Option<Decimal>, Refusal> {
        let bounds: Option<Vec<Decimal>> = within.iter().map(|day| day.bounds.map(pick)).collect();
        bounds.map(total).transpose()
    };
    Ok(Ahead {
        low: bound(|(low, _)| low)?,
        high: bound(|(_, high)| high)?,
        days: Some(within.iter().map(|day| (day.date, day.amount)).collect()),
        accuracy: outlook.accuracy,
        message: (!late.is_empty()).then(|| late.join("; ")),
    })
}

/// Charges of the period in currencies that do not count.
fn others(
    found: &BTreeMap<super::outlook::Name, History>,
    counted: Option<&str>,
    from: i32,
) -> Result<Vec<Other>, Refusal> {
    let mut others = Vec::new();
    for ((currency, _), history) in found {
        let mut days = history.booked.range(from..).map(|(_, amount)| *amount).peekable();
        if days.peek().is_some() && (counted.is_none() || currency.as_deref() != counted) {
            others.push(Other { currency: currency.clone(), amount: Money(total(days)?) });
        }
    }
    Ok(others)
}

/// A budget of which nothing can be told but why.
fn unknown(budget: Budget, (from, until): (i32, i32), others: Vec<Other>, message: String) -> Row {
    Row {
        budget_id: budget.id,
        account_id: budget.account,
        name: budget.name,
        scope: budget.scope.0,
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
