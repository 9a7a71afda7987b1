//! The cost of the parts of a cluster at the billed price of its nodes. Pure functions.
//!
//! OpenCost and Kubecost report costs at their own prices, which are list prices unless configured otherwise. The bill contains the actual cost
//! of the nodes. For the time that both cover, the nodes' bill is divided in proportion to the tool's node cost of each part, including idle
//! capacity: every part costs `tool's cost × bill ÷ sum of the tool's costs`. The parts add up to the bill exactly. The remainder rule is that of
//! [`split`](crate::allocation::split): truncate to the last digit of the bill (at least the minor unit of its currency), and give the remainder
//! to the parts that lost most by truncation.
//!
//! Costs that do not belong to nodes (volumes, network, load balancers) are not scaled: no charge of a node covers them.

mod time;

use crate::allocation::split;
use catalogue::{Decimal, DecimalSum};
use std::collections::{BTreeMap, BTreeSet};
pub use time::Window;
use time::{DAY, common};
use uuid::Uuid;

/// The kind of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// A workload, pod, namespace or node.
    Work,
    /// Capacity of nodes that nothing requested.
    Idle,
    /// Cost of shared namespaces that a tool distributed.
    Shared,
    /// Cost that a tool could not assign: volumes without a pod, costs without a namespace or an owner.
    Unassigned,
}

/// A part of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub kind: PartKind,
    /// The namespace, or the tool's name for cost without one.
    pub namespace: String,
    pub resource: Option<Uuid>,
}

/// The cost of a part in a time window, as reported by a tool.
#[derive(Debug, Clone)]
pub struct ToolCost {
    pub window: Window,
    pub currency: String,
    pub part: Part,
    /// The machine on which it ran, according to the tool.
    pub machine: Option<String>,
    /// Cost of nodes: CPU, memory, GPU.
    pub nodes: Decimal,
    /// Cost of volumes, network and load balancers.
    pub beside_nodes: Decimal,
}

/// A charge for a machine.
#[derive(Debug, Clone)]
pub struct NodeCharge {
    pub window: Window,
    pub currency: String,
    pub machine: String,
    pub amount: Decimal,
}

/// A node, as in the dumps of a cluster.
#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    /// The cloud's name of the machine; `None` without `spec.providerID`.
    pub machine: Option<String>,
    /// Whether it is in the newest dump.
    pub is_there: bool,
    /// µs since 1970 UTC.
    pub created: Option<i64>,
}

/// The reason why costs stay at the tool's prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAtBill {
    /// No tool reported any costs.
    NoCosts,
    /// No node has a cloud id, and no cost names a machine.
    NoProviderId,
    /// No bill has a charge for a node of the cluster in this time.
    NoNodeBilled,
    /// The tool and the bill have different currencies, or one of them has several.
    Currencies(BTreeSet<String>),
    /// There is no time window that both cover completely.
    NoCommonTime,
    /// These nodes are not on any bill.
    SomeNodesBilled(Vec<String>),
    /// The bill or the costs are zero or negative, or need more than 38 digits.
    NothingToDivide,
}

/// A part at billed prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartAtBill {
    pub part: Part,
    /// The tool's node cost of the part.
    pub tool: Decimal,
    /// The part's share of the nodes' bill.
    pub billed: Decimal,
    /// Cost of volumes, network and load balancers, at the tool's prices.
    pub beside_nodes: Decimal,
}

/// Costs at billed prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostsAtBill {
    pub currency: String,
    /// From the start of the first time window that both cover to the end of the last.
    pub span: Window,
    /// The number of whole days within `span` that both cover.
    pub days: i64,
    /// The billed cost of the nodes: the sum of `billed` of all parts.
    pub billed: Decimal,
    /// The tool's cost of the nodes: the sum of `tool` of all parts, without negative ones.
    pub tool: Decimal,
    /// Charges of the nodes for periods that extend beyond the common time. The part within it is unknown, so that these are not included in any
    /// sum.
    pub left_out: Decimal,
    pub parts: Vec<PartAtBill>,
    /// Billed cost by machine.
    pub nodes: BTreeMap<String, Decimal>,
}

/// Divides the bill of a cluster's nodes among its parts.
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

/// The common currency of costs and charges.
fn one_currency(costs: &[&ToolCost], charges: &[&NodeCharge]) -> Result<String, NotAtBill> {
    let of_costs = costs.iter().map(|cost| &cost.currency);
    let all: BTreeSet<String> =
        of_costs.chain(charges.iter().map(|charge| &charge.currency)).cloned().collect();
    match all.first() {
        Some(currency) if all.len() == 1 => Ok(currency.clone()),
        _ => Err(NotAtBill::Currencies(all)),
    }
}

/// Nodes and machines that are not on the bill but should be: nodes of the newest dump that were created before the end, and machines that costs
/// name. Idle costs are ignored, because OpenCost gives them the name of a node as machine.
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

/// The bill divided among the parts. A part with negative cost (idle cost of a tool that counted some cost twice) gets nothing.
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
