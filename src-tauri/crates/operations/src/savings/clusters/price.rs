//! Billed cost of the machines of idle nodes.

use super::super::bill::totals;
use super::super::days::BillDays;
use super::super::sums::{Usage, cost};
use analysis::savings::{Cluster, MachineCost, idle_nodes};
use catalogue::{Decimal, Value};
use graphql::Refusal;
use model::tables::cloud_resourses;
use model::{Read, row};
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use store::query::{Function, Operator, Term, Test};
use uuid::Uuid;

row! { struct MachineRow from cloud_resourses { id, account } }

/// Adds the cost of idle nodes' machines. A machine that matches several resources is not priced.
pub fn read(rows: &Transaction<'_>, cluster: &mut Cluster, known: &[BillDays]) -> Result<(), Refusal> {
    let machines: Vec<(String, String)> = idle_nodes(cluster)
        .into_iter()
        .filter_map(|node| Some((node.name.clone(), node.machine.clone()?)))
        .collect();
    let mut prices = BTreeMap::new();
    for (node, machine) in machines {
        let Some(found) = find(rows, &machine)? else { continue };
        let account = found.account.uuid();
        for one in known.iter().filter(|one| one.first.contains_key(&account)) {
            if let Some(price) = price(rows, (account, found.id.uuid()), one)? {
                prices.insert(node.clone(), price);
            }
        }
    }
    cluster.prices = prices;
    Ok(())
}

/// The resource of a bill or inventory whose name or id is the machine's, or whose external id ends with it; `None` unless there is exactly one.
fn find(rows: &Transaction<'_>, machine: &str) -> Result<Option<MachineRow>, Refusal> {
    let is_plain =
        machine.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
    if !is_plain {
        return Ok(None);
    }
    let ends = Test::Compare(Operator::Regex, Value::Text(format!("(?:^|[/:]){machine}$")));
    let is_it = cloud_resourses::resourse_id
        .eq(machine)
        .or(cloud_resourses::name.eq(machine))
        .or(cloud_resourses::external_resource_id.test(ends));
    let is_other = cloud_resourses::service_name.ne("Kubernetes");
    let mut found = rows.query::<MachineRow>().filter(is_it.and(is_other)).limit(2).rows()?;
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// The cost in the period of a bill; `None` if the bill has no charges of the machine, or charges in several currencies.
fn price(
    rows: &Transaction<'_>,
    (account, resource): (Uuid, Uuid),
    known: &BillDays,
) -> Result<Option<MachineCost>, Refusal> {
    let period = known.period;
    let usage = Usage::of(rows)?.within(std::iter::once(account));
    let keys = vec![("currency", usage.charges.key("unit")?), ("kind", usage.kind()?)];
    let mut figures = vec![("last", Term::Of(Function::Max, usage.column("date")?))];
    figures.extend(usage.cost()?);
    let is_it = usage.charges.test("cloud_resource_id", Test::OneOf(vec![Value::Uuid(resource)]))?;
    let lines = usage.groups(keys, figures, (period.from, period.to), vec![is_it])?;
    let currencies: BTreeSet<String> = lines.iter().filter_map(|line| line.text("currency")).collect();
    let Some(currency) = currencies.first().filter(|_| currencies.len() == 1) else { return Ok(None) };
    let sum = lines.iter().map(cost).try_fold(Decimal::ZERO, |sum, cost| sum.checked_add(cost?));
    let Some(sum) = sum.filter(|sum| !sum.is_zero() && !sum.is_negative()) else { return Ok(None) };
    let kinds: BTreeSet<String> = lines.iter().filter_map(|line| line.text("kind")).collect();
    let of_account = totals(&usage, known)?.get(&(account, currency.clone())).copied();
    Ok(Some(MachineCost {
        account,
        resource,
        currency: currency.clone(),
        period,
        cost: sum,
        last_day: lines.iter().filter_map(|line| line.day("last")).max().unwrap_or(period.to),
        usage: kinds.into_iter().collect(),
        account_cost: of_account.unwrap_or(sum),
    }))
}
