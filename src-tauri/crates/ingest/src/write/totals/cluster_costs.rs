//! The costs of a cluster from tools, with each time counted once, for comparison with the bill of its nodes.

use super::{Key, SPENDS, duplicates};
use crate::providers::machine::name_of_machine;
use catalogue::{Decimal, DecimalSum, Value, ValueRef};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Transaction, eq, ge, lt, one_of};
use uuid::Uuid;

/// The cost of a part of a cluster in a time window, in total and by purpose.
#[derive(Debug, Clone)]
pub struct ToolCost {
    /// µs since 1970 UTC.
    pub start: i64,
    /// Exclusive.
    pub end: i64,
    pub currency: String,
    /// The namespace, or the tool's name for costs without one: `__idle__`.
    pub service: String,
    pub resource: Option<Uuid>,
    /// The machine it ran on.
    pub machine: Option<String>,
    /// The total amount.
    pub amount: Decimal,
    /// The part allocated from shared namespaces.
    pub shared: Decimal,
    /// The part that is not for nodes: volumes, network, load balancers and external services.
    pub beside_nodes: Decimal,
}

impl ToolCost {
    /// Whether it is the cost of capacity that no workload requested.
    pub fn is_idle(&self) -> bool {
        super::idle::is_idle(&self.service)
    }
}

/// The parts of a cost, with the names in JSON and CSV exports. The parts not listed are for nodes: CPU, memory and GPU.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Details {
    #[serde(rename = "providerID")]
    machine: Option<String>,
    #[serde(rename = "sharedCost")]
    shared: Option<String>,
    #[serde(rename = "pvCost", alias = "PVCost")]
    volumes: Option<String>,
    #[serde(rename = "networkCost", alias = "NetworkCost")]
    network: Option<String>,
    #[serde(rename = "loadBalancerCost")]
    load_balancers: Option<String>,
    #[serde(rename = "externalCost")]
    outside: Option<String>,
}

impl Details {
    fn of(details: &Value) -> Self {
        details.as_text().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }

    fn beside_nodes(&self) -> Decimal {
        let parts = [&self.volumes, &self.network, &self.load_balancers, &self.outside];
        let mut sum = DecimalSum::new();
        for part in parts {
            sum.add(amount(part.as_deref()));
        }
        sum.total().unwrap_or(Decimal::ZERO)
    }
}

fn amount(text: Option<&str>) -> Decimal {
    text.and_then(|text| Decimal::parse(text).ok()).unwrap_or(Decimal::ZERO)
}

/// The costs of a cluster that begin in an interval (µs since 1970 UTC, end exclusive), whether or not they count in totals. If several exports
/// cover the same time, only the costs of the one that counts.
pub fn tool_costs(
    rows: &Transaction<'_>,
    account: Uuid,
    (from, until): (i64, i64),
) -> Result<Vec<ToolCost>, StoreError> {
    let columns =
        ["import_id", "date", "period_end", "unit", "amount", "service_name", "cloud_resource_id", "details"];
    let conditions = [
        eq("cloud_account", account),
        ge("date", ValueRef::Timestamp(from)),
        lt("date", ValueRef::Timestamp(until)),
    ];
    let mut costs: Vec<(Key, ToolCost)> = Vec::new();
    rows.for_each(SPENDS, &columns, &conditions, |row| {
        let [import, date, end, unit, Value::Decimal(amount), service, resource, details] = row.as_slice()
        else {
            return Ok(());
        };
        costs.push(cost(account, [import, date, end, unit, service, resource, details], *amount));
        Ok::<_, StoreError>(())
    })?;
    let imports: BTreeSet<Uuid> = costs.iter().map(|(key, _)| key.import).collect();
    if imports.len() < 2 {
        return Ok(costs.into_iter().map(|(_, cost)| cost).collect());
    }
    let duplicates = find_duplicates(rows, account, &imports, &costs)?;
    Ok(costs.into_iter().filter(|(key, _)| !duplicates.contains(key)).map(|(_, cost)| cost).collect())
}

fn cost(
    account: Uuid,
    [import, date, end, unit, service, resource, details]: [&Value; 7],
    total: Decimal,
) -> (Key, ToolCost) {
    let details = Details::of(details);
    let start = date.as_int().unwrap_or_default();
    let cost = ToolCost {
        start,
        end: end.as_int().unwrap_or(start).max(start + 1),
        currency: unit.as_text().unwrap_or_default().to_owned(),
        service: service.as_text().unwrap_or_default().to_owned(),
        resource: resource.as_uuid(),
        machine: details.machine.as_deref().and_then(name_of_machine),
        amount: total,
        shared: amount(details.shared.as_deref()),
        beside_nodes: details.beside_nodes(),
    };
    let key = Key {
        account,
        import: import.as_uuid().unwrap_or_default(),
        start,
        end: cost.end,
        currency: cost.currency.clone(),
        is_left_out: false,
        service: cost.service.clone(),
    };
    (key, cost)
}

fn find_duplicates(
    rows: &Transaction<'_>,
    account: Uuid,
    imports: &BTreeSet<Uuid>,
    costs: &[(Key, ToolCost)],
) -> Result<BTreeSet<Key>, StoreError> {
    let of_these = one_of("id", imports.iter().map(|import| (*import).into()).collect());
    let found = rows.select("imports", &["id", "sequence"], &[of_these])?;
    let sequence: HashMap<Uuid, i64> =
        found.iter().filter_map(|row| Some((row.first()?.as_uuid()?, row.get(1)?.as_int()?))).collect();
    let mut sums: BTreeMap<&Key, DecimalSum> = BTreeMap::new();
    let mut parts = duplicates::Resources::new();
    for (key, cost) in costs {
        sums.entry(key).or_default().add(cost.amount);
        let of_account = parts.entry(account).or_default();
        of_account.entry(key.import).or_default().extend(cost.resource);
    }
    let sums = sums.into_iter().map(|(key, sum)| (key, sum.total().unwrap_or(Decimal::ZERO)));
    duplicates::find_duplicates(rows, sums, &parts, &sequence)
}
