-- One row for each finding of a recommendation about configuration: its JSON is a list of them. The savings of a
-- recommendation count once, with the first finding of the primary one.
SELECT
  advice.id AS id,
  advice.tenant_id AS tenant_id,
  advice.cloud_account_id AS cloud_account_id,
  advice.resource_id AS resource_id,
  advice.category AS category,
  advice.rule_name AS rule_name,
  advice.status AS status,
  advice.created_at AS created_at,
  advice.updated_at AS updated_at,
  finding.value ->> 'category' AS missconfig_category,
  finding.value ->> 'message' AS missconfig_message,
  COALESCE(finding.value ->> 'kind', resource.type) AS resource_type,
  COALESCE(finding.value ->> 'namespace', resource.meta ->> 'namespace') AS resource_k8s_namespace,
  finding.value ->> 'container' AS resource_k8s_container,
  COALESCE(finding.value ->> 'name', resource.name) AS resource_name,
  advice.estimated_savings AS estimated_savings,
  advice.account_object_id AS account_object_id,
  CASE
    row_number() OVER (
      PARTITION BY
        advice.tenant_id,
        advice.cloud_account_id,
        advice.category,
        COALESCE(uuid_text(advice.resource_id), advice.account_object_id, uuid_text(advice.id))
      ORDER BY advice.estimated_savings DESC NULLS LAST, advice.id, finding.key
    )
    WHEN 1 THEN TRUE
    ELSE FALSE
  END AS is_primary_recommendation
FROM recommendation AS advice
JOIN json_each(CASE json_type(advice.recommendation) WHEN 'array' THEN advice.recommendation ELSE '[]' END) AS finding
LEFT JOIN cloud_resourses AS resource
  ON resource.id = advice.resource_id AND resource.tenant = advice.tenant_id
WHERE advice.category = 'Configuration'
  AND advice.rule_name = 'misconfigurations'
