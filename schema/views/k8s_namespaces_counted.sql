-- Namespaces with the number of active pods in them. Their tenant and cluster are texts, those of pods are ids.
SELECT
  space.tenant_id AS tenant_id,
  space.cloud_account_id AS cloud_account_id,
  space.name AS name,
  space.is_active AS is_active,
  space.workload_count AS workload_count,
  (
    SELECT count(*)
    FROM k8s_pods AS pod
    WHERE pod.tenant_id = text_uuid(space.tenant_id)
      AND pod.cloud_account_id = text_uuid(space.cloud_account_id)
      AND pod.namespace = space.name
      AND pod.is_active
  ) AS pod_count,
  space.creation_time AS creation_time,
  space.updated_at AS updated_at
FROM k8s_namespaces AS space
