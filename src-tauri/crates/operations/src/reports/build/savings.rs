//! Realised and possible savings of recommendations, by currency.

use super::{account_names, columns, decimal, heading};
use crate::kit;
use crate::savings::ledger_of;
use analysis::rule_title;
use catalogue::Decimal;
use graphql::Refusal;
use model::tables::recommendation;
use model::{Read, RecommendationStatusType as Status, row};
use reports::{Chart, Kind, Report, Section, Series, Table};
use serde::Deserialize;
use serde_json::Number;
use std::collections::BTreeMap;
use store::Transaction;

/// Recommendations listed per currency.
const MOST_LISTED: usize = 25;

row! {
    struct Advice from recommendation {
        account_object_id, cloud_account_id, estimated_savings, recommendation, rule_name, status
    }
}

/// The response of `savings_ledger`.
#[derive(Deserialize)]
struct Ledger {
    currencies: Vec<OfCurrency>,
}

#[derive(Deserialize)]
struct OfCurrency {
    currency: String,
    identified: Total,
    closed: Total,
    verified: Total,
    none: Total,
    months: Vec<Month>,
}

#[derive(Deserialize)]
struct Total {
    count: u64,
    amount: Number,
}

#[derive(Deserialize)]
struct Month {
    month: String,
    saved: Number,
}

/// The currency in a recommendation's JSON.
#[derive(Deserialize)]
struct Money {
    currency: Option<String>,
}

pub(super) fn build(rows: &Transaction<'_>) -> Result<Report, Refusal> {
    let ledger: Ledger = kit::read(kit::reply(&ledger_of(rows, None)?)?)?;
    let mut open = open(rows)?;
    let mut sections = Vec::new();
    for one in &ledger.currencies {
        sections.push(sums(one));
        if let Some(listed) = open.remove(&one.currency) {
            let title = format!("Largest open recommendations, {}", heading(&one.currency));
            sections.push(Section { title, chart: None, table: listed });
        }
    }
    let notes = if sections.is_empty() {
        vec!["There are no recommendations with a saving.".to_owned()]
    } else {
        vec!["Proved: what later bills show that the resource no longer costs.".to_owned()]
    };
    let subtitle =
        "What recommendations have saved, and what those that are open would save a month".to_owned();
    Ok(Report { subtitle, notes, sections, ..Report::default() })
}

fn sums(ledger: &OfCurrency) -> Section {
    let row = |name: &str, total: &Total| {
        vec![name.to_owned(), total.count.to_string(), decimal(&total.amount).to_string()]
    };
    let rows = vec![
        row("Open, estimated a month", &ledger.identified),
        row("Closed, not yet proved, estimated a month", &ledger.closed),
        row("Proved, a month", &ledger.verified),
        row("Closed without effect, estimated a month", &ledger.none),
    ];
    let chart = (!ledger.months.is_empty()).then(|| Chart {
        unit: ledger.currency.clone(),
        labels: ledger.months.iter().map(|month| month.month.clone()).collect(),
        series: vec![Series {
            name: "Proved savings".to_owned(),
            values: ledger.months.iter().map(|month| decimal(&month.saved).to_string()).collect(),
        }],
    });
    let columns =
        columns(&[("Recommendations", Kind::Text), ("Number", Kind::Text), ("Savings", Kind::Amount)]);
    Section { title: heading(&ledger.currency), chart, table: Table { columns, rows, total: None } }
}

/// The open recommendations with the largest savings, by currency.
fn open(rows: &Transaction<'_>) -> Result<BTreeMap<String, Table>, Refusal> {
    let is_open = recommendation::status.one_of([Status::Open, Status::Assigned, Status::InProgress]);
    let counts =
        recommendation::is_dismissed.eq(false).and(recommendation::estimated_savings.gt(Decimal::ZERO));
    let query = rows.query::<Advice>().filter(is_open.and(counts));
    let largest = query.order(recommendation::estimated_savings.desc()).order(recommendation::id.asc());
    let names = account_names(rows)?;
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    // The limit is per currency: amounts of different currencies are not comparable, and large numbers of one currency would displace the others.
    largest.for_each(|advice| {
        let money = advice.recommendation.parse::<Money>().ok();
        let Some(currency) = money.and_then(|money| money.currency) else { return Ok(()) };
        let table = tables.entry(currency).or_insert_with(|| Table {
            columns: columns(&[
                ("Recommendation", Kind::Text),
                ("Resource", Kind::Text),
                ("Account", Kind::Text),
                ("State", Kind::Text),
                ("Savings a month", Kind::Amount),
            ]),
            ..Table::default()
        });
        if table.rows.len() < MOST_LISTED {
            let account = names.get(&advice.cloud_account_id.uuid()).cloned().unwrap_or_default();
            table.rows.push(vec![
                advice.rule_name.as_deref().map(rule_title).unwrap_or_default(),
                advice.account_object_id.unwrap_or_default(),
                account,
                advice.status.map(|status| status.to_string()).unwrap_or_default(),
                advice.estimated_savings.unwrap_or_default().to_string(),
            ]);
        }
        Ok::<_, Refusal>(())
    })?;
    Ok(tables)
}
