-- Events with where they stand in the series of their fingerprint, and the latest pull request that is to resolve them. Looked up column by column, not
-- joined: a listing that asks for none of them reads an index of the events alone.
SELECT
  event.id AS id,
  event.tenant AS tenant,
  event.cloud_account_id AS cloud_account_id,
  event.cloud_resource_id AS cloud_resource_id,
  event.finding_id AS finding_id,
  event.title AS title,
  event.description AS description,
  event.source AS source,
  event.aggregation_key AS aggregation_key,
  event.failure AS failure,
  event.finding_type AS finding_type,
  event.category AS category,
  event.priority AS priority,
  event.subject_type AS subject_type,
  event.subject_name AS subject_name,
  event.subject_namespace AS subject_namespace,
  event.subject_node AS subject_node,
  event.subject_owner AS subject_owner,
  COALESCE(event.subject_owner, event.subject_name, '') AS subject_owner_or_name,
  event.service_key AS service_key,
  event.cluster AS cluster,
  event.starts_at AS starts_at,
  event.ends_at AS ends_at,
  event.fingerprint AS fingerprint,
  event.evidences AS evidences,
  event.status AS status,
  event.principal AS principal,
  event.labels AS labels,
  event.urgency AS urgency,
  event.computed_score AS computed_score,
  event.computed_priority AS computed_priority,
  event.score_factors AS score_factors,
  event.score_confidence AS score_confidence,
  event.nb_status AS nb_status,
  CASE event.nb_status
    WHEN 'ACTION_REQUIRED' THEN 9 WHEN 'OPEN' THEN 8 WHEN 'SNOOZED' THEN 7 WHEN 'ACKNOWLEDGED' THEN 6
    WHEN 'INVESTIGATING' THEN 5 WHEN 'DUPLICATE' THEN 4 WHEN 'SUPPRESSED' THEN 3 WHEN 'DROPPED' THEN 2
    WHEN 'RESOLVED' THEN 1 ELSE 0
  END AS nb_status_rank,
  event.snoozed_until AS snoozed_until,
  event.nb_status_changed_at AS nb_status_changed_at,
  event.nb_status_changed_by AS nb_status_changed_by,
  event.created_at AS created_at,
  event.updated_at AS updated_at,
  (
    SELECT series.absolute_first_seen_at
    FROM event_duplicates AS series
    WHERE series.event_id = event.id AND series.cloud_account_id = event.cloud_account_id
  ) AS first_seen_at,
  (
    SELECT series.occurrence_number
    FROM event_duplicates AS series
    WHERE series.event_id = event.id AND series.cloud_account_id = event.cloud_account_id
  ) AS occurrence_number,
  (
    SELECT COALESCE(pull.data ->> 'url', pull.type_reference_id)
    FROM event_resolution AS pull
    WHERE pull.event_id = event.id AND pull.type = 'PullRequest'
    ORDER BY pull.created_at DESC, pull.id DESC
    LIMIT 1
  ) AS pr_url,
  (
    SELECT pull.data ->> 'title'
    FROM event_resolution AS pull
    WHERE pull.event_id = event.id AND pull.type = 'PullRequest'
    ORDER BY pull.created_at DESC, pull.id DESC
    LIMIT 1
  ) AS pr_title
FROM events AS event
