//! The state of budgets, by currency.

use super::{columns, decimal, heading};
use crate::kit;
use crate::spending::budgets_of;
use catalogue::Decimal;
use graphql::Refusal;
use reports::{Chart, Kind, Report, Section, Series, Table};
use serde::Deserialize;
use serde_json::Number;
use std::collections::BTreeMap;
use store::Transaction;

/// The fields of `spend_budgets` that the report uses.
#[derive(Deserialize)]
struct Answer {
    rows: Vec<Budget>,
    as_of: Option<String>,
}

#[derive(Deserialize)]
struct Budget {
    name: String,
    currency: Option<String>,
    amount: Number,
    from: String,
    until: String,
    spent: Option<Number>,
    forecast: Option<Number>,
    state: String,
    crossed_on: Option<String>,
    message: Option<String>,
}

pub(super) fn build(rows: &Transaction<'_>, as_of: Option<i32>) -> Result<Report, Refusal> {
    let answer: Answer = kit::read(budgets_of(rows, as_of, None)?)?;
    let mut notes: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Vec<Budget>> = BTreeMap::new();
    for budget in answer.rows {
        if let Some(message) = budget.message.as_ref().filter(|message| !message.is_empty()) {
            notes.push(format!("{}: {message}.", budget.name));
        }
        found.entry(budget.currency.clone().unwrap_or_default()).or_default().push(budget);
    }
    if found.is_empty() {
        notes.push("There are no budgets.".to_owned());
    }
    let subtitle = answer.as_of.map(|day| format!("Charges up to {day}")).unwrap_or_default();
    let sections = found.into_iter().map(|(currency, budgets)| section(&currency, &budgets)).collect();
    Ok(Report { subtitle, notes, sections, ..Report::default() })
}

fn section(currency: &str, budgets: &[Budget]) -> Section {
    let values = |of: &dyn Fn(&Budget) -> Option<Decimal>| budgets.iter().map(|one| text(of(one))).collect();
    let rest = |budget: &Budget| {
        let rest = number(budget.forecast.as_ref())?.checked_sub(number(budget.spent.as_ref())?);
        rest.filter(|rest| !rest.is_negative())
    };
    let chart = Chart {
        unit: currency.to_owned(),
        labels: budgets.iter().map(|budget| budget.name.clone()).collect(),
        series: vec![
            Series { name: "Billed".to_owned(), values: values(&|budget| number(budget.spent.as_ref())) },
            Series { name: "Expected until the end of the period".to_owned(), values: values(&rest) },
        ],
    };
    let row = |budget: &Budget| {
        let (spent, forecast) = (number(budget.spent.as_ref()), number(budget.forecast.as_ref()));
        vec![
            budget.name.clone(),
            format!("{} to {}", budget.from, budget.until),
            decimal(&budget.amount).to_string(),
            text(spent),
            share(spent, &budget.amount),
            text(forecast),
            share(forecast, &budget.amount),
            stand(budget),
        ]
    };
    let columns = columns(&[
        ("Budget", Kind::Text),
        ("Period", Kind::Text),
        ("Amount", Kind::Amount),
        ("Billed", Kind::Amount),
        ("Used", Kind::Share),
        ("Forecast", Kind::Amount),
        ("Of amount", Kind::Share),
        ("State", Kind::Text),
    ]);
    let table = Table { columns, rows: budgets.iter().map(row).collect(), total: None };
    Section { title: heading(currency), chart: Some(chart), table }
}

fn number(number: Option<&Number>) -> Option<Decimal> {
    number.map(decimal)
}

fn text(number: Option<Decimal>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

fn share(part: Option<Decimal>, whole: &Number) -> String {
    let whole = decimal(whole);
    let part = part.filter(|_| !whole.is_zero());
    part.map(|part| format!("{:.4}", part.to_f64() / whole.to_f64())).unwrap_or_default()
}

fn stand(budget: &Budget) -> String {
    match (budget.state.as_str(), &budget.crossed_on) {
        ("crossed", Some(day)) => format!("used up since {day}"),
        ("crossed", None) => "used up".to_owned(),
        ("forecast_crossed", _) => "over by forecast".to_owned(),
        ("near", _) => "near its amount".to_owned(),
        ("ok", _) => "on track".to_owned(),
        _ => "not known".to_owned(),
    }
}
