//! Reads the bill for the savings rules: only charges of the kinds of use that a rule reads, summed by the store.

use super::days::BillDays;
use super::sums::{Usage, cost, one_of, quantity, uuid};
use super::{growth, nights};
use analysis::savings::{self, Bill, Line, UnusedCommitment};
use catalogue::{Decimal, Value};
use graphql::Refusal;
use model::{CloudResourse, Id, Read, row, tables::cloud_resourses};
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use store::query::{Function, Term};
use uuid::Uuid;

/// Tags that contain a resource's name.
const NAMES: [&str; 4] = ["Name", "name", "user:Name", "resourceTags/user:Name"];
/// Resources per query.
const BATCH: usize = 400;

row! { struct Resource from cloud_resourses { id, name, external_resource_id } }

/// Display names of resources.
pub type Names = BTreeMap<Uuid, String>;

/// Reads the input of the rules.
pub fn read(rows: &Transaction<'_>, usage: &Usage<'_>, known: &BillDays) -> Result<Bill, Refusal> {
    let period = known.period;
    let kinds = kinds(usage, (period.from, period.to))?;
    let growing: Vec<Value> = texts(&kinds, savings::reads_growth);
    let read: Vec<Value> = texts(&kinds, savings::reads);
    let mut lines = lines(usage, known, read)?;
    let mut nights = nights::read(usage, known, &kinds)?;
    let ids: BTreeSet<Uuid> = lines.iter().filter_map(|line| line.resource).collect();
    let ids = ids.into_iter().chain(nights.iter().map(|night| night.resource)).collect();
    let names = names(rows, &ids)?;
    for line in &mut lines {
        line.resource_name = line.resource.and_then(|id| names.get(&id).cloned());
    }
    for night in &mut nights {
        night.resource_name = names.get(&night.resource).cloned();
    }
    Ok(Bill {
        period,
        lines,
        growth: growth::read(usage, known, growing)?,
        nights,
        unused: unused(usage, known)?,
        totals: totals(usage, known)?,
    })
}

/// The kinds of use in the period.
fn kinds(usage: &Usage<'_>, days: (i32, i32)) -> Result<BTreeSet<String>, Refusal> {
    let rows = usage.groups(vec![("kind", usage.kind()?)], vec![("count", Term::Count)], days, Vec::new())?;
    Ok(rows.iter().filter_map(|row| row.text("kind")).collect())
}

fn texts(kinds: &BTreeSet<String>, test: fn(&str) -> bool) -> Vec<Value> {
    kinds.iter().filter(|kind| test(kind)).map(|kind| Value::Text(kind.clone())).collect()
}

fn lines(usage: &Usage<'_>, known: &BillDays, kinds: Vec<Value>) -> Result<Vec<Line>, Refusal> {
    let period = known.period;
    let mut lines = Vec::new();
    for condition in one_of(&usage.kind()?, kinds) {
        let keys = vec![
            ("account", usage.charges.key("cloud_account")?),
            ("resource", usage.charges.key("cloud_resource_id")?),
            ("label", usage.label(&NAMES)?),
            ("service", usage.service()?),
            ("kind", usage.kind()?),
            ("region", usage.region()?),
            ("currency", usage.charges.key("unit")?),
            ("unit", usage.charges.key("consumed_unit")?),
        ];
        let mut figures = vec![
            ("first", Term::Of(Function::Min, usage.column("date")?)),
            ("last", Term::Of(Function::Max, usage.column("date")?)),
            ("end", Term::Of(Function::Max, usage.column("period_end")?)),
        ];
        figures.extend(usage.cost()?);
        figures.extend(usage.quantity()?);
        for row in usage.groups(keys, figures, (period.from, period.to), vec![condition])? {
            let line = || {
                let last = row.day("last")?;
                // An end is exclusive. Only charges that span several days end after the day they begin.
                let end = row.day("end").map_or(last, |end| (end - 1).clamp(last, period.to.max(last)));
                Some(Line {
                    account: uuid(&row, "account")?,
                    resource: uuid(&row, "resource"),
                    resource_name: None,
                    label: row.text("label"),
                    service: row.text("service").unwrap_or_default(),
                    usage: row.text("kind")?,
                    region: row.text("region").unwrap_or_default(),
                    currency: row.text("currency")?,
                    first: row.day("first")?,
                    last: end,
                    cost: cost(&row)?,
                    quantity: quantity(&row)?,
                    unit: row.text("unit"),
                })
            };
            lines.extend(line());
        }
    }
    Ok(lines)
}

/// The names of resources.
pub fn names(rows: &Transaction<'_>, ids: &BTreeSet<Uuid>) -> Result<Names, Refusal> {
    let ids: Vec<Id<CloudResourse>> = ids.iter().copied().map(Id::new).collect();
    let mut names = Names::new();
    for ids in ids.chunks(BATCH) {
        let found = rows.query::<Resource>().filter(cloud_resourses::id.one_of(ids.iter().copied()));
        for resource in found.rows()? {
            let name = resource.name.filter(|name| !name.is_empty()).or(resource.external_resource_id);
            names.extend(name.map(|name| (resource.id.uuid(), name)));
        }
    }
    Ok(names)
}

/// The unused cost of commitments, with their used cost.
fn unused(usage: &Usage<'_>, known: &BillDays) -> Result<Vec<UnusedCommitment>, Refusal> {
    let period = known.period;
    let keys = vec![
        ("account", usage.charges.key("cloud_account")?),
        ("id", usage.charges.key("commitment_discount_id")?),
        ("name", usage.charges.key("commitment_discount_name")?),
        ("type", usage.charges.key("commitment_discount_type")?),
        ("status", usage.charges.key("commitment_discount_status")?),
        ("currency", usage.charges.key("unit")?),
    ];
    let figures = vec![
        ("cost", usage.charges.sum("effective_cost")?),
        ("last", Term::Of(Function::Max, usage.column("date")?)),
    ];
    let is_one = store::query::Filter::Not(Box::new(
        usage.charges.test("commitment_discount_id", store::query::Test::IsNull)?,
    ));
    let mut used: BTreeMap<(String, String), Decimal> = BTreeMap::new();
    let mut unused: BTreeMap<(String, String), UnusedCommitment> = BTreeMap::new();
    for row in usage.of_commitments(keys, figures, (period.from, period.to), is_one)? {
        let (Some(account), Some(id), Some(currency)) =
            (uuid(&row, "account"), row.text("id"), row.text("currency"))
        else {
            continue;
        };
        let cost = row.amount("cost");
        let key = (id.clone(), currency.clone());
        if row.text("status").as_deref() != Some("Unused") {
            let sum = used.entry(key).or_default();
            *sum = sum.checked_add(cost).unwrap_or(*sum);
            continue;
        }
        // The account that pays for a commitment may have several lines for it.
        let entry = unused.entry(key).or_insert_with(|| UnusedCommitment {
            account,
            commitment: id,
            name: row.text("name"),
            kind: row.text("type"),
            currency,
            last: period.from,
            unused: Decimal::ZERO,
            used: Decimal::ZERO,
        });
        entry.unused = entry.unused.checked_add(cost).unwrap_or(entry.unused);
        entry.last = entry.last.max(row.day("last").unwrap_or(entry.last));
    }
    for (key, commitment) in &mut unused {
        commitment.used = used.get(key).copied().unwrap_or_default();
    }
    Ok(unused.into_values().collect())
}

/// The cost of usage of each account in the period, by currency.
pub fn totals(usage: &Usage<'_>, known: &BillDays) -> Result<BTreeMap<(Uuid, String), Decimal>, Refusal> {
    let period = known.period;
    let keys =
        vec![("account", usage.charges.key("cloud_account")?), ("currency", usage.charges.key("unit")?)];
    let rows = usage.groups(keys, usage.cost()?, (period.from, period.to), Vec::new())?;
    let total =
        |row: &crate::spending::Sums| Some(((uuid(row, "account")?, row.text("currency")?), cost(row)?));
    Ok(rows.iter().filter_map(total).collect())
}
