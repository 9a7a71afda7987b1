//! Converts the result to the API's types.

use super::DAY;
use super::read::{ClusterNode, total};
use analysis::cluster_costs::{CostsAtBill, NotAtBill, Part, PartKind, ToolCost};
use catalogue::{Decimal, format_date};
use graphql::Refusal;
use model::operations::{K8sClusterCost, K8sClusterCostsResponse, K8sNodeBill};
use model::{
    K8sClusterCostKind as Kind, K8sClusterCostsPrices as Prices, K8sClusterCostsReason as Reason, Number,
};
use std::collections::BTreeMap;

/// The factor is rounded to six decimal places.
const FACTOR_DIGITS: f64 = 1_000_000.0;

/// Costs at billed prices.
pub(super) fn at_bill(scaled: CostsAtBill, nodes: &[ClusterNode]) -> K8sClusterCostsResponse {
    let factor = scaled.billed.to_f64() / scaled.tool.to_f64();
    let line = |currency: &str, one: analysis::cluster_costs::PartAtBill| {
        line(one.part, currency, [one.billed, one.tool, one.beside_nodes])
    };
    K8sClusterCostsResponse {
        prices: Prices::Bill,
        reason: None,
        about: Vec::new(),
        from: day(scaled.span.start),
        to: day(scaled.span.end - 1),
        days: Some(scaled.days),
        billed: Some(scaled.billed.into()),
        tool: Some(scaled.tool.into()),
        factor: Some(Number::Float((factor * FACTOR_DIGITS).round() / FACTOR_DIGITS)),
        left_out: Some(scaled.left_out.into()),
        nodes: scaled.nodes.into_iter().map(|(machine, amount)| node_bill(machine, amount, nodes)).collect(),
        lines: scaled.parts.into_iter().map(|one| line(&scaled.currency, one)).collect(),
        currency: Some(scaled.currency),
    }
}

/// The billed cost of a machine with its node. The nodes of a scale set are billed as one machine.
fn node_bill(machine: String, amount: Decimal, nodes: &[ClusterNode]) -> K8sNodeBill {
    let mut of_machine = nodes.iter().filter(|one| one.node.machine.as_ref() == Some(&machine));
    let node = of_machine.next().filter(|_| of_machine.next().is_none());
    K8sNodeBill {
        resource_id: node.map(|node| node.resource.to_string()),
        name: node.map(|node| node.node.name.clone()).unwrap_or(machine),
        amount: amount.into(),
    }
}

/// Costs as the tool reported them, by currency, with the reason why they are not at billed prices.
pub(super) fn at_tool(costs: &[ToolCost], why: NotAtBill) -> Result<K8sClusterCostsResponse, Refusal> {
    let (reason, about) = match why {
        NotAtBill::NoCosts => (Reason::NoCosts, Vec::new()),
        NotAtBill::NoProviderId => (Reason::NoProviderId, Vec::new()),
        NotAtBill::NoNodeBilled => (Reason::NoNodeBilled, Vec::new()),
        NotAtBill::SomeNodesBilled(names) => (Reason::SomeNodesBilled, names),
        NotAtBill::Currencies(currencies) => (Reason::Currencies, currencies.into_iter().collect()),
        NotAtBill::NoCommonTime => (Reason::NoCommonTime, Vec::new()),
        NotAtBill::NothingToDivide => (Reason::NothingToDivide, Vec::new()),
    };
    let mut parts: BTreeMap<(&Part, &str), Vec<&ToolCost>> = BTreeMap::new();
    for cost in costs {
        parts.entry((&cost.part, &cost.currency)).or_default().push(cost);
    }
    let line = |((part, currency), costs): ((&Part, &str), Vec<&ToolCost>)| {
        let tool = total(costs.iter().map(|cost| cost.nodes))?;
        let beside_nodes = total(costs.iter().map(|cost| cost.beside_nodes))?;
        let amount = total([tool, beside_nodes].into_iter())?;
        Ok(line(part.clone(), currency, [amount, tool, beside_nodes]))
    };
    Ok(K8sClusterCostsResponse {
        prices: Prices::Tool,
        reason: Some(reason),
        about,
        from: costs.iter().map(|cost| cost.window.start).min().and_then(day),
        to: costs.iter().map(|cost| cost.window.end - 1).max().and_then(day),
        days: None,
        currency: None,
        billed: None,
        tool: None,
        factor: None,
        left_out: None,
        nodes: Vec::new(),
        lines: parts.into_iter().map(line).collect::<Result<_, Refusal>>()?,
    })
}

fn line(part: Part, currency: &str, [amount, tool, beside_nodes]: [Decimal; 3]) -> K8sClusterCost {
    K8sClusterCost {
        kind: match part.kind {
            PartKind::Work => Kind::Work,
            PartKind::Idle => Kind::Idle,
            PartKind::Shared => Kind::Shared,
            PartKind::Unassigned => Kind::Unassigned,
        },
        resource_id: part.resource.map(|id| id.to_string()),
        namespace: part.namespace,
        currency: currency.to_owned(),
        amount: amount.into(),
        tool: tool.into(),
        beside_nodes: beside_nodes.into(),
    }
}

/// The day of a time.
fn day(time: i64) -> Option<String> {
    i32::try_from(time.div_euclid(DAY)).ok().map(format_date)
}
