-- The latest measurement of every part of a cluster, added up per cluster. A figure nobody measured stays null.
-- Metric names are those of the allocation exports (OpenCost, Kubecost) that write cloud_resource_metrics.
SELECT
  measured.tenant_id AS tenant_id,
  measured.cloud_account_id AS cloud_account_id,
  SUM(CASE WHEN measured.metric = 'cpuCoreRequestAverage' THEN measured.value END) AS avg_cpu_request,
  SUM(CASE WHEN measured.metric = 'cpuCoreUsageAverage' THEN measured.value END) AS avg_cpu_usage,
  SUM(CASE WHEN measured.metric = 'networkTransferBytes' THEN measured.value END) / 1048576.0 AS avg_egress,
  SUM(CASE WHEN measured.metric = 'networkReceiveBytes' THEN measured.value END) / 1048576.0 AS avg_ingress,
  SUM(CASE WHEN measured.metric = 'ramByteRequestAverage' THEN measured.value END) / 1048576.0 AS avg_mem_request,
  SUM(CASE WHEN measured.metric = 'ramByteUsageAverage' THEN measured.value END) / 1048576.0 AS avg_mem_usage
FROM cloud_resource_metrics AS measured
WHERE measured.metric IN (
    'cpuCoreRequestAverage', 'cpuCoreUsageAverage', 'networkTransferBytes', 'networkReceiveBytes',
    'ramByteRequestAverage', 'ramByteUsageAverage'
  )
  AND NOT EXISTS (
    SELECT 1
    FROM cloud_resource_metrics AS newer
    WHERE newer.cloud_resource_id = measured.cloud_resource_id
      AND newer.metric = measured.metric
      AND newer.timestamp > measured.timestamp
  )
GROUP BY measured.tenant_id, measured.cloud_account_id
