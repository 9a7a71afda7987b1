//! Reads costs, nodes and charges for the calculation.

use analysis::cluster_costs::{Node, NodeCharge, Part, PartKind, ToolCost, Window};
use catalogue::{Decimal, DecimalSum};
use graphql::Refusal;
use ingest::{name_of_machine, resources_of_machines, tool_costs};
use model::tables::{k8s_nodes, spends};
use model::{Id, Json, Read, Timestamp, row};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use store::Transaction;
use uuid::Uuid;

row! { struct NodeRow from k8s_nodes { cloud_resource_id, name, is_active, node_creation_time, meta } }
row! { struct ChargeRow from spends { id } }

/// The amount of a charge that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    Billed,
    /// The effective cost; the billed cost if the file has no effective cost.
    Effective,
}

/// A node and its resource id.
pub(super) struct ClusterNode {
    pub node: Node,
    pub resource: Uuid,
}

/// Resources per query.
const AT_ONCE: usize = 500;
/// The length assumed for a charge without an end: one day.
const DAY: i64 = 86_400_000_000;
/// A charge may begin this long before the requested days and still overlap them.
const LONGEST: i64 = 31 * DAY;

#[derive(Default, Deserialize)]
#[serde(default)]
struct NodeMeta {
    provider_id: Option<String>,
}

/// The costs of the parts of the cluster, as tools reported them.
pub(super) fn costs(rows: &Transaction<'_>, cluster: Uuid, days: Window) -> Result<Vec<ToolCost>, Refusal> {
    let mut costs = Vec::new();
    for cost in tool_costs(rows, cluster, (days.start, days.end))? {
        let window = Window { start: cost.start, end: cost.end };
        let nodes = cost.amount.checked_sub(cost.beside_nodes).and_then(|rest| rest.checked_sub(cost.shared));
        let kind = if cost.is_idle() {
            PartKind::Idle
        } else if ["__unmounted__", "__unallocated__"].iter().any(|name| cost.service.ends_with(name)) {
            PartKind::Unassigned
        } else {
            PartKind::Work
        };
        if !cost.shared.is_zero() {
            let part = Part { kind: PartKind::Shared, namespace: String::new(), resource: None };
            costs.push(ToolCost {
                window,
                currency: cost.currency.clone(),
                part,
                machine: None,
                nodes: cost.shared,
                beside_nodes: Decimal::ZERO,
            });
        }
        costs.push(ToolCost {
            window,
            currency: cost.currency,
            part: Part { kind, namespace: cost.service, resource: cost.resource },
            machine: cost.machine,
            nodes: nodes.unwrap_or(cost.amount),
            beside_nodes: cost.beside_nodes,
        });
    }
    Ok(costs)
}

/// All nodes of the cluster, including deleted ones.
pub(super) fn nodes(rows: &Transaction<'_>, cluster: Uuid) -> Result<Vec<ClusterNode>, Refusal> {
    let of_cluster = k8s_nodes::cloud_account_id.eq(cluster);
    let found = rows.query::<NodeRow>().filter(of_cluster).order(k8s_nodes::name.asc()).rows()?;
    let node = |row: NodeRow| {
        let meta: NodeMeta = row.meta.as_ref().and_then(|meta: &Json| meta.parse().ok()).unwrap_or_default();
        let node = Node {
            name: row.name,
            machine: meta.provider_id.as_deref().and_then(name_of_machine),
            is_there: row.is_active,
            created: row.node_creation_time.map(Timestamp::micros),
        };
        ClusterNode { node, resource: row.cloud_resource_id }
    };
    Ok(found.into_iter().map(node).collect())
}

/// The charges on bills for the machines of the cluster.
pub(super) fn charges(
    rows: &Transaction<'_>,
    costs: &[ToolCost],
    nodes: &[ClusterNode],
    days: Window,
    metric: Metric,
) -> Result<Vec<NodeCharge>, Refusal> {
    let of_nodes = nodes.iter().filter_map(|node| node.node.machine.clone());
    let machines: BTreeSet<String> =
        of_nodes.chain(costs.iter().filter_map(|cost| cost.machine.clone())).collect();
    let machine_of: HashMap<Uuid, String> = resources_of_machines(rows, &machines)?.into_iter().collect();
    let resources: BTreeSet<Uuid> = machine_of.keys().copied().collect();
    let resources: Vec<Uuid> = resources.into_iter().collect();
    let mut charges = Vec::new();
    for some in resources.chunks(AT_ONCE) {
        let of_machines = spends::cloud_resource_id
            .one_of(some.iter().copied().map(Id::new))
            .and(spends::date.ge(Timestamp(days.start - LONGEST)))
            .and(spends::date.lt(Timestamp(days.end)))
            .and(spends::exclude_aggregate.is_null().or(spends::exclude_aggregate.eq(false)));
        let groups = rows.query::<ChargeRow>().filter(of_machines).group((
            spends::cloud_resource_id.key(),
            spends::date.key(),
            spends::period_end.key(),
            spends::unit.key(),
            spends::amount.sum(),
            spends::effective_cost.sum(),
        ));
        for (resource, start, end, unit, billed, effective) in groups.rows()? {
            let Some(machine) = resource.and_then(|id| machine_of.get(&id.uuid())) else { continue };
            let start = start.micros();
            let end = end.map(Timestamp::micros).filter(|end| *end > start).unwrap_or(start + DAY);
            let amount = match metric {
                Metric::Effective => effective.or(billed),
                Metric::Billed => billed,
            };
            if end > days.start {
                charges.push(NodeCharge {
                    window: Window { start, end },
                    currency: unit.unwrap_or_default(),
                    machine: machine.clone(),
                    amount: amount.unwrap_or(Decimal::ZERO),
                });
            }
        }
    }
    Ok(charges)
}

/// The exact sum.
pub(super) fn total(amounts: impl Iterator<Item = Decimal>) -> Result<Decimal, Refusal> {
    let mut sum = DecimalSum::new();
    for amount in amounts {
        sum.add(amount);
    }
    sum.total().ok_or_else(|| {
        Refusal::new("data-exception", "the amounts need more than 38 digits: narrow the days down")
    })
}
