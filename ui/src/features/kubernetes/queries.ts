import { graphql } from '@/api';

/** The clusters, and how much there is in each. */
export const Clusters = graphql(`
  query KubernetesClusters($firing: events_bool_exp!) {
    cloud_accounts(
      where: { _or: [{ cloud_provider: { _eq: K8s } }, { account_type: { _ilike: "kubernetes" } }] }
      order_by: [{ account_name: asc }]
    ) {
      id
      account_name
      account_number
      account_env
      region
      synced_at
      agents {
        id
        status
        k8s_provider
        k8s_version
        last_connected_at
        last_synced_at
      }
      k8s_nodes_aggregate(where: { is_active: { _eq: true } }) {
        aggregate {
          count
        }
      }
      k8s_pods_aggregate(where: { is_active: { _eq: true } }) {
        aggregate {
          count
        }
      }
      firing: events_aggregate(where: $firing) {
        aggregate {
          count
        }
      }
    }
  }
`);

/** The newest bundle that named an account, without the list of its files. */
export const Bundles = graphql(`
  query KubernetesBundles($report: jsonb!) {
    imports(
      where: {
        format: { _eq: "support-bundle" }
        state: { _in: ["done", "done_with_skips"] }
        report: { _contains: $report }
      }
      order_by: [{ sequence: desc }]
      limit: 1
    ) {
      id
      file_name
      size_bytes
      finished_at
      file_count: report(path: "files.count")
      user {
        display_name
      }
    }
  }
`);

/** The files of a bundle, as the report of its import lists them. */
export const BundleFilesOf = graphql(`
  query KubernetesBundleFiles($id: uuid!) {
    imports(where: { id: { _eq: $id } }, limit: 1) {
      id
      files: report(path: "files")
    }
  }
`);

/** The number of objects of each kind in the latest snapshot of a cluster. */
export const ClusterCounts = graphql(`
  query KubernetesCounts(
    $cluster: uuid!
    $name: String!
    $namespaces: k8s_namespaces_bool_exp!
    $workloads: k8s_workloads_bool_exp!
    $pods: k8s_pods_bool_exp!
    $nodes: k8s_nodes_bool_exp!
  ) {
    namespaces: k8s_namespaces_aggregate(where: $namespaces) {
      aggregate {
        count
      }
    }
    workloads: k8s_workloads_aggregate(where: $workloads) {
      aggregate {
        count
      }
    }
    pods: k8s_pods_aggregate(where: $pods) {
      aggregate {
        count
      }
    }
    nodes: k8s_nodes_aggregate(where: $nodes) {
      aggregate {
        count
      }
    }
    notRunning: k8s_pods_aggregate(
      where: {
        cloud_account_id: { _eq: $cluster }
        is_active: { _eq: true }
        status: { _nin: ["Running", "Succeeded", "Completed"] }
      }
    ) {
      aggregate {
        count
      }
    }
    sums: k8s_workloads_aggregate(where: { cloud_account_id: { _eq: $cluster }, is_active: { _eq: true } }) {
      aggregate {
        sum {
          cpu_request
          memory_request
        }
      }
    }
    capacity: k8s_nodes_aggregate(where: { cloud_account_id: { _eq: $cluster }, is_active: { _eq: true } }) {
      aggregate {
        sum {
          cpu_allocatable
          memory_allocatable
        }
      }
    }
    names: k8s_namespaces(
      where: { cloud_account_id: { _eq: $name }, is_active: { _eq: true } }
      order_by: [{ name: asc }]
      limit: 1000
    ) {
      name
    }
  }
`);

export const NamespacePage = graphql(`
  query KubernetesNamespaces(
    $where: k8s_namespaces_bool_exp!
    $order: [k8s_namespaces_order_by!]!
    $limit: Int!
    $offset: Int!
  ) {
    k8s_namespaces(where: $where, order_by: $order, limit: $limit, offset: $offset) {
      name
      workload_count
      pod_count
      creation_time
      updated_at
    }
  }
`);

export const WorkloadPage = graphql(`
  query KubernetesWorkloads(
    $where: k8s_workloads_bool_exp!
    $order: [k8s_workloads_order_by!]!
    $limit: Int!
    $offset: Int!
  ) {
    k8s_workloads(where: $where, order_by: $order, limit: $limit, offset: $offset) {
      cloud_resource_id
      kind
      namespace
      name
      status
      ready_pods
      total_pods
      replicas
      cpu_request
      cpu_limit
      memory_request
      memory_limit
      labels
      meta
      creation_time
      last_seen
    }
  }
`);

export const PodPage = graphql(`
  query KubernetesPods($where: k8s_pods_bool_exp!, $order: [k8s_pods_order_by!]!, $limit: Int!, $offset: Int!) {
    k8s_pods(where: $where, order_by: $order, limit: $limit, offset: $offset) {
      cloud_resource_id
      namespace
      name
      status
      node_name
      workload_name
      workload_type
      restart_count
      labels
      meta
      creation_time
      last_seen
    }
  }
`);

export const NodePage = graphql(`
  query KubernetesNodes($where: k8s_nodes_bool_exp!, $order: [k8s_nodes_order_by!]!, $limit: Int!, $offset: Int!) {
    k8s_nodes(where: $where, order_by: $order, limit: $limit, offset: $offset) {
      cloud_resource_id
      name
      conditions
      taints
      node_flavor
      node_type
      node_region
      node_zone
      internal_ip
      external_ip
      cpu_allocatable
      cpu_capacity
      cpu_limits
      memory_allocatable
      memory_capacity
      memory_limits
      cost
      labels
      meta
      node_creation_time
      updated_at
    }
  }
`);

/** Average usage of workloads, if measured: cores, and bytes of memory. */
export const WorkloadUse = graphql(`
  query KubernetesUse($cluster: String!) {
    k8s_metrics_groupings_v2(
      columns: ["workload_fqdn", "avg_cpu_used", "avg_memory_used"]
      group_by: ["workload_fqdn"]
      where: { account_id: { _eq: $cluster } }
      limit: 1000
    ) {
      rows {
        workload_fqdn
        avg_cpu_used
        avg_memory_used
      }
    }
  }
`);

/** Events of one object, newest first, and its open recommendations. */
export const ObjectNews = graphql(`
  query KubernetesNews($events: events_bool_exp!, $resource: uuid!) {
    events(where: $events, order_by: [{ starts_at: desc }], limit: 8) {
      id
      title
      status
      priority
      starts_at
    }
    recommendation(
      where: {
        cloud_resourse: { id: { _eq: $resource } }
        is_dismissed: { _eq: false }
        status: { _in: [Open, Assigned, InProgress] }
      }
      limit: 8
    ) {
      id
      rule_name
      category
      estimated_savings
    }
  }
`);

/** An object as it was imported, without secrets. */
export const Manifest = graphql(`
  query KubernetesManifest($id: uuid!) {
    cloud_resourses(where: { id: { _eq: $id } }, limit: 1) {
      id
      last_seen
      meta(path: "manifest")
    }
  }
`);

/** When dumps of a cluster were compared, newest first. */
export const Comparisons = graphql(`
  query KubernetesComparisons($cluster: uuid!) {
    k8s_changes(
      where: { cloud_account_id: { _eq: $cluster } }
      distinct_on: [observed_at]
      order_by: [{ observed_at: desc }]
      limit: 200
    ) {
      observed_at
    }
  }
`);

/** Differences between dumps of a cluster, for all of its objects or one of them. */
export const Changes = graphql(`
  query KubernetesChanges($where: k8s_changes_bool_exp!, $limit: Int!) {
    k8s_changes(
      where: $where
      order_by: [{ observed_at: desc }, { namespace: asc_nulls_first }, { kind: asc }, { name: asc }, { id: asc }]
      limit: $limit
    ) {
      id
      change
      kind
      namespace
      name
      observed_at
      previous_at
      fields
      field_count
      import_id
    }
    k8s_changes_aggregate(where: $where) {
      aggregate {
        count
      }
    }
  }
`);

/** Objects of a cluster whose text contains a word. */
export const Manifests = graphql(`
  query KubernetesManifests($cluster: uuid!, $like: String!, $limit: Int!) {
    cloud_resourses(
      where: {
        account: { _eq: $cluster }
        is_active: { _eq: true }
        meta: { _has_key: "manifest", _cast: { String: { _ilike: $like } } }
      }
      order_by: [{ type: asc }, { external_resource_id: asc }]
      limit: $limit
    ) {
      id
      type
      name
      external_resource_id
      meta(path: "manifest")
    }
  }
`);

/** The newest stored lines of a pod. */
export const PodLines = graphql(`
  query KubernetesPodLines($request: FetchLogRequest!) {
    logs_query(request: $request) {
      timestamp
      severity
      message
    }
  }
`);

/** Costs of accounts, by currency. Clusters have their own costs if an OpenCost export was imported. */
export const ClusterCosts = graphql(`
  query KubernetesClusterCosts($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["account_id", "currency_type", "billed_cost"]
      group_by: ["account_id", "currency_type"]
      where: $where
      limit: 100000
    ) {
      rows {
        account_id
        currency_type
        billed_cost
      }
    }
  }
`);

/** Costs of the parts of a cluster: scaled to the bill of its nodes if that is known. */
export const PartCosts = graphql(`
  query KubernetesPartCosts($request: K8sClusterCostsRequest!) {
    k8s_cluster_costs(request: $request) {
      prices
      reason
      about
      from
      to
      days
      currency
      billed
      tool
      factor
      left_out
      nodes {
        resource_id
        amount
      }
      lines {
        kind
        resource_id
        namespace
        currency
        amount
        tool
        beside_nodes
      }
    }
  }
`);

/** Cost of the nodes of a cluster, if the bill contains it. */
export const ClusterBill = graphql(`
  query KubernetesClusterBill($request: K8sClusterCostsRequest!) {
    k8s_cluster_costs(request: $request) {
      prices
      currency
      billed
    }
  }
`);
