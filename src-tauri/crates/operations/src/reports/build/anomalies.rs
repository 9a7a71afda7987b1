//! Cost anomalies by currency.

use super::{account_names, add, columns, heading};
use crate::spending::{Charges, Scope};
use catalogue::{Decimal, format_date};
use graphql::Refusal;
use model::tables::anomaly;
use model::{Date, Read, row};
use reports::{Chart, Kind, Report, Section, Series, Table};
use serde::Deserialize;
use std::collections::BTreeMap;
use store::Transaction;

const MOST_DAYS: i32 = 400;
const MOST_BARS: usize = 12;
/// Anomalies listed per currency; the total covers all.
const MOST_ROWS: usize = 1_000;
const DAY: i64 = 86_400_000_000;

/// The settings of a report of anomalies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    days: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { days: 31 }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if (1..=MOST_DAYS).contains(&self.days) {
            return Ok(());
        }
        Err(Refusal::invalid(format!("`settings.days` is {}: expected 1 to {MOST_DAYS}", self.days)))
    }
}

row! {
    struct ReportedAnomaly from anomaly {
        account_id, anomaly_type, currency, ended_on, feedback, impact, name, scope, started_on, state
    }
}

pub(super) fn build(
    rows: &Transaction<'_>,
    settings: &Settings,
    as_of: Option<i32>,
) -> Result<Report, Refusal> {
    settings.check()?;
    let known = Charges::at(rows)?.known_day(&Scope::default(), as_of)?;
    let today = i32::try_from(rows.now().div_euclid(DAY)).unwrap_or_default();
    let until = known.or(as_of).unwrap_or(today);
    let from = until - settings.days + 1;
    let within = anomaly::ended_on.ge(Date(from)).and(anomaly::started_on.le(Date(until)));
    let of_cost = anomaly::is_anomaly.eq(true).and(anomaly::impact.is_not_null());
    let query =
        rows.query::<ReportedAnomaly>().filter(within).filter(of_cost).order(anomaly::started_on.desc());
    let found = query.order(anomaly::name.asc()).rows()?;
    let names = account_names(rows)?;
    let mut currencies: BTreeMap<String, Vec<(ReportedAnomaly, String)>> = BTreeMap::new();
    for one in found {
        let account = names.get(&one.account_id).cloned().unwrap_or_else(|| "All accounts".to_owned());
        currencies.entry(one.currency.clone().unwrap_or_default()).or_default().push((one, account));
    }
    let mut notes = if currencies.is_empty() {
        vec!["No cost was out of the ordinary.".to_owned()]
    } else {
        vec!["Impact: what the days cost beside what was expected of them, added up.".to_owned()]
    };
    for (currency, found) in currencies.iter().filter(|(_, found)| found.len() > MOST_ROWS) {
        let (currency, all) = (heading(currency), found.len());
        notes.push(format!(
            "{currency}: the newest {MOST_ROWS} of {all} anomalies are listed; the total has all."
        ));
    }
    let sections = currencies.into_iter().map(|(currency, found)| section(&currency, &found));
    Ok(Report {
        subtitle: format!("{} to {}", format_date(from), format_date(until)),
        notes,
        sections: sections.collect::<Result<_, _>>()?,
        ..Report::default()
    })
}

fn section(currency: &str, found: &[(ReportedAnomaly, String)]) -> Result<Section, Refusal> {
    let mut total = Decimal::ZERO;
    let mut rows = Vec::with_capacity(found.len().min(MOST_ROWS));
    for (one, account) in found {
        let impact = one.impact.unwrap_or_default();
        // Totals and tag values cover the same cost as services.
        if one.scope.as_deref() == Some("service") {
            add(&mut total, impact)?;
        }
        if rows.len() == MOST_ROWS {
            continue;
        }
        let day = |day: Option<Date>| day.map(|Date(day)| format_date(day)).unwrap_or_default();
        rows.push(vec![
            one.name.clone(),
            account.clone(),
            kind(one).to_owned(),
            day(one.started_on),
            day(one.ended_on),
            one.state.clone().unwrap_or_default(),
            one.feedback.clone().unwrap_or_default(),
            impact.to_string(),
        ]);
    }
    let columns = columns(&[
        ("Service", Kind::Text),
        ("Account", Kind::Text),
        ("Kind", Kind::Text),
        ("First day", Kind::Text),
        ("Last day", Kind::Text),
        ("State", Kind::Text),
        ("Said of it", Kind::Text),
        ("Impact", Kind::Amount),
    ]);
    let mut last = vec!["Services together".to_owned()];
    last.resize(columns.len() - 1, String::new());
    last.push(total.to_string());
    let table = Table { columns, rows, total: Some(last) };
    Ok(Section { title: heading(currency), chart: Some(chart(currency, found)), table })
}

/// A chart of the largest anomalies.
fn chart(currency: &str, found: &[(ReportedAnomaly, String)]) -> Chart {
    let size = |found: &ReportedAnomaly| found.impact.unwrap_or_default().abs();
    let mut largest: Vec<&ReportedAnomaly> = found.iter().map(|(one, _)| one).collect();
    largest.sort_by(|one, other| size(other).cmp(&size(one)).then_with(|| one.name.cmp(&other.name)));
    largest.truncate(MOST_BARS);
    Chart {
        unit: currency.to_owned(),
        labels: largest.iter().map(|one| one.name.clone()).collect(),
        series: vec![Series {
            name: "Impact".to_owned(),
            values: largest.iter().map(|one| one.impact.unwrap_or_default().to_string()).collect(),
        }],
    }
}

fn kind(found: &ReportedAnomaly) -> &'static str {
    match (found.anomaly_type.as_str(), found.scope.as_deref()) {
        ("new_service", _) => "new service",
        (_, Some("total")) => "all services together",
        (_, Some("tag")) => "value of a tag",
        _ => "service",
    }
}
