//! Types of `schema/operations/kubernetes.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct K8sClusterCostsRequest {
    /// The cluster.
    pub account_id: Uuid,
    /// The first day, UTC.
    pub from: String,
    /// The last day, UTC.
    pub to: String,
    /// Which cost of the bill: `billed` (when left out), or `effective`: with what was paid ahead spread over what it covers.
    pub metric: Option<String>,
}

#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct K8sClusterCostsResponse {
    pub prices: K8sClusterCostsPrices,
    /// Why the costs are not at the bill; null when they are.
    pub reason: Option<K8sClusterCostsReason>,
    /// What the reason is about: nodes that are on no bill, or the currencies.
    pub about: Vec<String>,
    /// The first day of the costs, UTC: at the bill, the first that the tool and the bill both tell. Null without costs.
    pub from: Option<String>,
    /// The last day of them.
    pub to: Option<String>,
    /// So many whole days that both tell; null when the costs are not at the bill.
    pub days: Option<i64>,
    /// The currency of the bill and of the tool; null when the costs are not at the bill.
    pub currency: Option<String>,
    /// What the bill charges for the nodes on these days: the sum of `amount` of all lines. Null when the costs are not at the bill, as are the next three.
    pub billed: Option<Number>,
    /// What the tool says these nodes cost on these days: the sum of `tool` of all lines, without those below zero.
    pub tool: Option<Number>,
    /// billed ÷ tool, to six digits after the point: what each cost of the tool was multiplied by.
    pub factor: Option<Number>,
    /// Charges of the nodes over longer times than these days, of which a part would have to be guessed: in no sum.
    pub left_out: Option<Number>,
    /// The nodes that the bill charges for.
    pub nodes: Vec<K8sNodeBill>,
    pub lines: Vec<K8sClusterCost>,
}

/// A machine of a cluster on the bill.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct K8sNodeBill {
    /// The node, where a dump of the cluster names it.
    pub resource_id: Option<String>,
    /// The name of the node, else that of its machine.
    pub name: String,
    pub amount: Number,
}

/// What a part of a cluster cost.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct K8sClusterCost {
    pub kind: K8sClusterCostKind,
    /// The workload, pod or node; null for what is of none.
    pub resource_id: Option<String>,
    /// The namespace, or what the tool calls that which is of none.
    pub namespace: String,
    pub currency: String,
    /// What it cost at the prices that the answer is at. At the bill it is its part of what the nodes cost.
    pub amount: Number,
    /// What the tool says it used of the nodes (CPU, memory, GPU).
    pub tool: Number,
    /// What the tool says of its volumes, network and load balancers. At the bill it is not in `amount`: charges of nodes do not tell it.
    pub beside_nodes: Number,
}
