//! Compares the last whole week with the week before, and describes the changes by account and in total.

use super::DAY;
use super::kept::Draft;
use crate::savings::{Usage, quantity};
use crate::spending::{LATEST, Scope, Sums};
use analysis::digest::{Account, Anomaly, ClosedAdvice, Part, Week, last_week, write};
use catalogue::parse_date;
use graphql::Refusal;
use model::tables::{anomaly, recommendation};
use model::{Read, RecommendationStatusType as Status, Timestamp, row};
use serde::Deserialize;
use std::collections::BTreeMap;
use store::Transaction;
use store::query::{Filter, Function, Key, Term, TimeUnit};
use uuid::Uuid;

/// Names for charges without a service or without a kind of use.
const NO_SERVICE: &str = "Charges without a service";
const NO_USAGE: &str = "other charges";
const OF_A_SERVICE: &str = "service";
/// Verdicts that mean an anomaly is not one.
const NO_ANOMALY: [&str; 2] = ["expected", "wrong"];

row! { struct Name from cloud_accounts { id, account_name } }
row! { struct AnomalyRow from anomaly { account_id, currency, feedback, impact, name, started_on } }
row! { struct ClosedRow from recommendation { cloud_account_id, estimated_savings, recommendation } }

#[derive(Deserialize)]
struct Money {
    currency: Option<String>,
}

/// The data of one account's week.
#[derive(Default)]
struct OfAccount {
    parts: Vec<Part>,
    anomalies: Vec<Anomaly>,
    closed: Vec<ClosedAdvice>,
}

/// The digests of the last whole week up to `as_of`: for every account whose bills reach the end of the week, and for all of them together.
pub fn digests(rows: &Transaction<'_>, tenant: Uuid, as_of: i32) -> Result<Vec<Draft>, Refusal> {
    let usage = Usage::of(rows)?;
    let newest = newest(&usage, as_of)?;
    let Some(last) = newest.values().max() else { return Ok(Vec::new()) };
    let first = last_week(*last);
    let week = Week { account: None, first, parts: &[], anomalies: &[], closed: &[], late: &[] };
    let names = rows.query::<Name>().rows()?;
    let names: BTreeMap<Uuid, String> =
        names.into_iter().map(|row| (row.id.uuid(), row.account_name)).collect();
    let name = |id: &Uuid| names.get(id).cloned().unwrap_or_default();
    let (whole, late): (BTreeMap<Uuid, i32>, BTreeMap<Uuid, i32>) =
        newest.into_iter().partition(|(_, day)| *day > week.last());
    // An account whose charges ended before the week began is no longer billed.
    let late: Vec<(String, i32)> =
        late.iter().filter(|(_, day)| **day >= first).map(|(id, day)| (name(id), *day)).collect();
    let mut accounts: BTreeMap<Uuid, OfAccount> = BTreeMap::new();
    for (id, part) in parts(&usage, &week)?.into_iter().filter(|(id, _)| whole.contains_key(id)) {
        accounts.entry(id).or_default().parts.push(part);
    }
    for (id, found) in anomalies(rows, &week)? {
        if let Some(of) = accounts.get_mut(&id) {
            of.anomalies.push(found);
        }
    }
    for (id, found) in closed(rows, &week, as_of)? {
        if let Some(of) = accounts.get_mut(&id) {
            of.closed.push(found);
        }
    }
    let mut drafts = Vec::new();
    for (id, of) in &accounts {
        let name = name(id);
        let account = Some(Account { name: &name });
        let week = Week { account, parts: &of.parts, anomalies: &of.anomalies, closed: &of.closed, ..week };
        drafts.extend(Draft::all(tenant, *id, first, write(&week))?);
    }
    let all = together(&accounts, name);
    if !all.parts.is_empty() {
        let week =
            Week { parts: &all.parts, anomalies: &all.anomalies, closed: &all.closed, late: &late, ..week };
        drafts.extend(Draft::all(tenant, tenant, first, write(&week))?);
    }
    Ok(drafts)
}

/// The data of all accounts combined; each anomaly names its account.
fn together(accounts: &BTreeMap<Uuid, OfAccount>, name: impl Fn(&Uuid) -> String) -> OfAccount {
    let mut parts: BTreeMap<(String, String, String), Part> = BTreeMap::new();
    let mut all = OfAccount::default();
    for (id, of) in accounts {
        for part in &of.parts {
            let key = (part.currency.clone(), part.service.clone(), part.usage.clone());
            let empty = || Part {
                service: part.service.clone(),
                usage: part.usage.clone(),
                currency: part.currency.clone(),
                ..Part::default()
            };
            let sum = parts.entry(key).or_insert_with(empty);
            sum.is_use |= part.is_use;
            for (to, more) in [
                (&mut sum.cost, part.cost),
                (&mut sum.cost_before, part.cost_before),
                (&mut sum.quantity, part.quantity),
                (&mut sum.quantity_before, part.quantity_before),
            ] {
                *to = to.checked_add(more).unwrap_or(*to);
            }
        }
        let place = name(id);
        let of_place = |one: &Anomaly| Anomaly { name: format!("{} in {place}", one.name), ..one.clone() };
        all.anomalies.extend(of.anomalies.iter().map(of_place));
        all.closed.extend(of.closed.iter().cloned());
    }
    all.parts = parts.into_values().collect();
    all
}

/// The newest billed day of each account, up to `as_of`.
fn newest(usage: &Usage<'_>, as_of: i32) -> Result<BTreeMap<Uuid, i32>, Refusal> {
    let keys = vec![("account", usage.charges.key("cloud_account")?)];
    let figures = vec![("newest", Term::Of(Function::Max, usage.column("date")?))];
    let read = |from: Option<i32>, more: Vec<Filter>| -> Result<BTreeMap<Uuid, i32>, Refusal> {
        let filter = usage.charges.filter(&Scope::default(), (from, Some(as_of)), more)?;
        let groups = usage.charges.grouped(keys.clone(), figures.clone(), filter)?;
        Ok(groups.iter().filter_map(|group| Some((account(group)?, group.day("newest")?))).collect())
    };
    let mut newest = read(None, Vec::new())?;
    let Some(last) = newest.values().max() else { return Ok(newest) };
    // Taxes and fees are dated later than the usage on the same bill.
    let of_use = read(Some(last - LATEST), vec![usage.charges.is_use()?])?;
    for (account, day) in &mut newest {
        *day = of_use.get(account).copied().filter(|used| *day - used <= LATEST).unwrap_or(*day);
    }
    Ok(newest)
}

/// The billed cost of both weeks by account, service and kind of use.
fn parts(usage: &Usage<'_>, week: &Week<'_>) -> Result<Vec<(Uuid, Part)>, Refusal> {
    let keys = vec![
        ("account", usage.charges.key("cloud_account")?),
        ("currency", usage.charges.key("unit")?),
        ("service", usage.service()?),
        ("usage", usage.kind()?),
        ("category", usage.charges.key("charge_category")?),
        ("week", Key::Time(usage.column("date")?, TimeUnit::Week)),
    ];
    let mut figures = vec![("cost", usage.charges.sum("amount")?)];
    figures.extend(usage.quantity()?);
    let days = (Some(week.before().0), Some(week.last()));
    let filter = usage.charges.filter(&Scope::default(), days, Vec::new())?;
    let mut parts: BTreeMap<(Uuid, String, String, String), Part> = BTreeMap::new();
    for group in usage.charges.grouped(keys, figures, filter)? {
        let Some(id) = account(&group) else { continue };
        let text = |name: &str, otherwise: &str| {
            group.text(name).filter(|text| !text.is_empty()).unwrap_or_else(|| otherwise.to_owned())
        };
        let (currency, service) = (text("currency", ""), text("service", NO_SERVICE));
        let kind = text("usage", NO_USAGE);
        let empty = || Part {
            service: service.clone(),
            usage: kind.clone(),
            currency: currency.clone(),
            ..Part::default()
        };
        let part = parts.entry((id, currency.clone(), service.clone(), kind.clone())).or_insert_with(empty);
        let (cost, used) = (group.amount("cost"), quantity(&group).unwrap_or_default());
        part.is_use |= group.text("category").is_none_or(|category| category == "Usage");
        let (sum, sum_used) = if group.day("week") == Some(week.first) {
            (&mut part.cost, &mut part.quantity)
        } else {
            (&mut part.cost_before, &mut part.quantity_before)
        };
        *sum = sum.checked_add(cost).unwrap_or(*sum);
        *sum_used = sum_used.checked_add(used).unwrap_or(*sum_used);
    }
    Ok(parts.into_iter().map(|((id, ..), part)| (id, part)).collect())
}

fn account(group: &Sums) -> Option<Uuid> {
    group.text("account").and_then(|text| Uuid::parse_str(&text).ok())
}

/// Service anomalies that began in the week, largest first.
fn anomalies(rows: &Transaction<'_>, week: &Week<'_>) -> Result<Vec<(Uuid, Anomaly)>, Refusal> {
    let found = rows
        .query::<AnomalyRow>()
        .filter(anomaly::scope.eq(OF_A_SERVICE))
        .filter(anomaly::is_anomaly.eq(true))
        .rows()?;
    let mut told: Vec<(Uuid, Anomaly)> = Vec::new();
    for one in found {
        let is_none = one.feedback.as_deref().is_some_and(|said| NO_ANOMALY.contains(&said));
        let began = one.started_on.map(|day| day.0);
        let (Some(impact), false) = (one.impact, is_none) else { continue };
        if began.is_some_and(|day| (week.first..=week.last()).contains(&day)) {
            let currency = one.currency.unwrap_or_default();
            told.push((one.account_id, Anomaly { name: one.name, currency, impact }));
        }
    }
    told.sort_by(|left, right| {
        (right.1.impact.abs(), &left.1.name).cmp(&(left.1.impact.abs(), &right.1.name))
    });
    Ok(told)
}

/// Recommendations closed in the week.
fn closed(rows: &Transaction<'_>, week: &Week<'_>, as_of: i32) -> Result<Vec<(Uuid, ClosedAdvice)>, Refusal> {
    let moment = |day: i32| Timestamp(i64::from(day) * DAY);
    let until = week.last().min(as_of) + 1;
    let found = rows
        .query::<ClosedRow>()
        .filter(recommendation::status.eq(Status::Closed))
        .filter(recommendation::closed_at.ge(moment(week.first)))
        .filter(recommendation::closed_at.lt(moment(until)))
        .rows()?;
    let told = |one: ClosedRow| {
        let currency = one.recommendation.parse::<Money>().ok().and_then(|money| money.currency);
        (
            one.cloud_account_id.uuid(),
            ClosedAdvice { currency, savings: one.estimated_savings.unwrap_or_default() },
        )
    };
    Ok(found.into_iter().map(told).collect())
}

/// The Monday in the unique id of a digest sentence.
pub fn monday(unique_id: &str) -> Option<i32> {
    unique_id.get(..10).and_then(parse_date)
}
