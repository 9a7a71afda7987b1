//! Costs by month: one column per month, one row per group, by currency.

use super::view::View;
use super::{account_names, add, heading, month_words};
use crate::spending::{Charges, Dimension, Scope, metric_column};
use analysis::forecast::{first_of_next, month_before, start_of_month};
use catalogue::{Decimal, format_date};
use graphql::Refusal;
use reports::{Chart, Column, Kind, Report, Section, Series, Table};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

const MOST_MONTHS: u32 = 24;
/// Groups with a row of their own; the others are summed in one row.
const MOST_GROUPS: usize = 40;
/// Groups with a colour of their own.
const MOST_SERIES: usize = 7;

/// The settings of a report of costs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Settings {
    months: u32,
    group_by: String,
    metric: String,
    scope: Json,
    /// A saved view of the Explorer, which then defines grouping, metric and charges.
    view_id: Option<Uuid>,
}

/// A query of charges.
struct CostQuery {
    by: Dimension,
    metric: String,
    scope: Scope,
    view: Option<View>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            months: 6,
            group_by: "service_name".to_owned(),
            metric: "billed".to_owned(),
            scope: Json::Object(serde_json::Map::new()),
            view_id: None,
        }
    }
}

impl Settings {
    pub(super) fn check(&self, rows: &Transaction<'_>) -> Result<(), Refusal> {
        self.query(rows).map(drop)
    }

    fn query(&self, rows: &Transaction<'_>) -> Result<CostQuery, Refusal> {
        if !(1..=MOST_MONTHS).contains(&self.months) {
            let message = format!("`settings.months` is {}: expected 1 to {MOST_MONTHS}", self.months);
            return Err(Refusal::invalid(message));
        }
        if let Some(id) = self.view_id {
            let view = View::find(rows, id)?;
            let (by, metric) = (view.by.clone(), view.metric.clone());
            return Ok(CostQuery { by, metric, scope: Scope::default(), view: Some(view) });
        }
        metric_column(&self.metric)?;
        Ok(CostQuery {
            by: Dimension::find(&self.group_by, "settings.group_by")?,
            metric: self.metric.clone(),
            scope: Scope::read(&self.scope)?,
            view: None,
        })
    }
}

/// The amounts of a group, one per month.
type Months = Vec<Decimal>;

pub(super) fn build(
    rows: &Transaction<'_>,
    settings: &Settings,
    as_of: Option<i32>,
) -> Result<Report, Refusal> {
    let CostQuery { by, metric, scope, view } = settings.query(rows)?;
    let charges = Charges::at(rows)?;
    let Some(until) = charges.last_day(&scope, as_of)? else {
        let notes = vec!["There are no charges that count.".to_owned()];
        return Ok(Report { notes, ..Report::default() });
    };
    let mut months = vec![start_of_month(until)];
    for _ in 1..settings.months {
        months.push(month_before(months.last().copied().unwrap_or(until)));
    }
    months.reverse();
    let first = months.first().copied().unwrap_or(until);
    let of_view = view.as_ref().map(|view| view.filters(&charges)).transpose()?.unwrap_or_default();
    let filter = charges.filter(&scope, (Some(first), Some(until)), of_view)?;
    let keys = vec![
        ("month", charges.month()?),
        ("currency", charges.key("unit")?),
        ("group", by.key(charges.table)?),
    ];
    let amount = charges.sum(metric_column(&metric)?)?;
    let mut found: BTreeMap<String, BTreeMap<String, Months>> = BTreeMap::new();
    for sums in charges.grouped(keys, vec![("amount", amount)], filter)? {
        let place = sums.day("month").and_then(|month| months.iter().position(|known| *known == month));
        let Some(place) = place else { continue };
        let of_currency = found.entry(sums.text("currency").unwrap_or_default()).or_default();
        let group = of_currency.entry(sums.text("group").unwrap_or_default());
        let amounts = group.or_insert_with(|| vec![Decimal::ZERO; months.len()]);
        if let Some(sum) = amounts.get_mut(place) {
            add(sum, sums.amount("amount"))?;
        }
    }
    let is_by_account = by == Dimension::Column("cloud_account");
    let names = if is_by_account { account_names(rows)? } else { BTreeMap::new() };
    let words = words(&by);
    let section = |(currency, groups): (String, BTreeMap<String, Months>)| {
        section((&currency, &words), &months, groups, &names)
    };
    let sections = found.into_iter().map(section).collect::<Result<_, _>>()?;
    let subtitle = format!(
        "{} cost by {}, {} to {}",
        capital(&metric),
        words.to_lowercase(),
        month_words(first),
        month_words(until),
    );
    let mut notes = Vec::new();
    notes.extend(view.map(|view| format!("As the saved view \"{}\" of the Explorer has it.", view.name)));
    let known = charges.known_day(&scope, as_of)?.unwrap_or(until);
    if first_of_next(known) - 1 != known {
        let (month, day) = (month_words(known), format_date(known));
        notes.push(format!("{month} is not over: its charges are known up to {day}."));
    }
    Ok(Report { subtitle, notes, sections, ..Report::default() })
}

fn section(
    (currency, words): (&str, &str),
    months: &[i32],
    groups: BTreeMap<String, Months>,
    names: &BTreeMap<Uuid, String>,
) -> Result<Section, Refusal> {
    let mut sorted: Vec<(String, Months, Decimal)> = Vec::with_capacity(groups.len());
    let mut total = vec![Decimal::ZERO; months.len()];
    for (group, amounts) in groups {
        let sum = whole(&amounts)?;
        for (total, amount) in total.iter_mut().zip(&amounts) {
            add(total, *amount)?;
        }
        sorted.push((name(&group, names), amounts, sum));
    }
    sorted.sort_by(|one, other| other.2.cmp(&one.2).then_with(|| one.0.cmp(&other.0)));
    let series = together(&sorted, MOST_SERIES, months.len())?;
    let rows = together(&sorted, MOST_GROUPS, months.len())?;
    let labels: Vec<String> = months.iter().map(|month| month_words(*month)).collect();
    let mut columns = vec![Column { name: words.to_owned(), kind: Kind::Text }];
    columns.extend(labels.iter().map(|label| Column { name: label.clone(), kind: Kind::Amount }));
    columns.push(Column { name: "Total".to_owned(), kind: Kind::Amount });
    let cells = |name: &str, amounts: &[Decimal], sum: Decimal| -> Vec<String> {
        let amounts = amounts.iter().map(Decimal::to_string);
        std::iter::once(name.to_owned()).chain(amounts).chain([sum.to_string()]).collect()
    };
    let sum = whole(&total)?;
    let drawn = |(name, amounts, _): (String, Months, Decimal)| Series {
        name,
        values: amounts.iter().map(Decimal::to_string).collect(),
    };
    let chart = Chart { unit: currency.to_owned(), labels, series: series.into_iter().map(drawn).collect() };
    let table = Table {
        columns,
        rows: rows.iter().map(|(name, amounts, sum)| cells(name, amounts, *sum)).collect(),
        total: Some(cells("Total", &total, sum)),
    };
    Ok(Section { title: heading(currency), chart: Some(chart), table })
}

/// The largest groups; the others are summed as one group.
fn together(
    named: &[(String, Months, Decimal)],
    most: usize,
    months: usize,
) -> Result<Vec<(String, Months, Decimal)>, Refusal> {
    if named.len() <= most + 1 {
        return Ok(named.to_vec());
    }
    let (kept, left) = named.split_at(most);
    let (mut amounts, mut sum) = (vec![Decimal::ZERO; months], Decimal::ZERO);
    for (_, others, other) in left {
        for (amount, more) in amounts.iter_mut().zip(others) {
            add(amount, *more)?;
        }
        add(&mut sum, *other)?;
    }
    let mut kept = kept.to_vec();
    kept.push((format!("{} others", left.len()), amounts, sum));
    Ok(kept)
}

fn whole(amounts: &[Decimal]) -> Result<Decimal, Refusal> {
    let mut sum = Decimal::ZERO;
    for amount in amounts {
        add(&mut sum, *amount)?;
    }
    Ok(sum)
}

fn name(group: &str, names: &BTreeMap<Uuid, String>) -> String {
    if group.is_empty() {
        return "(none)".to_owned();
    }
    let known = Uuid::parse_str(group).ok().and_then(|id| names.get(&id).cloned());
    known.unwrap_or_else(|| group.to_owned())
}

/// The heading of a grouping.
fn words(by: &Dimension) -> String {
    match by {
        Dimension::Tag(key) => format!("Tag {key}"),
        Dimension::Column("cloud_account") => "Account".to_owned(),
        Dimension::Column("service_name") => "Service".to_owned(),
        Dimension::Column(name) => capital(&name.replace('_', " ")),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
