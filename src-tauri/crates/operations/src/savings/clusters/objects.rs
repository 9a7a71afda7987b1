//! Reads nodes, workloads and pods of a cluster.

use crate::inventory::containers::{ContainerMeta, MIB};
use analysis::savings::{Cluster, Container, Node, Owner, Pod, Workload};
use graphql::Refusal;
use model::tables::{k8s_nodes, k8s_pods, k8s_workloads};
use model::{Json, Read, Timestamp, row};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use store::Transaction;
use uuid::Uuid;

row! {
    struct NodeRow from k8s_nodes {
        cloud_resource_id, name, cpu_allocatable, memory_allocatable, node_type, taints, labels, meta, cpu_limits
    }
}
row! {
    struct WorkloadRow from k8s_workloads {
        cloud_resource_id, kind, namespace, name, total_pods, ready_pods, last_seen, meta
    }
}
row! {
    struct PodRow from k8s_pods {
        cloud_resource_id, namespace, name, status, node_name, workload_type, workload_name, restart_count, creation_time,
        last_seen, meta
    }
}

/// Labels of control-plane nodes.
const CONTROL_PLANE: [&str; 2] = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

/// The data in `meta` that an import stores for a pod, a pod template or a node.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    containers: Vec<ContainerMeta>,
    owner: Option<Value>,
    uses: Vec<UsedObject>,
    phase: Option<String>,
    message: Option<String>,
    last_end: Option<String>,
    local_storage: bool,
    bound_to_nodes: bool,
    provider_id: Option<String>,
    unschedulable: bool,
}

#[derive(Deserialize)]
struct UsedObject {
    kind: String,
}

/// The active objects, and when the newest of them was seen.
pub fn read(rows: &Transaction<'_>, account: Uuid) -> Result<Cluster, Refusal> {
    let mut cluster = Cluster { account, ..Cluster::default() };
    let active = k8s_nodes::cloud_account_id.eq(account).and(k8s_nodes::is_active.eq(true));
    let nodes = rows.query::<NodeRow>().filter(active).order(k8s_nodes::name.asc()).rows()?;
    cluster.nodes = nodes.into_iter().map(node).collect();
    let active = k8s_workloads::cloud_account_id.eq(account).and(k8s_workloads::is_active.eq(true));
    let workloads = rows.query::<WorkloadRow>().filter(active).order(k8s_workloads::name.asc()).rows()?;
    for row in workloads {
        cluster.seen_at = cluster.seen_at.max(row.last_seen.micros());
        cluster.workloads.push(workload(row));
    }
    let active = k8s_pods::cloud_account_id.eq(account).and(k8s_pods::is_active.eq(true));
    let pods = rows.query::<PodRow>().filter(active).order(k8s_pods::name.asc()).rows()?;
    for row in pods {
        cluster.seen_at = cluster.seen_at.max(row.last_seen.micros());
        cluster.pods.push(pod(row));
    }
    Ok(cluster)
}

fn meta(meta: Option<&Json>) -> Meta {
    meta.and_then(|meta| meta.parse().ok()).unwrap_or_default()
}

fn node(row: NodeRow) -> Node {
    let meta = meta(row.meta.as_ref());
    let labels: Map<String, Value> = row.labels.and_then(|labels| labels.parse().ok()).unwrap_or_default();
    let (cloud, machine) = meta.provider_id.as_deref().map_or((None, None), machine);
    Node {
        resource: row.cloud_resource_id,
        name: row.name,
        cpu: milli(row.cpu_allocatable),
        memory: row.memory_allocatable.saturating_mul(1 << 20),
        cloud,
        machine,
        is_spot: row.node_type.as_deref() == Some("spot"),
        is_closed: meta.unschedulable || CONTROL_PLANE.iter().any(|label| labels.contains_key(*label)),
        taints: row.taints,
        // Only a dump that lists all pods of the cluster has the sum of their limits.
        has_all_pods: row.cpu_limits.is_some(),
    }
}

/// The cloud and its id of the machine, from a provider id such as `aws:///eu-west-1a/i-0abc`.
fn machine(provider_id: &str) -> (Option<String>, Option<String>) {
    let clouds = ["aws", "gce", "azure"];
    let Some((cloud, rest)) = provider_id.split_once("://").filter(|(cloud, _)| clouds.contains(cloud))
    else {
        return (None, None);
    };
    let name = rest.rsplit('/').next().filter(|name| !name.is_empty());
    (Some(cloud.to_owned()), name.map(str::to_owned))
}

fn workload(row: WorkloadRow) -> Workload {
    let meta = meta(Some(&row.meta));
    Workload {
        resource: row.cloud_resource_id,
        owner: Owner { namespace: row.namespace, kind: row.kind, name: row.name },
        desired_pods: row.total_pods,
        ready_pods: row.ready_pods,
        is_owned: meta.owner.is_some(),
        claims_volume: claims_volume(&meta),
        containers: containers(meta.containers),
    }
}

fn pod(row: PodRow) -> Pod {
    let meta = meta(row.meta.as_ref());
    let owner = row.workload_type.zip(row.workload_name).map(|(kind, name)| Owner {
        namespace: row.namespace.clone(),
        kind,
        name,
    });
    let restarts: BTreeMap<String, i64> =
        row.restart_count.and_then(|counts| counts.parse().ok()).unwrap_or_default();
    Pod {
        resource: row.cloud_resource_id,
        namespace: row.namespace,
        name: row.name,
        status: row.status,
        node: row.node_name,
        owner,
        restarts,
        created_at: row.creation_time.map(Timestamp::micros),
        is_over: matches!(meta.phase.as_deref(), Some("Succeeded" | "Failed")),
        claims_volume: claims_volume(&meta),
        has_local_storage: meta.local_storage,
        is_bound_to_nodes: meta.bound_to_nodes,
        last_end: meta.last_end,
        message: meta.message,
        containers: containers(meta.containers),
    }
}

fn claims_volume(meta: &Meta) -> bool {
    meta.uses.iter().any(|used| used.kind == "PersistentVolumeClaim")
}

fn containers(containers: Vec<ContainerMeta>) -> Vec<Container> {
    let one = |container: ContainerMeta| Container {
        name: container.name,
        is_init: container.init,
        cpu_request: container.requests.cpu.map(milli),
        memory_request: container.requests.memory.map(bytes),
        memory_limit: container.limits.memory.map(bytes),
    };
    containers.into_iter().map(one).collect()
}

/// Cores as thousandths of a core. Stored values are thousandths divided by 1,000, so rounding is exact.
#[expect(clippy::cast_possible_truncation, reason = "a machine has far fewer cores than an i64 counts")]
pub fn milli(cores: f64) -> i64 {
    (cores * 1_000.0).round() as i64
}

#[expect(clippy::cast_possible_truncation, reason = "a machine has far less memory than an i64 counts")]
fn bytes(mebibytes: f64) -> i64 {
    (mebibytes * MIB).round() as i64
}
