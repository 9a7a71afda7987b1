-- Resources with what they cost from one time to another, both included, and the open recommendations about them.
SELECT
  resource.id AS id,
  resource.tenant AS tenant,
  resource.account AS account,
  resource.name AS name,
  resource.region AS region,
  resource.resourse_created_on AS resourse_created_on,
  resource.resourse_id AS resourse_id,
  resource.service_name AS service_name,
  resource.status AS status,
  resource.type AS type,
  (
    SELECT decimal_sum(charge.amount)
    FROM spends AS charge
    WHERE charge.cloud_resource_id = resource.id
      AND charge.tenant = resource.tenant
      AND charge.date >= :spend_from
      AND charge.date <= :spend_to
      AND NOT COALESCE(charge.exclude_aggregate, FALSE)
  ) AS spend_amount,
  (
    SELECT json_group_array(json(advice.entry))
    FROM (
      SELECT json_object(
        'id', uuid_text(open_advice.id),
        'category', open_advice.category,
        'rule_name', open_advice.rule_name,
        'severity', open_advice.severity,
        'estimated_savings', json(open_advice.estimated_savings)
      ) AS entry
      FROM recommendation AS open_advice
      WHERE open_advice.resource_id = resource.id
        AND open_advice.tenant_id = resource.tenant
        AND open_advice.status = 'Open'
      ORDER BY open_advice.created_at, open_advice.id
    ) AS advice
  ) AS recommendations
FROM cloud_resourses AS resource
