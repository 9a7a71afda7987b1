-- Recommendations with what they are about and where. Of those for one opportunity (the same dedupe group, else the same
-- resource, else the same object, else itself) in one category, the one that saves most is primary.
SELECT
  advice.id AS id,
  advice.tenant_id AS tenant_id,
  advice.cloud_account_id AS cloud_account_id,
  account.cloud_provider AS account_cloud_provider,
  account.account_name AS account_name,
  account.status AS account_status,
  advice.resource_id AS resource_id,
  resource.name AS resource_name,
  resource.service_name AS resource_cloud_service,
  resource.region AS resource_region,
  COALESCE(resource.meta ->> 'namespace', advice.recommendation ->> 'namespace') AS resource_k8s_namespace,
  resource.meta AS resource_meta,
  resource.type AS resource_type,
  advice.category AS category,
  advice.rule_name AS rule_name,
  advice.estimated_savings AS estimated_savings,
  advice.status AS status,
  advice.severity AS severity,
  CASE advice.severity
    WHEN 'Critical' THEN 10 WHEN 'High' THEN 8 WHEN 'Medium' THEN 5 WHEN 'Low' THEN 2 WHEN 'Info' THEN 1 ELSE 0
  END AS severity_weight,
  advice.recommendation AS recommendation,
  advice.recommendation_action AS recommendation_action,
  advice.account_object_id AS account_object_id,
  advice.note AS note,
  advice.is_dismissed AS is_dismissed,
  advice.dismissed_reason AS dismissed_reason,
  advice.updated_by AS updated_by,
  advice.created_at AS created_at,
  advice.updated_at AS updated_at,
  CASE
    row_number() OVER (
      PARTITION BY
        advice.tenant_id,
        advice.cloud_account_id,
        advice.category,
        COALESCE(
          advice.recommendation ->> 'dedupe_group', uuid_text(advice.resource_id), advice.account_object_id,
          uuid_text(advice.id)
        )
      ORDER BY advice.estimated_savings DESC NULLS LAST, advice.id
    )
    WHEN 1 THEN TRUE
    ELSE FALSE
  END AS is_primary_recommendation,
  COALESCE(CAST(advice.recommendation ->> 'deleted_version' AS REAL), 0.0) AS deleted_version,
  COALESCE(CAST(advice.recommendation ->> 'deprecated_version' AS REAL), 0.0) AS deprecated_version
FROM recommendation AS advice
JOIN cloud_accounts AS account
  ON account.id = advice.cloud_account_id AND account.tenant = advice.tenant_id
LEFT JOIN cloud_resourses AS resource
  ON resource.id = advice.resource_id AND resource.tenant = advice.tenant_id
