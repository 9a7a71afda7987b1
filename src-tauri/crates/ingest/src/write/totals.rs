//! Decides which costs computed by tools count in totals.
//!
//! OpenCost restates costs of machines that a provider invoices. Its costs are excluded from totals (`exclude_aggregate`) on the days that
//! the bill for these machines covers, and count where no such bill is stored. When two exports cover the same time, it counts once. The
//! flag is derived from the stored rows: it is recomputed after each import and each undo, in the same transaction, and is not in the
//! journal.

mod cluster_costs;
mod coverage;
mod duplicates;
pub mod idle;
mod partly_billed;
pub mod unnamed_cluster;

use crate::formats::BesideBill;
use crate::providers::machine::resources_of_machines;
use crate::report::Decision;
use crate::write::cluster;
use catalogue::{Decimal, DecimalSum, Value, ValueRef};
pub use cluster_costs::{ToolCost, tool_costs};
use coverage::{BilledDays, Coverage};
pub use partly_billed::{ImportAnswers, remove_answers_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{Condition, StoreError, Transaction, eq, ge, is_null, lt, one_of};
use uuid::Uuid;

const SPENDS: &str = "spends";
/// Formats whose costs a provider's bill contains too.
const FORMATS: [&str; 1] = ["opencost"];
/// The key in a cost's details for the machine it ran on.
pub const MACHINE: &str = "providerID";
/// Maximum number of services in one update.
const SERVICES_AT_ONCE: usize = 1_000;

/// The number of costs and their sum, by currency.
type Sums = BTreeMap<String, (u64, DecimalSum)>;

/// The state of all costs computed by tools: whether they count in totals.
#[derive(Debug, Default)]
pub struct CostsInTotals {
    /// Costs by import of a tool and by state.
    of_imports: HashMap<Uuid, BTreeMap<CountingState, Sums>>,
    /// Costs whose state has changed, by import and new state.
    changed: BTreeMap<Uuid, BTreeMap<CountingState, Sums>>,
    /// The question that has to be answered before the states are final.
    pub question: Option<Box<Decision>>,
}

/// Whether costs count, and the reason if not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CountingState {
    Covered,
    /// A bill covers part of their time, and the user decided that only the bill counts.
    LeftToBill,
    Duplicate,
    Counting,
}

impl CostsInTotals {
    /// The notes for the report of an import. Changes to other imports are returned once, by the first call.
    pub fn notes_of(&mut self, import: Uuid) -> Vec<String> {
        let Some(own) = self.of_imports.get(&import) else {
            let changed = std::mem::take(&mut self.changed);
            return notes(&sum_by_state(changed.into_values().flatten()), |state| match state {
                CountingState::Covered => {
                    "left out of totals from now on: they are OpenCost costs, and the bill of the underlying machines is now imported."
                }
                CountingState::LeftToBill => {
                    "left out of totals from now on, as was chosen: they were told by OpenCost, and a bill tells some of their days."
                }
                CountingState::Duplicate => {
                    "left out of totals from now on: another export of OpenCost tells their time, or a part of it, too."
                }
                CountingState::Counting => {
                    "counted in totals again: they were told by OpenCost, and neither a bill of what they ran on nor another export tells their \
                     time any more."
                }
            });
        };
        let mut all = notes(own, |state| match state {
            CountingState::Covered => {
                "left out of totals: the bill of what they ran on covers their days and counts them."
            }
            CountingState::LeftToBill => {
                "left out of totals, as was chosen: the bill of what they ran on covers some of the days that they are the sum of."
            }
            CountingState::Duplicate => {
                "left out of totals: another export tells the costs of the same part of the cluster for their time, or a part of it. The longer window \
                 counts; of equally long ones, that of a file that tells idle cost apart, else that of the newer file."
            }
            CountingState::Counting => {
                "counted in totals: no bill of what they ran on is stored for their days. Once it is imported, they are left out by \
                 themselves."
            }
        });
        let others = self.changed.iter_mut().filter(|(other, _)| **other != import);
        let told = others.filter_map(|(_, changed)| {
            Some((CountingState::Duplicate, changed.remove(&CountingState::Duplicate)?))
        });
        all.extend(notes(&sum_by_state(told), |_| {
            "of other exports, and left out of totals from now on: this file tells their time, or a part of it, too."
        }));
        all
    }
}

/// The sums of each state.
fn sum_by_state(all: impl Iterator<Item = (CountingState, Sums)>) -> BTreeMap<CountingState, Sums> {
    let mut sums: BTreeMap<CountingState, Sums> = BTreeMap::new();
    for (state, of_state) in all {
        for (currency, (count, sum)) in of_state {
            add(sums.entry(state).or_default(), &currency, count, &sum);
        }
    }
    sums
}

fn notes(sums: &BTreeMap<CountingState, Sums>, what: impl Fn(CountingState) -> &'static str) -> Vec<String> {
    sums.iter().flat_map(|(state, sums)| sentences(sums, what(*state))).collect()
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

/// Costs of one account, import, time, currency, state and service (in a cluster, the namespace); their state changes together.
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

/// Recomputes which costs of tools count. `asked` are the imports in progress, whose user can be asked.
pub fn recompute(rows: &Transaction<'_>, asked: &[ImportAnswers]) -> Result<CostsInTotals, StoreError> {
    let formats = one_of("format", FORMATS.iter().map(|format| (*format).into()).collect());
    let found = rows.select("imports", &["id", "sequence"], &[formats])?;
    let sequence: HashMap<Uuid, i64> =
        found.iter().filter_map(|row| Some((row.first()?.as_uuid()?, row.get(1)?.as_int()?))).collect();
    let imports: BTreeSet<Uuid> = sequence.keys().copied().collect();
    let mut counted = CostsInTotals::default();
    let mut costs: BTreeMap<Key, (u64, DecimalSum)> = BTreeMap::new();
    let mut machines: BTreeMap<Uuid, BTreeSet<String>> = BTreeMap::new();
    let mut parts = duplicates::Resources::new();
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
            machines.entry(*account).or_default().extend(coverage::machine(details));
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
            machines.extend(coverage::nodes(rows, account)?);
            for (resource, _) in resources_of_machines(rows, &machines)? {
                coverage.add(rows, &imports, &[eq("cloud_resource_id", resource)])?;
            }
        } else {
            // Costs of a cloud account: the bill of the account itself. The 31 days before and after are read too, because coverage extends
            // over whole
            // months.
            let day = 86_400_000_000;
            let from = ge("date", ValueRef::Timestamp(first - 31 * day));
            let to = lt("date", ValueRef::Timestamp(last + 31 * day));
            coverage.add(rows, &imports, &[eq("cloud_account", account), from, to])?;
        }
        covered.insert(account, coverage);
    }
    let mut answers = partly_billed::Answers::new(asked);
    let mut is_billed: BTreeMap<&Key, Option<CountingState>> = BTreeMap::new();
    for (key, sum) in &costs {
        let coverage = covered.get(&key.account);
        let state = match coverage.map_or(BilledDays::None, |coverage| coverage.of(key.start, key.end)) {
            BilledDays::All => Some(CountingState::Covered),
            BilledDays::None => None,
            BilledDays::Some => {
                let is_under_way = coverage.is_some_and(|coverage| coverage.is_of_any(asked));
                match answers.find(rows, key, is_under_way, sum)? {
                    Some(BesideBill::Leave) => Some(CountingState::LeftToBill),
                    Some(BesideBill::Count) => None,
                    // No user can be asked: the state remains.
                    None => key.is_left_out.then_some(CountingState::LeftToBill),
                }
            }
        };
        is_billed.insert(key, state);
    }
    counted.question = answers.question();
    answers.store(rows)?;
    let contested =
        costs.iter().filter(|(key, _)| clusters.contains(&key.account) && is_billed[key].is_none());
    let contested = contested.map(|(key, (_, sum))| (key, sum.total().unwrap_or_else(|| Decimal::from(0))));
    let duplicates = duplicates::find_duplicates(rows, contested, &parts, &sequence)?;
    let is_billed: Vec<Option<CountingState>> = is_billed.into_values().collect();
    let mut changed_keys: BTreeMap<Key, Vec<String>> = BTreeMap::new();
    for ((key, (count, sum)), is_billed) in costs.into_iter().zip(is_billed) {
        let state = match (is_billed, duplicates.contains(&key)) {
            (Some(state), _) => state,
            (None, true) => CountingState::Duplicate,
            (None, false) => CountingState::Counting,
        };
        let own = counted.of_imports.entry(key.import).or_default();
        add(own.entry(state).or_default(), &key.currency, count, &sum);
        if (state != CountingState::Counting) != key.is_left_out {
            let changed = counted.changed.entry(key.import).or_default();
            add(changed.entry(state).or_default(), &key.currency, count, &sum);
            let service = key.service.clone();
            changed_keys.entry(Key { service: String::new(), ..key }).or_default().push(service);
        }
    }
    for (key, services) in &changed_keys {
        set_excluded(rows, key, services)?;
    }
    Ok(counted)
}

/// Excludes costs of services from totals, or includes them again. An empty service stands for cloud costs without a service.
fn set_excluded(rows: &Transaction<'_>, key: &Key, services: &[String]) -> Result<(), StoreError> {
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
