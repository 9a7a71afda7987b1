//! What the parts of a cluster cost at the bill of its nodes. Values in, values out.
//!
//! OpenCost and Kubecost tell costs at prices of their own, which are list prices unless somebody set others. The bill tells what the nodes did cost. Where
//! both tell the same time, the bill of the nodes is dealt out in proportion to what the tool says that each part used of the nodes, idle capacity
//! included: every part costs `tool's cost × bill ÷ sum of the tool's costs`. The parts add up to the bill exactly; the remainder rule is that of
//! [`split`](crate::allocation::split): cut behind the last digit of the bill (at least the minor unit of its currency), and what is left over goes to those
//! that lost most by the cut.
//!
//! What is for no node (volumes, network, load balancers) is not scaled: no charge of a node tells it.

mod time;

use crate::allocation::split;
use catalogue::{Decimal, DecimalSum};
use std::collections::{BTreeMap, BTreeSet};
pub use time::Window;
use time::{DAY, common};
use uuid::Uuid;

/// What a cost is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// A workload, pod, namespace or node.
    Work,
    /// Capacity of nodes that nothing asked for.
    Idle,
    /// What a tool dealt out of shared namespaces.
    Shared,
    /// What a tool could give to nothing: volumes of no pod, costs without a namespace or an owner.
    Unassigned,
}

/// A part of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub kind: PartKind,
    /// The namespace, or what a tool calls that which is of none.
    pub namespace: String,
    pub resource: Option<Uuid>,
}

/// What a tool says that a part cost in a time.
#[derive(Debug, Clone)]
pub struct ToolCost {
    pub window: Window,
    pub currency: String,
    pub part: Part,
    /// The machine it says it ran on.
    pub machine: Option<String>,
    /// For nodes: CPU, memory, GPU.
    pub nodes: Decimal,
    /// For volumes, network and load balancers.
    pub beside_nodes: Decimal,
}

/// A charge of a machine.
#[derive(Debug, Clone)]
pub struct NodeCharge {
    pub window: Window,
    pub currency: String,
    pub machine: String,
    pub amount: Decimal,
}

/// A node as the dumps of a cluster tell it.
#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    /// The name its cloud has for it; none without `spec.providerID`.
    pub machine: Option<String>,
    /// Whether the newest dump has it.
    pub is_there: bool,
    /// µs since 1970 UTC.
    pub created: Option<i64>,
}

/// Why costs stay at the prices of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAtBill {
    /// No tool tells any.
    NoCosts,
    /// No node has an id of its cloud, and no cost names a machine.
    NoProviderId,
    /// No bill charges for a node of the cluster in this time.
    NoNodeBilled,
    /// The tool and the bill are in different currencies, or one of them in several.
    Currencies(BTreeSet<String>),
    /// No time is told whole by both.
    NoCommonTime,
    /// These nodes are on no bill.
    SomeNodesBilled(Vec<String>),
    /// The bill or the costs come to nothing or less, or need more than 38 digits.
    NothingToDivide,
}

/// A part at the bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartAtBill {
    pub part: Part,
    /// What the tool says it used of the nodes.
    pub tool: Decimal,
    /// Its part of the nodes' bill.
    pub billed: Decimal,
    /// For volumes, network and load balancers, at the tool's prices.
    pub beside_nodes: Decimal,
}

/// Costs at the bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostsAtBill {
    pub currency: String,
    /// From the beginning of the first time that both tell to the end of the last.
    pub span: Window,
    /// So many whole days of it are told by both.
    pub days: i64,
    /// What the bill charges for the nodes: the sum of `billed` of all parts.
    pub billed: Decimal,
    /// What the tool says they cost: the sum of `tool` of all parts, without those below zero.
    pub tool: Decimal,
    /// Charges of the nodes over a longer time than is told by both: their part of it cannot be known, so they are in no sum.
    pub left_out: Decimal,
    pub parts: Vec<PartAtBill>,
    /// By machine.
    pub nodes: BTreeMap<String, Decimal>,
}

/// Deals the bill of a cluster's nodes over its parts.
pub fn scale(costs: &[ToolCost], charges: &[NodeCharge], nodes: &[Node]) -> Result<CostsAtBill, NotAtBill> {
    if costs.is_empty() {
        return Err(NotAtBill::NoCosts);
    }
    let is_unknown = nodes.iter().all(|node| node.machine.is_none());
    if is_unknown && costs.iter().all(|cost| cost.machine.is_none()) {
        return Err(NotAtBill::NoProviderId);
    }
    if charges.is_empty() {
        return Err(NotAtBill::NoNodeBilled);
    }
    let windows: BTreeSet<Window> = costs.iter().map(|cost| cost.window).collect();
    let (windows, spans) = common(windows, &charges.iter().map(|charge| charge.window).collect());
    let Some(span) = spans.whole() else { return Err(NotAtBill::NoCommonTime) };
    let costs: Vec<&ToolCost> = costs.iter().filter(|cost| windows.contains(&cost.window)).collect();
    let (inside, across): (Vec<&NodeCharge>, Vec<&NodeCharge>) = charges
        .iter()
        .filter(|charge| spans.meets(charge.window))
        .partition(|charge| spans.contains(charge.window));
    let currency = one_currency(&costs, &inside)?;
    let by_machine = sums(inside.iter().map(|charge| (charge.machine.clone(), charge.amount)))?;
    let missing = missing(&costs, nodes, &by_machine, span);
    if !missing.is_empty() {
        return Err(NotAtBill::SomeNodesBilled(missing));
    }
    let billed = total(by_machine.values().copied())?;
    let parts = dealt(&costs, billed, &currency, span)?;
    Ok(CostsAtBill {
        span,
        days: spans.length() / DAY,
        billed,
        tool: total(parts.iter().map(|part| part.tool).filter(|tool| !tool.is_negative()))?,
        left_out: total(across.iter().map(|charge| charge.amount))?,
        parts,
        nodes: by_machine,
        currency,
    })
}

/// The currency of all of them.
fn one_currency(costs: &[&ToolCost], charges: &[&NodeCharge]) -> Result<String, NotAtBill> {
    let of_costs = costs.iter().map(|cost| &cost.currency);
    let all: BTreeSet<String> =
        of_costs.chain(charges.iter().map(|charge| &charge.currency)).cloned().collect();
    match all.first() {
        Some(currency) if all.len() == 1 => Ok(currency.clone()),
        _ => Err(NotAtBill::Currencies(all)),
    }
}

/// What has to be on the bill and is not: nodes of the newest dump that were there before the end, and machines that costs name. Idle cost names none: OpenCost
/// gives it the name of a node for a machine.
fn missing(
    costs: &[&ToolCost],
    nodes: &[Node],
    billed: &BTreeMap<String, Decimal>,
    span: Window,
) -> Vec<String> {
    let is_billed = |machine: &String| billed.contains_key(machine);
    let of_dump = nodes
        .iter()
        .filter(|node| node.is_there && node.created.is_none_or(|created| created < span.end))
        .filter(|node| !node.machine.as_ref().is_some_and(is_billed))
        .map(|node| node.name.clone());
    let is_name = |machine: &String| nodes.iter().any(|node| node.name.eq_ignore_ascii_case(machine));
    let of_costs = costs
        .iter()
        .filter(|cost| cost.part.kind != PartKind::Idle)
        .filter_map(|cost| cost.machine.as_ref())
        .filter(|machine| !is_billed(machine) && !is_name(machine))
        .cloned();
    of_dump.chain(of_costs).collect::<BTreeSet<String>>().into_iter().collect()
}

/// The bill dealt over the parts. One whose cost is below zero (idle cost of a tool that counted some of it twice) gets nothing.
fn dealt(
    costs: &[&ToolCost],
    billed: Decimal,
    currency: &str,
    span: Window,
) -> Result<Vec<PartAtBill>, NotAtBill> {
    let tool = sums(costs.iter().map(|cost| (cost.part.clone(), cost.nodes)))?;
    let beside = sums(costs.iter().map(|cost| (cost.part.clone(), cost.beside_nodes)))?;
    if billed.is_negative() || billed.is_zero() {
        return Err(NotAtBill::NothingToDivide);
    }
    let weights: Vec<(String, Decimal)> = tool
        .iter()
        .map(|(part, tool)| {
            let name = format!("{}/{:?}/{:?}", part.namespace, part.kind, part.resource);
            (name, if tool.is_negative() { Decimal::ZERO } else { *tool })
        })
        .collect();
    let day = i32::try_from((span.end - 1).div_euclid(DAY)).unwrap_or_default();
    let shares = split(billed, &weights, (currency, day)).map_err(|_| NotAtBill::NothingToDivide)?;
    let parts = tool.into_iter().zip(shares).map(|((part, tool), share)| {
        let beside_nodes = beside.get(&part).copied().unwrap_or_default();
        PartAtBill { tool, billed: share.amount, beside_nodes, part }
    });
    Ok(parts.collect())
}

fn sums<K: Ord>(amounts: impl Iterator<Item = (K, Decimal)>) -> Result<BTreeMap<K, Decimal>, NotAtBill> {
    let mut sums: BTreeMap<K, DecimalSum> = BTreeMap::new();
    for (key, amount) in amounts {
        sums.entry(key).or_default().add(amount);
    }
    sums.into_iter().map(|(key, sum)| Ok((key, sum.total().ok_or(NotAtBill::NothingToDivide)?))).collect()
}

fn total(amounts: impl Iterator<Item = Decimal>) -> Result<Decimal, NotAtBill> {
    let mut sum = DecimalSum::new();
    for amount in amounts {
        sum.add(amount);
    }
    sum.total().ok_or(NotAtBill::NothingToDivide)
}

#[cfg(test)]
mod tests;
