//! `spend_forecast`: forecasts cost by currency and group.

use super::answer::{Date, ForecastAccuracy, Money, json, too_large, total};
use super::charges::Charges;
use super::days::last_day;
use super::dimension::{Dimension, texts};
use super::outlook::{ChargeSelection, History, Name, READ_DAYS, histories, late_bill, outlook};
use super::scope::Scope;
use crate::kit::Arguments;
use analysis::forecast::{Day, first_of_next, start_of_month};
use analysis::words;
use catalogue::{Decimal, format_date, parse_date};
use graphql::{Call, Refusal};
use serde::Serialize;
use serde_json::Value as Json;

/// The longest forecast in days: five years.
const FARTHEST: i32 = 1830;
/// The largest number of rows in a response.
const MOST_ROWS: usize = 50_000;
const METRICS: [(&str, &str); 9] = [
    ("billed", "amount"),
    ("billed_cost", "amount"),
    ("amount", "amount"),
    ("effective", "effective_cost"),
    ("effective_cost", "effective_cost"),
    ("contracted", "contracted_cost"),
    ("contracted_cost", "contracted_cost"),
    ("list", "list_cost"),
    ("list_cost", "list_cost"),
];

#[derive(Default, Serialize)]
struct Answer {
    rows: Vec<Row>,
    accuracy: Option<ForecastAccuracy>,
    accuracies: Vec<ForecastAccuracy>,
    totals: Vec<Total>,
    messages: Vec<String>,
    as_of: Option<Date>,
    known_until: Option<Date>,
    until: Option<Date>,
}

#[derive(Serialize)]
struct Row {
    date: Date,
    currency: Option<String>,
    group: Option<String>,
    amount: Money,
    low: Option<Money>,
    high: Option<Money>,
}

#[derive(Serialize)]
struct Total {
    currency: Option<String>,
    group: Option<String>,
    from: Date,
    booked: Money,
    expected: Money,
    amount: Money,
    low: Option<Money>,
    high: Option<Money>,
}

pub(super) fn forecast(call: &Call<'_>) -> Result<Json, Refusal> {
    let request = Arguments(call.arguments).object("request");
    let scope = Scope::of_accounts(request.value("account_ids"))?;
    let groups = groups(request)?;
    let metric = metric(request)?;
    let charges = Charges::at(call.rows)?;
    let named = last_day(request, "as_of")?;
    let Some(known) = charges.known_day(&scope, named)? else {
        let messages = vec![match named {
            Some(day) => format!("there are no charges up to {}", words::day(day)),
            None => "there are no charges".to_owned(),
        }];
        return json(&Answer { messages, as_of: named.map(Date), ..Answer::default() });
    };
    let last = charges.last_day(&scope, named)?.unwrap_or(known);
    let until = until(request, known)?;
    let from = known - READ_DAYS;
    let begin = period_start(known + 1, until);
    let asked = ChargeSelection {
        scope: &scope,
        more: &[],
        groups: &groups,
        metric,
        from: from.min(begin),
        known,
        last,
    };
    let found = histories(&charges, &asked)?;
    let ahead = usize::try_from(until - known).unwrap_or_default();
    if found.len().saturating_mul(ahead) > MOST_ROWS {
        return Err(Refusal::invalid(format!(
            "{} series of {ahead} days are more than the {MOST_ROWS} rows of an answer: expected an earlier `until` or fewer groups",
            found.len()
        )));
    }
    let mut answer = Answer {
        as_of: Some(Date(named.unwrap_or(known))),
        known_until: Some(Date(known)),
        until: Some(Date(until)),
        ..Answer::default()
    };
    let mut most = 0;
    for (name, history) in &found {
        // Charges that cost nothing, such as usage covered by a commitment, need no forecast.
        if history.booked.values().all(|amount| amount.is_zero()) {
            continue;
        }
        note_once(&mut answer.messages, name, history);
        match outlook(name, history, (asked.from, known, until))? {
            Err(reason) => answer.messages.push(format!("{}: {reason}", called(name))),
            Ok(outlook) => {
                let booked =
                    total(history.booked.range(begin..=known.max(begin)).map(|(_, amount)| *amount))?;
                note_late(&mut answer.messages, name, &outlook.late, known);
                let days: Vec<Day> = outlook.days.into_iter().filter(|day| day.date >= begin).collect();
                answer.totals.push(sum(name, (begin, booked), &days)?);
                answer.rows.extend(days.iter().map(|day| row(name, day)));
                if let Some(judged) = outlook.accuracy {
                    if answer.accuracy.is_none() || history.charges > most {
                        most = history.charges;
                        answer.accuracy = Some(judged.clone());
                    }
                    answer.accuracies.push(judged);
                }
            }
        }
    }
    let longest = answer.accuracies.iter().map(|judged| judged.horizon).min();
    if let Some(horizon) = longest.filter(|horizon| *horizon < ahead) {
        answer.messages.push(format!(
            "bands are measured over {horizon} days; how far off sums of {ahead} days are, the history does not tell"
        ));
    }
    json(&answer)
}

fn groups(request: Arguments<'_>) -> Result<Vec<Dimension>, Refusal> {
    let names = request.value("group_by").and_then(texts).unwrap_or_default();
    if names.len() > 2 {
        return Err(Refusal::invalid(format!("`group_by` has {} names: expected two at most", names.len())));
    }
    let is_currency = |name: &&String| *name != "currency" && *name != "currency_type";
    // Series are always separated by currency.
    names.iter().filter(is_currency).map(|name| Dimension::find(name, "group_by")).collect()
}

/// The cost column that the request names.
fn metric(request: Arguments<'_>) -> Result<&'static str, Refusal> {
    metric_column(request.text("metric").unwrap_or("billed"))
}

/// The column of a cost by its name.
pub(crate) fn metric_column(name: &str) -> Result<&'static str, Refusal> {
    let found = METRICS.iter().find(|(known, _)| *known == name.to_lowercase());
    found.map(|(_, column)| *column).ok_or_else(|| {
        Refusal::invalid(format!("`metric` is \"{name}\": expected billed, effective, contracted or list"))
    })
}

fn until(request: Arguments<'_>, known: i32) -> Result<i32, Refusal> {
    let usual = first_of_next(known + 1) - 1;
    let until = last_day(request, "until")?.unwrap_or(usual);
    if until <= known {
        let message = format!(
            "`until` is {}, and charges are known up to {}: expected a later day",
            format_date(until),
            format_date(known)
        );
        return Err(Refusal::invalid(message));
    }
    if until - known > FARTHEST {
        let message = format!("`until` is {}: expected five years ahead at most", format_date(until));
        return Err(Refusal::invalid(message));
    }
    Ok(until)
}

/// The start of the shortest of month, quarter and year that contains both days; `first` if none does.
fn period_start(first: i32, last: i32) -> i32 {
    let text = |day: i32| format_date(day);
    let (one, other) = (text(first), text(last));
    if one[..7] == other[..7] {
        return start_of_month(first);
    }
    if one[..4] != other[..4] {
        return first;
    }
    let quarter = |text: &str| text[5..7].parse::<u32>().map_or(0, |month| (month - 1) / 3);
    let month = if quarter(&one) == quarter(&other) { quarter(&one) * 3 + 1 } else { 1 };
    parse_date(&format!("{}-{month:02}-01", &one[..4])).unwrap_or(first)
}

fn row((currency, group): &Name, day: &Day) -> Row {
    Row {
        date: Date(day.date),
        currency: currency.clone(),
        group: group.clone(),
        amount: Money(day.amount),
        low: day.bounds.map(|(low, _)| Money(low)),
        high: day.bounds.map(|(_, high)| Money(high)),
    }
}

fn sum((currency, group): &Name, (from, booked): (i32, Decimal), days: &[Day]) -> Result<Total, Refusal> {
    let expected = total(days.iter().map(|day| day.amount))?;
    let bound = |pick: fn((Decimal, Decimal)) -> Decimal| -> Result<Option<Money>, Refusal> {
        let bounds: Option<Vec<Decimal>> = days.iter().map(|day| day.bounds.map(pick)).collect();
        bounds.map(|bounds| Ok(Money(total(bounds.into_iter().chain([booked]))?))).transpose()
    };
    Ok(Total {
        currency: currency.clone(),
        group: group.clone(),
        from: Date(from),
        booked: Money(booked),
        expected: Money(expected),
        amount: Money(booked.checked_add(expected).ok_or_else(too_large)?),
        low: bound(|(low, _)| low)?,
        high: bound(|(_, high)| high)?,
    })
}

fn note_once(messages: &mut Vec<String>, name: &Name, history: &History) {
    if !history.once.is_zero() {
        messages.push(format!(
            "{}: purchases of {} that do not recur are left out: nobody has said that they come again",
            called(name),
            history.once
        ));
    }
    if !history.credits.is_zero() {
        messages.push(format!(
            "{}: credits and adjustments of {} on single days are left out: nobody has said that they come again",
            called(name),
            history.credits
        ));
    }
}

fn note_late(messages: &mut Vec<String>, name: &Name, late: &[(i32, Decimal)], known: i32) {
    for told in late {
        messages.push(format!("{}: {}", called(name), late_bill(*told, known)));
    }
}

/// The name of a series in messages.
fn called((currency, group): &Name) -> String {
    let currency = currency.as_deref().unwrap_or("without currency");
    group.as_ref().map_or_else(|| currency.to_owned(), |group| format!("{group}, {currency}"))
}
