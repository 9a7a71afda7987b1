-- Weaknesses found in images, and the workloads whose pods run them: one row for each workload, or one without.
SELECT
  advice.id AS id,
  advice.tenant_id AS tenant_id,
  advice.cloud_account_id AS cloud_account_id,
  advice.severity AS severity,
  CASE advice.severity
    WHEN 'Critical' THEN 10 WHEN 'High' THEN 8 WHEN 'Medium' THEN 5 WHEN 'Low' THEN 2 WHEN 'Info' THEN 1 ELSE 0
  END AS severity_weight,
  advice.status AS status,
  advice.recommendation ->> 'image_name' AS image,
  advice.recommendation ->> 'VulnerabilityID' AS vulnerability_id,
  COALESCE(advice.recommendation ->> 'PkgID', advice.recommendation ->> 'PkgName') AS package_id,
  advice.created_at AS created_at,
  advice.updated_at AS updated_at,
  running.workload_name IS NOT NULL AS is_active,
  running.workload_name AS workload_name,
  running.workload_type AS workload_type,
  running.namespace AS namespace,
  advice.recommendation AS recommendation
FROM recommendation AS advice
LEFT JOIN (
  SELECT DISTINCT
    pod.tenant_id AS tenant_id,
    pod.cloud_account_id AS cloud_account_id,
    pod.namespace AS namespace,
    pod.workload_name AS workload_name,
    pod.workload_type AS workload_type,
    container.value ->> 'image' AS image
  FROM k8s_pods AS pod
  JOIN json_each(COALESCE(pod.meta -> 'config' -> 'containers', '[]')) AS container
  WHERE pod.is_active
    AND pod.workload_name IS NOT NULL
) AS running
  ON running.tenant_id = advice.tenant_id
  AND running.cloud_account_id = advice.cloud_account_id
  AND running.image = advice.recommendation ->> 'image_name'
WHERE advice.rule_name = 'image_scan'
