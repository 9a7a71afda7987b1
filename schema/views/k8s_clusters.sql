-- One row per cluster that has active nodes: what they have, and how many active workloads and pods of each kind there are.
SELECT
  node.tenant_id AS tenant_id,
  node.cloud_account_id AS cloud_account_id,
  count(*) AS node_count,
  sum(CASE WHEN lower(node.node_type) = 'spot' THEN 1 ELSE 0 END) AS node_spot_count,
  sum(node.cpu_capacity) AS node_cpu_capacity,
  sum(node.cpu_allocatable) AS node_cpu_allocatable,
  sum(node.memory_capacity) AS node_memory_capacity,
  sum(node.memory_allocatable) AS node_memory_allocatable,
  (
    SELECT json_group_object(kinds.kind, kinds.number)
    FROM (
      SELECT workload.kind AS kind, count(*) AS number
      FROM k8s_workloads AS workload
      WHERE workload.tenant_id = node.tenant_id
        AND workload.cloud_account_id = node.cloud_account_id
        AND workload.is_active
      GROUP BY workload.kind
      ORDER BY workload.kind
    ) AS kinds
  ) AS workload_type_counts,
  (
    SELECT json_group_object(states.status, states.number)
    FROM (
      SELECT pod.status AS status, count(*) AS number
      FROM k8s_pods AS pod
      WHERE pod.tenant_id = node.tenant_id
        AND pod.cloud_account_id = node.cloud_account_id
        AND pod.is_active
      GROUP BY pod.status
      ORDER BY pod.status
    ) AS states
  ) AS pod_status_counts
FROM k8s_nodes AS node
WHERE node.is_active
GROUP BY node.tenant_id, node.cloud_account_id
