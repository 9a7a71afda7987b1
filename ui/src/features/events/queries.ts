import { graphql } from '@/api';

/** One part of the list. */
export const EventPage = graphql(`
  query EventPage($where: events_bool_exp!, $order: [events_order_by!]!, $limit: Int!, $offset: Int!) {
    events(where: $where, order_by: $order, limit: $limit, offset: $offset) {
      id
      title
      priority
      computed_priority
      computed_score
      status
      nb_status
      nb_status_changed_by
      snoozed_until
      source
      aggregation_key
      fingerprint
      subject_name
      subject_namespace
      subject_owner
      cluster
      starts_at
      ends_at
      created_at
      cloud_account {
        id
        account_name
      }
    }
  }
`);

/** How many events each view of the list has. */
export const EventCounts = graphql(`
  query EventCounts(
    $all: events_bool_exp!
    $firing: events_bool_exp!
    $resolved: events_bool_exp!
    $closed: events_bool_exp!
  ) {
    all: events_aggregate(where: $all) {
      aggregate {
        count
      }
    }
    firing: events_aggregate(where: $firing) {
      aggregate {
        count
      }
    }
    resolved: events_aggregate(where: $resolved) {
      aggregate {
        count
      }
    }
    closed: events_aggregate(where: $closed) {
      aggregate {
        count
      }
    }
  }
`);

/** Counts of firing events without an owner, and of events hidden by triage. */
export const FiringSums = graphql(`
  query FiringSums($unowned: events_bool_exp!, $aside: events_bool_exp!) {
    aside: events_aggregate(where: $aside) {
      aggregate {
        count
      }
    }
    unowned: events_aggregate(where: $unowned) {
      aggregate {
        count
      }
    }
  }
`);

/** How often the same thing happened, for the events of a page. */
export const SeriesCounts = graphql(`
  query EventSeriesCounts($fingerprints: [String!]) {
    event_groupings_v2(
      columns: ["fingerprint", "event_count"]
      group_by: ["fingerprint"]
      where: { fingerprint: { _in: $fingerprints } }
      limit: 1000
    ) {
      rows {
        fingerprint
        event_count
      }
    }
  }
`);

/** Whether there is any event, and the values to filter by. */
export const AnyEvent = graphql(`
  query AnyEvent {
    events(limit: 1) {
      id
    }
  }
`);

export const FilterValues = graphql(`
  query EventFilterValues {
    event_get_filter_values(
      request: { filter_types: ["source", "namespace", "workload", "subject_type", "aggregation_key", "cluster"] }
    ) {
      filters {
        filter_type
        values {
          value
        }
      }
    }
  }
`);

export const EventAccounts = graphql(`
  query EventAccounts {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
    }
  }
`);

/** The people of the tenant that this user may see. */
export const EventPeople = graphql(`
  query EventPeople {
    users(order_by: { display_name: asc }) {
      id
      display_name
    }
  }
`);

/** The newest change of any event and how many there are: the list is read again when this changes. */
export const EventChanges = graphql(`
  subscription EventChanges {
    events_aggregate {
      aggregate {
        count
        max {
          updated_at
        }
      }
    }
  }
`);

export const OneEvent = graphql(`
  query OneEvent($id: uuid!) {
    events_by_pk(id: $id) {
      id
      title
      description
      priority
      computed_priority
      computed_score
      score_factors
      score_confidence
      status
      nb_status
      nb_status_changed_at
      nb_status_changed_by
      snoozed_until
      source
      aggregation_key
      fingerprint
      finding_type
      service_key
      subject_type
      subject_name
      subject_namespace
      subject_node
      subject_owner
      subject_owner_kind
      cluster
      principal
      labels
      evidences
      failure
      starts_at
      ends_at
      created_at
      updated_at
      cloud_resource_id
      cloud_account {
        id
        account_name
        account_env
      }
    }
  }
`);

/** The series of the event, correlated events, and statistics of earlier occurrences. */
export const EventTriage = graphql(`
  mutation EventTriage($id: String!) {
    event_get_triage(event_id: $id) {
      correlation_count
      correlated_events {
        correlated_event_id
        correlated_title
        correlated_starts_at
        correlated_state
        correlation_type
        correlation_reason
        correlation_score
        time_offset_minutes
        subject_name
        subject_namespace
      }
      duplicate_info {
        occurrence_number
        total_occurrences
        duplicate_chain {
          event_id
          event_starts_at
          event_state
          occurrence_number
        }
      }
      historical_stats {
        avg_duration_hours
        closure_rate
        noise_level
        resolution_rate
        total_events
        first_seen_at
        last_seen_at
      }
    }
  }
`);

export const EventTimeline = graphql(`
  mutation EventTimeline($id: String!) {
    event_get_timeline(event_id: $id) {
      timeline {
        action
        metadata
        ref_id
        ref_type
        summary
        timestamp
      }
    }
  }
`);

/** The resolution texts. */
export const EventResolutions = graphql(`
  query EventResolutions($id: uuid!) {
    event_resolution(where: { event_id: { _eq: $id } }) {
      id
      data
    }
  }
`);

/** Log lines of an account in two windows (ms since 1970 UTC). */
export const EventLogs = graphql(`
  query EventLogs($before: FetchLogRequest!, $after: FetchLogRequest!) {
    before: logs_query(request: $before) {
      timestamp
      severity
      message
      labels
    }
    after: logs_query(request: $after) {
      timestamp
      severity
      message
      labels
    }
  }
`);

export const SetStatus = graphql(`
  mutation EventSetStatus($id: String!, $status: String!, $until: String) {
    event_update_nb_status(event_id: $id, nb_status: $status, snoozed_until: $until) {
      prev_status
      new_status
    }
  }
`);

export const ResolveEvent = graphql(`
  mutation EventResolve($object: event_resolve_input!) {
    event_resolve(object: $object) {
      data
    }
  }
`);

/** Sets columns of an event if its triage status is the expected one. */
export const PutEvent = graphql(`
  mutation EventPut($id: uuid!, $status: String!, $set: events_set_input!) {
    update_events(where: { id: { _eq: $id }, nb_status: { _eq: $status } }, _set: $set) {
      affected_rows
    }
  }
`);

export const ClassifyPreview = graphql(`
  mutation EventClassifyPreview($id: String!, $classification: String!, $scope: String!) {
    event_classify_preview(event_id: $id, classification: $classification, apply_scope: $scope) {
      current_event {
        new_status
      }
      existing_events {
        count
        sample_titles
      }
      rule_to_create {
        action
        match_criteria
        rule_type
      }
    }
  }
`);

export const Classify = graphql(`
  mutation EventClassify(
    $id: String!
    $classification: String!
    $reason: String!
    $text: String
    $scope: String!
    $of: String
  ) {
    event_classify(
      event_id: $id
      classification: $classification
      reason_code: $reason
      reason_text: $text
      apply_scope: $scope
      linked_event_id: $of
    ) {
      rule_created
      rule_id
    }
  }
`);

export const RemoveRule = graphql(`
  mutation EventRemoveRule($account: String!, $rule: String!) {
    event_delete_triage_rule(cloud_account_id: $account, rule_id: $rule, hard_delete: true) {
      success
      error
    }
  }
`);

/** Daily costs of an account, or one of its resources, around an event. */
export const EventCosts = graphql(`
  query EventCosts($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["currency_type", "spend_date", "billed_cost"]
      group_by: ["currency_type", "spend_date"]
      where: $where
      limit: 1000
    ) {
      rows {
        currency_type
        spend_date
        billed_cost
      }
    }
  }
`);

/** Changes of objects between dumps of a cluster, newest first. */
export const ClusterChanges = graphql(`
  query EventClusterChanges($where: k8s_changes_bool_exp!, $limit: Int!) {
    k8s_changes(where: $where, order_by: [{ observed_at: desc }, { kind: asc }, { id: asc }], limit: $limit) {
      id
      change
      kind
      namespace
      name
      observed_at
      previous_at
      field_count
    }
    k8s_changes_aggregate(where: $where) {
      aggregate {
        count
      }
    }
  }
`);
