-- Workloads with what goes wrong in them: issues that are more than DEBUG, those of pods and of applications among them, and
-- service level objectives that are not met. How many objectives there are nobody keeps.
SELECT
  workload.tenant_id AS tenant_id,
  workload.cloud_account_id AS account_id,
  account.account_name AS account_name,
  workload.namespace AS namespace,
  workload.name AS name,
  workload.cloud_resource_id AS workload_id,
  workload.ready_pods AS ready_pods,
  workload.total_pods AS total_pods,
  workload.creation_time AS creation_time,
  count(CASE WHEN issue.finding_type = 'issue' THEN 1 END) AS event_count,
  count(
    CASE
      WHEN issue.finding_type = 'issue'
        AND issue.aggregation_key IN (
          'KubePodCrashLooping', 'ReportCrashLoop', 'CPUThrottlingHigh', 'image_pull_backoff_reporter',
          'pod_oom_killer_enricher'
        ) THEN 1
    END
  ) AS pod_error_count,
  count(
    CASE
      WHEN issue.finding_type = 'issue'
        AND issue.aggregation_key IN ('HighErrorCriticalLogs', 'ApplicationAPIFailures') THEN 1
    END
  ) AS application_error_count,
  count(CASE WHEN issue.source = 'slo' AND issue.status = 'FIRING' THEN 1 END) AS failed_slo_count,
  NULL AS total_slo_count
FROM k8s_workloads AS workload
JOIN cloud_accounts AS account
  ON account.id = workload.cloud_account_id AND account.tenant = workload.tenant_id
LEFT JOIN events AS issue
  ON issue.tenant = workload.tenant_id
  AND issue.cloud_account_id = workload.cloud_account_id
  AND issue.subject_namespace = workload.namespace
  AND COALESCE(issue.subject_owner, issue.subject_name) = workload.name
  AND issue.priority <> 'DEBUG'
GROUP BY workload.tenant_id, workload.cloud_account_id, workload.cloud_resource_id, account.account_name
