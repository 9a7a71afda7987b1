-- How many open recommendations to change the size of its pods a workload has.
SELECT
  workload.tenant_id AS tenant_id,
  workload.cloud_account_id AS account_id,
  workload.namespace AS namespace,
  workload.name AS workload_name,
  workload.creation_time AS creation_time,
  count(*) AS recommendation_count
FROM k8s_workloads AS workload
JOIN recommendation AS advice
  ON advice.tenant_id = workload.tenant_id
  AND advice.cloud_account_id = workload.cloud_account_id
  AND advice.resource_id = workload.cloud_resource_id
WHERE advice.status = 'Open'
  AND advice.category = 'RightSizing'
  AND advice.rule_name = 'pod_right_sizing'
GROUP BY workload.tenant_id, workload.cloud_account_id, workload.cloud_resource_id
