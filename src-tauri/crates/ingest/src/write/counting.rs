//! Which of the costs that tools have worked out count in totals.
//!
//! OpenCost tells the cost of machines anew that a provider invoices. Its costs are left out of totals (`exclude_aggregate`) for
//! the days that the bill of what they ran on covers, and count where no such bill is stored. That follows from the rows that are
//! there: it is told anew after each import and each undo, in the same transaction, and no journal holds it.

use crate::write::cluster;
use catalogue::{Decimal, DecimalSum, Value, ValueRef, format_timestamp};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{Condition, StoreError, Transaction, eq, ge, lt, one_of};
use uuid::Uuid;

const SPENDS: &str = "spends";
/// Formats whose costs a provider's bill tells, too.
const FORMATS: [&str; 1] = ["opencost"];
/// Where the details of a cost name the machine it ran on.
pub const MACHINE: &str = "providerID";
/// A shorter name tells no machine for certain.
const SHORTEST_NAME: usize = 3;

/// A number of costs and their sum, by currency.
type Sums = BTreeMap<String, (u64, DecimalSum)>;

/// What counts now.
#[derive(Debug, Default)]
pub struct CostsInTotals {
    /// By import of a tool: costs that count, and costs that are left out.
    of_imports: HashMap<Uuid, (Sums, Sums)>,
    /// Costs that counted before and are left out now, and the other way round.
    left_out: Sums,
    back_in_totals: Sums,
}

impl CostsInTotals {
    /// What the report of an import says. What has changed for others is told once, to the first who asks.
    pub fn notes_of(&mut self, import: Uuid) -> Vec<String> {
        let Some((counting, excluded)) = self.of_imports.get(&import) else { return self.notes_of_changes() };
        let excluded = sentences(
            excluded,
            "left out of totals: the bill of what they ran on covers their days and counts them.",
        );
        let counting = sentences(
            counting,
            "counted in totals: no bill of what they ran on is stored for their days. Once it is imported, they are left out by \
             themselves.",
        );
        excluded.chain(counting).collect()
    }

    fn notes_of_changes(&mut self) -> Vec<String> {
        let (left_out, again) =
            (std::mem::take(&mut self.left_out), std::mem::take(&mut self.back_in_totals));
        let left_out = sentences(
            &left_out,
            "left out of totals from now on: they were told by OpenCost, and the bill of what they ran on is stored now.",
        );
        let again = sentences(
            &again,
            "counted in totals again: they were told by OpenCost, and no bill of what they ran on is stored any more.",
        );
        left_out.chain(again).collect()
    }
}

fn sentences<'s>(sums: &'s Sums, what: &'s str) -> impl Iterator<Item = String> + use<'s> {
    sums.iter().map(move |(currency, (count, sum))| {
        let costs = if *count == 1 { "1 cost" } else { &format!("{count} costs") };
        let are = if *count == 1 { "is" } else { "are" };
        format!("{costs} of {sum} {currency} {are} {what}")
    })
}

fn add(sums: &mut Sums, currency: &str, count: u64, amount: &DecimalSum) {
    let (all, sum) = sums.entry(currency.to_owned()).or_default();
    *all += count;
    sum.add(amount.total().unwrap_or_else(|| Decimal::from(0)));
}

/// The costs of one account, import, start, currency and state: they are flipped together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    account: Uuid,
    import: Uuid,
    start: i64,
    currency: String,
    is_left_out: bool,
}

/// Tells anew which costs of tools count.
pub fn settle(rows: &Transaction<'_>) -> Result<CostsInTotals, StoreError> {
    let formats = one_of("format", FORMATS.iter().map(|format| (*format).into()).collect());
    let found = rows.select("imports", &["id"], &[formats])?;
    let imports: BTreeSet<Uuid> = found.iter().filter_map(|row| row.first()?.as_uuid()).collect();
    let mut counted = CostsInTotals::default();
    let mut costs: BTreeMap<Key, (u64, DecimalSum)> = BTreeMap::new();
    let mut machines: BTreeMap<Uuid, BTreeSet<String>> = BTreeMap::new();
    for import in &imports {
        let columns = ["cloud_account", "date", "unit", "amount", "exclude_aggregate", "details"];
        rows.for_each(SPENDS, &columns, &[eq("import_id", *import)], |row| {
            let [Value::Uuid(account), date, unit, Value::Decimal(amount), excluded, details] =
                row.as_slice()
            else {
                return Ok(());
            };
            let key = Key {
                account: *account,
                import: *import,
                start: date.as_int().unwrap_or_default(),
                currency: unit.as_text().unwrap_or_default().to_owned(),
                is_left_out: *excluded == Value::Bool(true),
            };
            let (count, sum) = costs.entry(key).or_default();
            *count += 1;
            sum.add(*amount);
            machines.entry(*account).or_default().extend(machine(details));
            Ok::<_, StoreError>(())
        })?;
    }
    let mut covered: BTreeMap<Uuid, Coverage> = BTreeMap::new();
    for (account, mut machines) in machines {
        let starts = || costs.keys().filter(|key| key.account == account).map(|key| key.start);
        let (Some(first), Some(last)) = (starts().min(), starts().max()) else { continue };
        let is_cluster =
            rows.count("cloud_accounts", &[eq("id", account), eq("cloud_provider", cluster::PROVIDER)])? > 0;
        let mut coverage = Coverage::default();
        if is_cluster {
            machines.extend(nodes(rows, account)?);
            for resource in resources(rows, &machines)? {
                coverage.add(rows, &imports, &[eq("cloud_resource_id", resource)])?;
            }
        } else {
            // Costs of a cloud: the bill of the account itself. A month's coverage is whole however the days lie in it.
            let day = 86_400_000_000;
            let from = ge("date", ValueRef::Timestamp(first - 31 * day));
            let to = lt("date", ValueRef::Timestamp(last + 31 * day));
            coverage.add(rows, &imports, &[eq("cloud_account", account), from, to])?;
        }
        covered.insert(account, coverage);
    }
    for (key, (count, sum)) in costs {
        let is_covered = covered.get(&key.account).is_some_and(|coverage| coverage.has(key.start));
        let (counting, left_out) = counted.of_imports.entry(key.import).or_default();
        add(if is_covered { left_out } else { counting }, &key.currency, count, &sum);
        if is_covered != key.is_left_out {
            let conditions = [
                eq("import_id", key.import),
                eq("cloud_account", key.account),
                eq("date", ValueRef::Timestamp(key.start)),
                eq("unit", &key.currency),
            ];
            rows.update(SPENDS, &conditions, &[("exclude_aggregate", is_covered.into())])?;
            let changed = if is_covered { &mut counted.left_out } else { &mut counted.back_in_totals };
            add(changed, &key.currency, count, &sum);
        }
    }
    Ok(counted)
}

/// The days that bills cover: from the first charge of a month to the end of its last one.
#[derive(Debug, Default)]
struct Coverage(BTreeMap<String, (i64, i64)>);

impl Coverage {
    fn has(&self, start: i64) -> bool {
        self.0.get(&month(start)).is_some_and(|(from, to)| (*from..*to).contains(&start))
    }

    /// Adds the charges that meet the conditions and are of no tool.
    fn add(
        &mut self,
        rows: &Transaction<'_>,
        tools: &BTreeSet<Uuid>,
        conditions: &[Condition<'_>],
    ) -> Result<(), StoreError> {
        let columns = ["import_id", "date", "period_end", "exclude_aggregate"];
        rows.for_each(SPENDS, &columns, conditions, |row| {
            let [import, date, end, excluded] = row.as_slice() else { return Ok(()) };
            let is_of_tool = import.as_uuid().is_some_and(|import| tools.contains(&import));
            if let Some(start) = date.as_int().filter(|_| !is_of_tool && *excluded != Value::Bool(true)) {
                let end = end.as_int().unwrap_or(start).max(start + 1);
                let (from, to) = self.0.entry(month(start)).or_insert((start, end));
                (*from, *to) = ((*from).min(start), (*to).max(end));
            }
            Ok::<_, StoreError>(())
        })
    }
}

fn month(micros: i64) -> String {
    format_timestamp(micros).chars().take(7).collect()
}

/// The machine that a cost says it ran on.
fn machine(details: &Value) -> Option<String> {
    let details: Json = serde_json::from_str(details.as_text()?).ok()?;
    name_of_machine(details.get(MACHINE)?.as_str()?)
}

/// The machines of a cluster, as dumps of it name them.
fn nodes(rows: &Transaction<'_>, account: Uuid) -> Result<Vec<String>, StoreError> {
    let found = rows.select("k8s_nodes", &["meta"], &[eq("cloud_account_id", account)])?;
    let provider_id = |row: &Vec<Value>| {
        let meta: Json = serde_json::from_str(row.first()?.as_text()?).ok()?;
        name_of_machine(meta.get("provider_id")?.as_str()?)
    };
    Ok(found.iter().filter_map(provider_id).collect())
}

/// The resources of clouds that are these machines.
fn resources(rows: &Transaction<'_>, machines: &BTreeSet<String>) -> Result<Vec<Uuid>, StoreError> {
    let mut found = Vec::new();
    if machines.is_empty() {
        return Ok(found);
    }
    let clouds = ["AWS", "Azure", "GCP", "OCI", "Alibaba", "Other"];
    let of_clouds = one_of("cloud_provider", clouds.iter().map(|cloud| (*cloud).into()).collect());
    rows.for_each("cloud_resourses", &["id", "external_resource_id"], &[of_clouds], |row| {
        if let [Value::Uuid(resource), Value::Text(id)] = row.as_slice()
            && name_of_machine(id).is_some_and(|name| machines.contains(&name))
        {
            found.push(*resource);
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(found)
}

/// The name of a machine behind its zone, project or account.
fn name_of_machine(id: &str) -> Option<String> {
    let name = id.rsplit(['/', ':']).next().unwrap_or(id).to_ascii_lowercase();
    (name.len() >= SHORTEST_NAME).then_some(name)
}
