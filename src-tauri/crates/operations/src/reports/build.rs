//! Builds reports as tables and charts from stored data.

mod anomalies;
mod budgets;
mod costs;
mod savings;
mod view;

use catalogue::{Decimal, format_date};
use graphql::Refusal;
use model::{Read, ScheduledReportKind as Kind, row};
use reports::{Column, Report, ReportError};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

row! { struct Account from cloud_accounts { id, account_name } }

/// Builds a report from data up to and including `as_of` (days since 1970), by default the last day with data.
pub(super) fn report(
    rows: &Transaction<'_>,
    (kind, settings): (Kind, &Json),
    title: &str,
    as_of: Option<i32>,
) -> Result<Report, Refusal> {
    let report = match kind {
        Kind::Costs => costs::build(rows, &read(settings)?, as_of)?,
        Kind::Budgets => budgets::build(rows, as_of)?,
        Kind::Savings => savings::build(rows)?,
        Kind::Anomalies => anomalies::build(rows, &read(settings)?, as_of)?,
    };
    let report = Report { title: title.to_owned(), ..report };
    report.check().map_err(refused)?;
    Ok(report)
}

/// Checks that the settings are valid.
pub(super) fn check(rows: &Transaction<'_>, kind: Kind, settings: &Json) -> Result<(), Refusal> {
    match kind {
        Kind::Costs => read::<costs::Settings>(settings)?.check(rows),
        Kind::Anomalies => read::<anomalies::Settings>(settings)?.check(),
        Kind::Budgets | Kind::Savings => Ok(()),
    }
}

/// The default title of a report.
pub(super) fn usual_title(kind: Kind) -> &'static str {
    match kind {
        Kind::Costs => "Costs by month",
        Kind::Budgets => "Budgets",
        Kind::Savings => "Savings",
        Kind::Anomalies => "Anomalies",
    }
}

pub(super) fn refused(error: ReportError) -> Refusal {
    Refusal::invalid(error.0)
}

fn read<T: DeserializeOwned>(settings: &Json) -> Result<T, Refusal> {
    serde_json::from_value(settings.clone()).map_err(|error| {
        Refusal::invalid(format!(
            "`settings` is {settings}: {error}; expected what the kind of the report takes"
        ))
    })
}

/// Names of the accounts that the caller can see.
fn account_names(rows: &Transaction<'_>) -> Result<BTreeMap<Uuid, String>, Refusal> {
    let accounts = rows.query::<Account>().rows()?;
    Ok(accounts.into_iter().map(|account| (account.id.uuid(), account.account_name)).collect())
}

fn add(sum: &mut Decimal, more: Decimal) -> Result<(), Refusal> {
    *sum = sum
        .checked_add(more)
        .ok_or_else(|| Refusal::new("limit-exceeded", "a sum has more than 38 digits"))?;
    Ok(())
}

/// An exact number of a response.
fn decimal(number: &serde_json::Number) -> Decimal {
    Decimal::parse(&number.to_string()).unwrap_or_default()
}

fn columns(named: &[(&str, reports::Kind)]) -> Vec<Column> {
    named.iter().map(|(name, kind)| Column { name: (*name).to_owned(), kind: *kind }).collect()
}

/// The heading of a currency.
fn heading(currency: &str) -> String {
    if currency.is_empty() { "Without a currency".to_owned() } else { currency.to_owned() }
}

/// `Oct 2026`
fn month_words(day: i32) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = format_date(day);
    let place = text.get(5..7).and_then(|month| month.parse::<usize>().ok()).unwrap_or(1);
    let name = MONTHS.get(place.saturating_sub(1)).copied().unwrap_or_default();
    format!("{name} {}", text.get(..4).unwrap_or_default())
}
