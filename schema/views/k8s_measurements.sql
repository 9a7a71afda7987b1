-- Measurements with the names a cluster's parts go by. Names of the tags are those of the allocation exports.
SELECT
  measured.id AS id,
  measured.tenant_id AS tenant_id,
  measured.cloud_account_id AS cloud_account_id,
  measured.metric AS metric,
  measured.timestamp AS timestamp,
  measured.value AS value,
  measured.tags ->> 'controllerKind' AS workload_type,
  measured.tags ->> 'controller' AS workload_name,
  measured.tags ->> 'namespace' AS namespace_name,
  measured.tags ->> 'name' AS pod_name,
  measured.tags ->> 'node' AS node_name,
  measured.tags ->> 'workload_fqdn' AS workload_fqdn,
  measured.tags ->> 'pod_fqdn' AS pod_fqdn
FROM cloud_resource_metrics AS measured
