//! Which of the costs that tools have worked out count in totals.
//!
//! OpenCost tells the cost of machines anew that a provider invoices. Its costs are left out of totals (`exclude_aggregate`) for
//! the days that the bill of what they ran on covers, and count where no such bill is stored. That follows from the rows that are
//! there: it is told anew after each import and each undo, in the same transaction, and no journal holds it. Nor does a time count twice that
//! two of its exports tell.

mod twice;

use crate::write::cluster;
use catalogue::{Decimal, DecimalSum, Value, ValueRef, format_timestamp};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{Condition, StoreError, Transaction, eq, ge, is_null, lt, one_of};
use uuid::Uuid;

const SPENDS: &str = "spends";
/// Formats whose costs a provider's bill tells, too.
const FORMATS: [&str; 1] = ["opencost"];
/// Where the details of a cost name the machine it ran on.
pub const MACHINE: &str = "providerID";
/// A shorter name tells no machine for certain.
const SHORTEST_NAME: usize = 3;
/// Services whose costs are taken out of totals at once.
const SERVICES_AT_ONCE: usize = 1_000;

/// A number of costs and their sum, by currency.
type Sums = BTreeMap<String, (u64, DecimalSum)>;

/// What counts now.
#[derive(Debug, Default)]
pub struct CostsInTotals {
    /// By import of a tool: costs that count, that a bill covers, and that another import tells.
    of_imports: HashMap<Uuid, BTreeMap<Standing, Sums>>,
    /// Costs that stand otherwise than before, by their import and by how they stand now.
    changed: BTreeMap<Uuid, BTreeMap<Standing, Sums>>,
}

/// Whether costs count, and if not, why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Covered,
    ToldTwice,
    Counting,
}

impl CostsInTotals {
    /// What the report of an import says. What has changed for others is told once, to the first who asks.
    pub fn notes_of(&mut self, import: Uuid) -> Vec<String> {
        let Some(own) = self.of_imports.get(&import) else {
            let changed = std::mem::take(&mut self.changed);
            return notes(&together(changed.into_values().flatten()), |standing| match standing {
                Standing::Covered => {
                    "left out of totals from now on: they were told by OpenCost, and the bill of what they ran on is stored now."
                }
                Standing::ToldTwice => {
                    "left out of totals from now on: another export of OpenCost tells their time, or a part of it, too."
                }
                Standing::Counting => {
                    "counted in totals again: they were told by OpenCost, and neither a bill of what they ran on nor another export tells their \
                     time any more."
                }
            });
        };
        let mut all = notes(own, |standing| match standing {
            Standing::Covered => {
                "left out of totals: the bill of what they ran on covers their days and counts them."
            }
            Standing::ToldTwice => {
                "left out of totals: another export tells the costs of the same part of the cluster for their time, or a part of it. The longer window \
                 counts; of equally long ones, that of the newer file."
            }
            Standing::Counting => {
                "counted in totals: no bill of what they ran on is stored for their days. Once it is imported, they are left out by \
                 themselves."
            }
        });
        let others = self.changed.iter_mut().filter(|(other, _)| **other != import);
        let told = others
            .filter_map(|(_, changed)| Some((Standing::ToldTwice, changed.remove(&Standing::ToldTwice)?)));
        all.extend(notes(&together(told), |_| {
            "of other exports, and left out of totals from now on: this file tells their time, or a part of it, too."
        }));
        all
    }
}

/// All sums of each standing.
fn together(all: impl Iterator<Item = (Standing, Sums)>) -> BTreeMap<Standing, Sums> {
    let mut together: BTreeMap<Standing, Sums> = BTreeMap::new();
    for (standing, sums) in all {
        for (currency, (count, sum)) in sums {
            add(together.entry(standing).or_default(), &currency, count, &sum);
        }
    }
    together
}

fn notes(sums: &BTreeMap<Standing, Sums>, what: impl Fn(Standing) -> &'static str) -> Vec<String> {
    sums.iter().flat_map(|(standing, sums)| sentences(sums, what(*standing))).collect()
}

fn sentences(sums: &Sums, what: &str) -> Vec<String> {
    let sentence = |(currency, (count, sum)): (&String, &(u64, DecimalSum))| {
        let costs = if *count == 1 { "1 cost" } else { &format!("{count} costs") };
        let are = if *count == 1 { "is" } else { "are" };
        format!("{costs} of {sum} {currency} {are} {what}")
    };
    sums.iter().map(sentence).collect()
}

fn add(sums: &mut Sums, currency: &str, count: u64, amount: &DecimalSum) {
    let (all, sum) = sums.entry(currency.to_owned()).or_default();
    *all += count;
    sum.add(amount.total().unwrap_or_else(|| Decimal::from(0)));
}

/// The costs of one account, import, time, currency, state and service (of a cluster, the namespace): they are flipped together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    account: Uuid,
    import: Uuid,
    start: i64,
    end: i64,
    currency: String,
    is_left_out: bool,
    service: String,
}

/// Tells anew which costs of tools count.
pub fn settle(rows: &Transaction<'_>) -> Result<CostsInTotals, StoreError> {
    let formats = one_of("format", FORMATS.iter().map(|format| (*format).into()).collect());
    let found = rows.select("imports", &["id", "sequence"], &[formats])?;
    let sequence: HashMap<Uuid, i64> =
        found.iter().filter_map(|row| Some((row.first()?.as_uuid()?, row.get(1)?.as_int()?))).collect();
    let imports: BTreeSet<Uuid> = sequence.keys().copied().collect();
    let mut counted = CostsInTotals::default();
    let mut costs: BTreeMap<Key, (u64, DecimalSum)> = BTreeMap::new();
    let mut machines: BTreeMap<Uuid, BTreeSet<String>> = BTreeMap::new();
    let mut parts = twice::Resources::new();
    for import in &imports {
        let columns = [
            "cloud_account",
            "date",
            "period_end",
            "unit",
            "amount",
            "exclude_aggregate",
            "details",
            "service_name",
            "cloud_resource_id",
        ];
        rows.for_each(SPENDS, &columns, &[eq("import_id", *import)], |row| {
            let [
                Value::Uuid(account),
                date,
                end,
                unit,
                Value::Decimal(amount),
                excluded,
                details,
                service,
                resource,
            ] = row.as_slice()
            else {
                return Ok(());
            };
            let start = date.as_int().unwrap_or_default();
            let key = Key {
                account: *account,
                import: *import,
                start,
                end: end.as_int().unwrap_or(start).max(start + 1),
                currency: unit.as_text().unwrap_or_default().to_owned(),
                is_left_out: *excluded == Value::Bool(true),
                service: service.as_text().unwrap_or_default().to_owned(),
            };
            let of_account = parts.entry(*account).or_default();
            of_account.entry(*import).or_default().extend(resource.as_uuid());
            let (count, sum) = costs.entry(key).or_default();
            *count += 1;
            sum.add(*amount);
            machines.entry(*account).or_default().extend(machine(details));
            Ok::<_, StoreError>(())
        })?;
    }
    let mut covered: BTreeMap<Uuid, Coverage> = BTreeMap::new();
    let mut clusters: BTreeSet<Uuid> = BTreeSet::new();
    for (account, mut machines) in machines {
        let starts = || costs.keys().filter(|key| key.account == account).map(|key| key.start);
        let (Some(first), Some(last)) = (starts().min(), starts().max()) else { continue };
        let is_cluster =
            rows.count("cloud_accounts", &[eq("id", account), eq("cloud_provider", cluster::PROVIDER)])? > 0;
        let mut coverage = Coverage::default();
        if is_cluster {
            clusters.insert(account);
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
    let is_covered = |key: &Key| covered.get(&key.account).is_some_and(|coverage| coverage.has(key.start));
    let contested = costs.keys().filter(|key| clusters.contains(&key.account) && !is_covered(key));
    let twice = twice::told_twice(rows, contested, &parts, &sequence)?;
    let mut flipped: BTreeMap<Key, Vec<String>> = BTreeMap::new();
    for (key, (count, sum)) in costs {
        let standing = match (is_covered(&key), twice.contains(&key)) {
            (true, _) => Standing::Covered,
            (false, true) => Standing::ToldTwice,
            (false, false) => Standing::Counting,
        };
        let own = counted.of_imports.entry(key.import).or_default();
        add(own.entry(standing).or_default(), &key.currency, count, &sum);
        if (standing != Standing::Counting) != key.is_left_out {
            let changed = counted.changed.entry(key.import).or_default();
            add(changed.entry(standing).or_default(), &key.currency, count, &sum);
            let service = key.service.clone();
            flipped.entry(Key { service: String::new(), ..key }).or_default().push(service);
        }
    }
    for (key, services) in &flipped {
        flip(rows, key, services)?;
    }
    Ok(counted)
}

/// Takes costs of services out of totals, or back into them. No service is that of cloud costs which name none.
fn flip(rows: &Transaction<'_>, key: &Key, services: &[String]) -> Result<(), StoreError> {
    let (nameless, named): (Vec<&String>, Vec<&String>) =
        services.iter().partition(|service| service.is_empty());
    let mut of_services: Vec<Condition<'_>> = named
        .chunks(SERVICES_AT_ONCE)
        .map(|some| one_of("service_name", some.iter().map(|service| service.as_str().into()).collect()))
        .collect();
    if !nameless.is_empty() {
        of_services.push(is_null("service_name"));
    }
    for of_service in of_services {
        let conditions = [
            eq("import_id", key.import),
            eq("cloud_account", key.account),
            eq("date", ValueRef::Timestamp(key.start)),
            eq("period_end", ValueRef::Timestamp(key.end)),
            eq("unit", &key.currency),
            of_service,
        ];
        rows.update(SPENDS, &conditions, &[("exclude_aggregate", (!key.is_left_out).into())])?;
    }
    Ok(())
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
