//! Funding of business units and projects as budgets: amounts, periods, and inconsistencies in the stored funding.

mod shares;

use super::super::budget::{Budget, Owner, Period};
use super::super::days::day_of;
use super::super::thresholds;
use super::portion::Portion;
use analysis::words::day;
use catalogue::{Decimal, Value};
use graphql::Refusal;
use model::tables::{business_unit, projects};
use model::{Read, Timestamp, row};
use serde_json::{Map, Value as Json};
use shares::Shares;
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use uuid::Uuid;

row! { struct Source from funding_sources { id, name, start_date, end_date } }
row! {
    struct UnitMoney from businessunit_funding {
        id, business_unit, funding_source, amount, planned_amount, start_date, end_date
    }
}
row! {
    struct ProjectMoney from project_fundings {
        id, project, businessunit_funding, amount, planned_amount, start_date, end_date
    }
}
row! { struct UnitRow from business_unit { id, name, parent_business_unit } }
row! { struct ProjectRow from projects { id, name, business_unit } }

/// The recipient of funding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Receiver {
    Unit(Uuid),
    Project(Uuid),
}

/// Funding from one source for one recipient.
struct Grant {
    id: Uuid,
    to: Receiver,
    source: String,
    amount: Decimal,
    planned: Decimal,
    /// First and last day on which it may be spent.
    days: (i32, i32),
    /// Why the days are invalid.
    fault: Option<String>,
}

/// The funding that may be spent on one of the days, and funding with invalid days. Funding of one recipient for the same days from several
/// sources is one budget, because no table assigns charges to sources.
pub(super) fn budgets(
    rows: &Transaction<'_>,
    wanted: Option<&Vec<Value>>,
    (first, last): (i32, i32),
) -> Result<Vec<Budget>, Refusal> {
    let grants = grants(rows)?;
    if grants.is_empty() {
        return Ok(Vec::new());
    }
    let units =
        rows.query::<UnitRow>().order(business_unit::name.asc()).order(business_unit::id.asc()).rows()?;
    let projects = rows.query::<ProjectRow>().order(projects::name.asc()).order(projects::id.asc()).rows()?;
    let shares = Shares::read(rows)?;
    let mut groups: BTreeMap<(Receiver, (i32, i32)), Vec<Grant>> = BTreeMap::new();
    for grant in grants {
        groups.entry((grant.to, grant.days)).or_default().push(grant);
    }
    let is_wanted = |group: &[Grant]| {
        wanted.is_none_or(|ids| group.iter().any(|grant| ids.contains(&Value::Uuid(grant.id))))
    };
    let mut found = Vec::new();
    for ((to, days), group) in &groups {
        let is_faulty = group.iter().any(|grant| grant.fault.is_some());
        let is_open = days.0 <= last && first <= days.1;
        if !(is_open || is_faulty) || !is_wanted(group) {
            continue;
        }
        let others = groups.range((*to, (i32::MIN, i32::MIN))..=(*to, (i32::MAX, i32::MAX)));
        let overlap = others.map(|((_, other), group)| (*other, group)).find(|(other, group)| {
            other != days
                && other.0 <= days.1
                && days.0 <= other.1
                && group.iter().all(|grant| grant.fault.is_none())
        });
        let mut budget = budget_of(*to, group, *days);
        if budget.doubt.is_none()
            && let Some((other, group)) = overlap
        {
            budget.doubt = Some(format!(
                "there is money of {} for {} to {}, too: which of them pays for a charge of the days that both have, the tables do not say",
                sources(group),
                day(other.0),
                day(other.1)
            ));
        }
        match *to {
            Receiver::Unit(unit) => of_unit(&mut budget, unit, (&units, &projects, &shares), *days),
            Receiver::Project(project) => of_project(&mut budget, project, (&projects, &shares), *days),
        }
        found.push(budget);
    }
    found.sort_by(|one, other| (&one.name, one.id).cmp(&(&other.name, other.id)));
    Ok(found)
}

/// All granted and planned funding.
fn grants(rows: &Transaction<'_>) -> Result<Vec<Grant>, Refusal> {
    let of_units = rows.query::<UnitMoney>().rows()?;
    if of_units.is_empty() {
        return Ok(Vec::new());
    }
    let sources: BTreeMap<Uuid, Source> =
        rows.query::<Source>().rows()?.into_iter().map(|source| (source.id.uuid(), source)).collect();
    let mut grants = BTreeMap::new();
    for money in of_units {
        let Some(source) = sources.get(&money.funding_source.uuid()) else { continue };
        let of_source = (day_of(source.start_date.micros()), day_of(source.end_date.micros()));
        let days = within((money.start_date, money.end_date), of_source);
        let grant = Grant {
            id: money.id.uuid(),
            to: Receiver::Unit(money.business_unit.uuid()),
            source: source.name.clone(),
            amount: money.amount,
            planned: money.planned_amount,
            days,
            fault: fault(days, of_source, &source.name),
        };
        grants.insert(grant.id, grant);
    }
    let mut found = Vec::new();
    for money in rows.query::<ProjectMoney>().rows()? {
        let Some(of_unit) = grants.get(&money.businessunit_funding.uuid()) else { continue };
        let days = within((money.start_date, money.end_date), of_unit.days);
        found.push(Grant {
            id: money.id.uuid(),
            to: Receiver::Project(money.project.uuid()),
            source: of_unit.source.clone(),
            amount: money.amount.unwrap_or_default(),
            planned: money.planned_amount.unwrap_or_default(),
            days,
            fault: of_unit.fault.clone().or_else(|| fault(days, of_unit.days, "its business unit's money")),
        });
    }
    found.extend(grants.into_values());
    found.retain(|grant| !grant.amount.is_zero() || !grant.planned.is_zero());
    Ok(found)
}

/// Its own first and last day; a missing one is taken from `whole`, the days of the funding or source that it comes from.
fn within((start, end): (Option<Timestamp>, Option<Timestamp>), whole: (i32, i32)) -> (i32, i32) {
    let day = |time: Option<Timestamp>, or: i32| time.map_or(or, |time| day_of(time.micros()));
    (day(start, whole.0), day(end, whole.1))
}

fn fault(days: (i32, i32), whole: (i32, i32), name: &str) -> Option<String> {
    let told = |(from, until): (i32, i32)| format!("{} to {}", day(from), day(until));
    if days.1 < days.0 {
        return Some(format!("its days are {}: it ends before it begins", told(days)));
    }
    let is_outside = days.0 < whole.0 || days.1 > whole.1;
    is_outside.then(|| {
        format!(
            "its days are {}, and {name} may be spent from {}: which of them holds, nobody has said",
            told(days),
            told(whole)
        )
    })
}

/// The budget of one recipient's funding for the same days, before charges are read.
fn budget_of(to: Receiver, group: &[Grant], (from, until): (i32, i32)) -> Budget {
    let fundings = group.iter().map(|grant| grant.id).collect();
    let sum = |of: fn(&Grant) -> Decimal| {
        group.iter().try_fold(Decimal::ZERO, |sum, grant| sum.checked_add(of(grant)))
    };
    let (amount, planned) = (sum(|grant| grant.amount), sum(|grant| grant.planned));
    let mut doubt = group.iter().find_map(|grant| grant.fault.clone());
    let mut notes = Vec::new();
    let is_below = |grant: &Grant| grant.amount.is_negative() || grant.planned.is_negative();
    let amount = match (amount, planned) {
        (Some(amount), Some(planned)) if amount.is_zero() => {
            notes.push("nothing was given yet: the amount is what is planned".to_owned());
            planned
        }
        (Some(amount), Some(planned)) => {
            if !planned.is_zero() && planned != amount {
                notes.push(format!("{planned} are planned"));
            }
            amount
        }
        _ => Decimal::ZERO,
    };
    if group.iter().any(is_below) || amount.is_zero() {
        doubt = doubt.or_else(|| Some("an amount is below zero: expected what may be spent".to_owned()));
    }
    Budget {
        id: group.iter().map(|grant| grant.id).min().unwrap_or_default(),
        of: match to {
            Receiver::Unit(unit) => Owner::Unit { unit, fundings },
            Receiver::Project(project) => Owner::Project { project, fundings },
        },
        name: sources(group),
        scope: Json::Null,
        portions: Vec::new(),
        amount,
        currency: None,
        period: Period::Between(from, until),
        thresholds: thresholds::usual(),
        owner: None,
        changed_on: None,
        notes,
        doubt,
    }
}

fn sources(group: &[Grant]) -> String {
    let names: BTreeSet<&str> = group.iter().map(|grant| grant.source.as_str()).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

fn of_unit(
    budget: &mut Budget,
    unit: Uuid,
    (units, projects, shares): (&[UnitRow], &[ProjectRow], &Shares),
    days: (i32, i32),
) {
    let whole = with_parts(unit, units);
    let name_of = |id: Uuid| units.iter().find(|unit| unit.id.uuid() == id).map(|unit| unit.name.clone());
    let parts: Vec<String> =
        whole.iter().filter(|part| **part != unit).filter_map(|part| name_of(*part)).collect();
    if !parts.is_empty() {
        budget.notes.push(format!("what {} cost counts, too", parts.join(" and ")));
    }
    let of_unit: Vec<Uuid> = projects
        .iter()
        .filter(|project| whole.contains(&project.business_unit.uuid()))
        .map(|project| project.id.uuid())
        .collect();
    let (portions, doubt) = shares.of_unit(&whole, &of_unit, days);
    take(budget, name_of(unit).unwrap_or_default(), portions, doubt);
    budget.scope = named("business_unit", whole);
}

fn of_project(
    budget: &mut Budget,
    project: Uuid,
    (projects, shares): (&[ProjectRow], &Shares),
    days: (i32, i32),
) {
    let name = projects.iter().find(|one| one.id.uuid() == project).map(|one| one.name.clone());
    let (portions, doubt) = shares.of_project(project, days);
    take(budget, name.unwrap_or_default(), portions, doubt);
    budget.scope = named("project", [project]);
}

fn take(budget: &mut Budget, name: String, portions: Vec<Portion>, doubt: Option<String>) {
    budget.name = format!("{name} ({})", budget.name);
    budget.portions = portions;
    budget.doubt = budget.doubt.take().or(doubt);
}

/// A business unit and all its sub-units.
fn with_parts(unit: Uuid, units: &[UnitRow]) -> BTreeSet<Uuid> {
    let mut whole = BTreeSet::from([unit]);
    loop {
        let before = whole.len();
        for part in units {
            if part.parent_business_unit.is_some_and(|parent| whole.contains(&parent)) {
                whole.insert(part.id.uuid());
            }
        }
        if whole.len() == before {
            return whole;
        }
    }
}

fn named(what: &str, ids: impl IntoIterator<Item = Uuid>) -> Json {
    let ids: Vec<Json> = ids.into_iter().map(|id| Json::String(id.to_string())).collect();
    Json::Object(Map::from_iter([(what.to_owned(), Json::Array(ids))]))
}
