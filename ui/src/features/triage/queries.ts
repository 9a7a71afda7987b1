import { graphql } from '@/api';

/** The rules of the tenant in the order they are tried, the one of the service with them. */
export const Rules = graphql(`
  mutation TriageRules {
    event_get_triage_rules {
      rules {
        id
        account_id
        name
        description
        rule_type
        action
        action_value
        enabled
        is_editable
        is_system_rule
        is_overridden
        priority
        reason
        match_alertname
        match_count
        match_finding_type
        match_fingerprint
        match_labels
        match_namespace
        match_occurrence_greater_than
        match_priority
        match_service
        match_source
        last_matched_at
        effective_until
        created_at
      }
    }
  }
`);

export const RuleAccounts = graphql(`
  query TriageAccounts {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
    event_triage_rules_aggregate {
      aggregate {
        count
      }
    }
  }
`);

/** The latest events a rule matches. */
export const RuleEvents = graphql(`
  mutation TriageRuleEvents($rule: String!, $account: String) {
    event_get_triage_rule_events(rule_id: $rule, account_id: $account, limit: 20) {
      total
      events {
        id
        title
        nb_status
        starts_at
        subject_name
      }
    }
  }
`);

/** The events a rule would change, with their new status. Changes nothing. */
export const PreviewRule = graphql(`
  mutation TriagePreview(
    $account: String!
    $type: String!
    $action: String!
    $alert: String
    $namespace: String
    $service: String
    $priority: String
    $source: String
  ) {
    event_preview_triage_rule(
      cloud_account_id: $account
      rule_type: $type
      action: $action
      match_alertname: $alert
      match_namespace: $namespace
      match_service: $service
      match_priority: $priority
      match_source: $source
    ) {
      matching_events_count
      recent_days
      recent_events_count
      recent_matching_events_count
      new_status
      sample_events {
        id
        title
        namespace
        service
      }
    }
  }
`);

export const CreateRule = graphql(`
  mutation TriageCreate(
    $account: String!
    $type: String!
    $action: String!
    $value: String
    $name: String
    $until: String
    $apply: Boolean
    $alert: String
    $namespace: String
    $service: String
    $priority: String
    $source: String
  ) {
    event_create_triage_rule(
      cloud_account_id: $account
      rule_type: $type
      action: $action
      action_value: $value
      name: $name
      effective_until: $until
      apply_to_existing: $apply
      match_alertname: $alert
      match_namespace: $namespace
      match_service: $service
      match_priority: $priority
      match_source: $source
    ) {
      success
      error
      rule {
        id
      }
      bulk_operation {
        job_id
      }
    }
  }
`);

/** Removes a rule and reverts its changes to existing events. */
export const UndoRule = graphql(`
  mutation TriageUndo($account: String!, $rule: String!, $job: String!) {
    event_undo_bulk_operation(job_id: $job) {
      events_kept
    }
    event_delete_triage_rule(cloud_account_id: $account, rule_id: $rule, hard_delete: true) {
      success
      error
    }
  }
`);

/** Disables a rule; with `hard` deletes it. */
export const RemoveRule = graphql(`
  mutation TriageRemove($account: String!, $rule: String!, $hard: Boolean!) {
    event_delete_triage_rule(cloud_account_id: $account, rule_id: $rule, hard_delete: $hard) {
      success
      error
    }
  }
`);

export const SwitchOn = graphql(`
  mutation TriageSwitchOn($rule: uuid!) {
    update_event_triage_rules_by_pk(pk_columns: { id: $rule }, _set: { enabled: true }) {
      id
    }
  }
`);
