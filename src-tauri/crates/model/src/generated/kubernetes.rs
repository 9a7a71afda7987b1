//! Tables and lookups of `schema/tables/kubernetes.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// What a cluster asks for and uses: the latest measurement of every part, added up. Memory and network in MiB, processors in cores.
    K8sAccountResourceUsage in k8s_account_resource_usage {
        tenant_id: Option<Uuid>,
        cloud_account_id: Option<Uuid>,
        /// Processors its parts ask for.
        avg_cpu_request: Option<f64>,
        /// Processors its parts use.
        avg_cpu_usage: Option<f64>,
        /// Traffic out.
        avg_egress: Option<f64>,
        /// Traffic in.
        avg_ingress: Option<f64>,
        /// Memory its parts ask for.
        avg_mem_request: Option<f64>,
        /// Memory its parts use.
        avg_mem_usage: Option<f64>,
    }
}

table! {
    /// A namespace of a cluster.
    K8sNamespace in k8s_namespaces {
        tenant_id: String,
        /// The cluster.
        cloud_account_id: String,
        name: String,
        creation_time: Option<Timestamp>,
        /// Whether it was there at the latest look.
        is_active: bool,
        pod_count: Option<i64>,
        workload_count: Option<i64>,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// A machine of a cluster.
    K8sNode in k8s_nodes {
        tenant_id: Uuid,
        /// The cluster.
        cloud_account_id: Id<CloudAccount>,
        cloud_resource_id: Uuid,
        /// What the cluster says of its health.
        conditions: Option<String>,
        /// Per hour.
        cost: Option<Decimal>,
        /// Cores that work may use.
        cpu_allocatable: f64,
        /// Cores it has.
        cpu_capacity: f64,
        /// Cores its pods may use at most.
        cpu_limits: Option<f64>,
        external_ip: Option<String>,
        internal_ip: Option<String>,
        /// Whether it was there at the latest look.
        is_active: bool,
        labels: Option<Json>,
        /// MiB that work may use.
        memory_allocatable: i64,
        /// MiB it has.
        memory_capacity: i64,
        /// MiB its pods may use at most.
        memory_limits: Option<i64>,
        meta: Option<Json>,
        name: String,
        node_creation_time: Option<Timestamp>,
        /// Type of machine, as its provider spells it.
        node_flavor: Option<String>,
        node_region: Option<String>,
        /// How it is bought, such as spot.
        node_type: Option<String>,
        node_zone: Option<String>,
        /// What keeps work away from it.
        taints: Option<String>,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// A pod of a cluster.
    K8sPod in k8s_pods {
        tenant_id: Uuid,
        /// The cluster.
        cloud_account_id: Id<CloudAccount>,
        cloud_resource_id: Uuid,
        creation_time: Option<Timestamp>,
        /// The cluster's own id.
        external_id: String,
        /// Whether it was there at the latest look.
        is_active: bool,
        labels: Option<Json>,
        last_seen: Timestamp,
        meta: Option<Json>,
        name: String,
        namespace: String,
        node_name: Option<String>,
        /// Restarts, by container.
        restart_count: Option<Json>,
        status: String,
        /// What started it.
        workload_name: Option<String>,
        /// Kind of what started it.
        workload_type: Option<String>,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// A deployment, stateful set, daemon set, job or the like.
    K8sWorkload in k8s_workloads {
        tenant_id: Uuid,
        /// The cluster.
        cloud_account_id: Uuid,
        cloud_resource_id: Uuid,
        creation_time: Option<Timestamp>,
        /// The cluster's own id.
        external_id: String,
        /// Whether it was there at the latest look.
        is_active: bool,
        /// Deployment, StatefulSet, DaemonSet, Job, …
        kind: String,
        labels: Json,
        last_seen: Timestamp,
        /// The rest of its definition, containers among it.
        meta: Json,
        name: String,
        namespace: String,
        ready_pods: i64,
        total_pods: i64,
        /// The contract's name for one workload; the key is the cluster, the resource and the tenant.
        id: Uuid,
        /// State in the cluster's words.
        status: Option<String>,
        /// Cores all its containers ask for.
        cpu_request: Option<f64>,
        /// Cores all its containers may use at most.
        cpu_limit: Option<f64>,
        /// MiB all its containers ask for.
        memory_request: Option<f64>,
        /// MiB all its containers may use at most.
        memory_limit: Option<f64>,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// What a newer dump of a cluster says differently about an object: two dumps compared, field by field.
    K8sChange in k8s_changes by id {
        id: Id<K8sChange>,
        tenant_id: Id<Tenant>,
        /// The cluster.
        cloud_account_id: Id<CloudAccount>,
        /// The object, among resources.
        cloud_resource_id: Uuid,
        /// The import of the newer dump. Its undo takes the comparison away.
        import_id: Uuid,
        change: K8sChangeType,
        /// Deployment, Service, ConfigMap, …
        kind: String,
        /// Null for what belongs to the whole cluster.
        namespace: Option<String>,
        name: String,
        /// When the newer dump was taken.
        observed_at: Timestamp,
        /// When the older dump was taken.
        previous_at: Timestamp,
        /// Of an object that changed: `[{path, before, after}]`, at most 100, longer texts cut to 1,000 characters. `before` is missing where the field was added, `after`
        /// where it was removed. Items of a list go by their `name`, `type` or `key` where all have one, else by their number. Masked values are equal, whatever they were.
        fields: Json,
        /// How many fields changed.
        field_count: i64,
    }
}

table! {
    /// Measurements of a cluster's parts, with the names they go by.
    K8sMeasurement in k8s_measurements by id {
        id: Id<K8sMeasurement>,
        tenant_id: Option<Uuid>,
        cloud_account_id: Option<Uuid>,
        metric: String,
        timestamp: Timestamp,
        value: f64,
        workload_type: Option<String>,
        workload_name: Option<String>,
        namespace_name: Option<String>,
        pod_name: Option<String>,
        node_name: Option<String>,
        workload_fqdn: Option<String>,
        pod_fqdn: Option<String>,
    }
}

table! {
    /// A cluster: what its active nodes have, and how much runs there.
    K8sCluster in k8s_clusters {
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        node_count: i64,
        node_spot_count: i64,
        /// Cores.
        node_cpu_capacity: Option<f64>,
        node_cpu_allocatable: Option<f64>,
        /// MiB.
        node_memory_capacity: Option<i64>,
        node_memory_allocatable: Option<i64>,
        /// Active workloads by kind.
        workload_type_counts: Option<Json>,
        /// Active pods by status.
        pod_status_counts: Option<Json>,
    }
}

table! {
    /// Namespaces with the number of active pods in them.
    K8sNamespacesCounted in k8s_namespaces_counted {
        tenant_id: String,
        cloud_account_id: String,
        name: String,
        is_active: bool,
        workload_count: Option<i64>,
        pod_count: i64,
        creation_time: Option<Timestamp>,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// Workloads with what goes wrong in them.
    K8sWorkloadsWatched in k8s_workloads_watched {
        tenant_id: Uuid,
        account_id: Uuid,
        account_name: String,
        namespace: String,
        name: String,
        workload_id: Uuid,
        ready_pods: i64,
        total_pods: i64,
        creation_time: Option<Timestamp>,
        event_count: i64,
        pod_error_count: i64,
        application_error_count: i64,
        failed_slo_count: i64,
        total_slo_count: Option<i64>,
    }
}

table! {
    /// Workloads whose pods should be larger or smaller.
    K8sWorkloadsToRightsize in k8s_workloads_to_rightsize {
        tenant_id: Uuid,
        account_id: Uuid,
        namespace: String,
        workload_name: String,
        creation_time: Option<Timestamp>,
        recommendation_count: i64,
    }
}

lookup! {
    /// A version of Kubernetes and the day it was released.
    K8sRelease {
        /// Kubernetes 1.24, released on 2022-05-03.
        V124 = "v1_24",
        /// Kubernetes 1.25, released on 2022-08-23.
        V125 = "v1_25",
        /// Kubernetes 1.26, released on 2022-12-09.
        V126 = "v1_26",
        /// Kubernetes 1.27, released on 2023-04-11.
        V127 = "v1_27",
        /// Kubernetes 1.28, released on 2023-08-15.
        V128 = "v1_28",
        /// Kubernetes 1.29, released on 2023-12-13.
        V129 = "v1_29",
        /// Kubernetes 1.30, released on 2024-04-17.
        V130 = "v1_30",
        /// Kubernetes 1.31, released on 2024-08-13.
        V131 = "v1_31",
        /// Kubernetes 1.32, released on 2024-12-11.
        V132 = "v1_32",
        /// Kubernetes 1.33, released on 2025-04-23.
        V133 = "v1_33",
        /// Kubernetes 1.34, released on 2025-08-27.
        V134 = "v1_34",
        /// Kubernetes 1.35, released on 2025-12-17.
        V135 = "v1_35",
        /// Kubernetes 1.36, released on 2026-04-22.
        V136 = "v1_36",
        /// Kubernetes 1.37, released on 2026-08-26.
        V137 = "v1_37",
    }
}

table! {
    /// A version of Kubernetes and the day it was released.
    K8sReleaseRow in k8s_release by name {
        name: String,
        version: String,
        release_date: String,
    }
}

lookup! {
    /// Whose prices costs are at.
    K8sClusterCostsPrices {
        /// What the bill charges for the nodes.
        Bill = "BILL",
        /// Those of OpenCost or Kubecost: list prices, unless somebody set others.
        Tool = "TOOL",
    }
}

lookup! {
    /// Why costs of a cluster are not at the bill of its nodes.
    K8sClusterCostsReason {
        /// No tool told any costs of the cluster on these days.
        NoCosts = "NO_COSTS",
        /// No node has an id of its cloud (`spec.providerID`), and no cost names a machine.
        NoProviderId = "NO_PROVIDER_ID",
        /// No bill charges for a node of the cluster on these days.
        NoNodeBilled = "NO_NODE_BILLED",
        /// Some nodes are on no bill: `about` names them.
        SomeNodesBilled = "SOME_NODES_BILLED",
        /// The tool and the bill are not in one currency: `about` names all of them.
        Currencies = "CURRENCIES",
        /// No day is told whole by the tool and by the bill.
        NoCommonTime = "NO_COMMON_TIME",
        /// The bill or the costs come to nothing.
        NothingToDivide = "NOTHING_TO_DIVIDE",
    }
}

lookup! {
    /// What a cost of a cluster is of.
    K8sClusterCostKind {
        /// A workload, pod, namespace or node.
        Work = "WORK",
        /// Capacity of nodes that nothing asked for.
        Idle = "IDLE",
        /// What the tool dealt out of shared namespaces.
        Shared = "SHARED",
        /// What the tool could give to nothing: volumes of no pod, costs without a namespace or an owner.
        Unassigned = "UNASSIGNED",
    }
}

lookup! {
    /// How two dumps of a cluster differ in an object.
    K8sChangeType {
        /// It was created after the older dump.
        Added = "Added",
        /// Both have it, with other fields.
        Changed = "Changed",
        /// The newer dump lists all of its kind and does not have it.
        Removed = "Removed",
    }
}
