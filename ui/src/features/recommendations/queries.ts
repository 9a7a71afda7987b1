import { graphql } from '@/api';

export const Recommendations = graphql(`
  query Recommendations {
    recommendation(order_by: { created_at: desc }) {
      id
      category
      rule_name
      severity
      status
      is_dismissed
      dismissed_reason
      dismissed_until
      note
      estimated_savings
      account_object_id
      recommendation
      created_at
      updated_at
      cloud_account {
        id
        account_name
        account_number
        cloud_provider
      }
      cloud_resourse {
        id
        name
        type
        region
      }
    }
  }
`);

/** Daily cost of a resource. */
export const ResourceDays = graphql(`
  query RecommendationResourceDays($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["spend_date", "effective_cost", "spend_amount"]
      group_by: ["spend_date"]
      where: $where
    ) {
      rows {
        spend_date
        effective_cost
        spend_amount
      }
    }
  }
`);

/** The owners of recommendations. */
export const Assignments = graphql(`
  query RecommendationAssignments {
    recommendation_assignment {
      recommendation_id
      user_id
    }
  }
`);

/** The people of the tenant that this user may see. */
export const People = graphql(`
  query RecommendationPeople {
    users(order_by: { display_name: asc }) {
      id
      display_name
      username
      status
    }
  }
`);

/** The history of one recommendation, oldest first. `target` is its key as JSON. */
export const History = graphql(`
  query RecommendationHistory($target: String!) {
    audits_v2(
      where: { event_category: { _eq: "recommendation" }, event_target: { _contains: $target } }
      order_by: [{ column: "event_time", order: asc }]
    ) {
      rows {
        id
        event_time
        event_actor
        event_type
        event_prev_state
        event_state
      }
    }
  }
`);

export const Assign = graphql(`
  mutation RecommendationAssign($id: String!, $person: String!) {
    recommendation_assign(recommendation_id: $id, user_id: $person) {
      new_status
    }
  }
`);

export const Resolve = graphql(`
  mutation RecommendationClose($id: String!) {
    recommendation_close(recommendation_id: $id) {
      new_status
    }
  }
`);

export const Dismiss = graphql(`
  mutation RecommendationDismiss($id: String!, $reason: String!, $until: String) {
    recommendation_dismiss(recommendation_id: $id, reason: $reason, until: $until) {
      new_status
    }
  }
`);

export const Reopen = graphql(`
  mutation RecommendationReopen($id: String!) {
    recommendation_reopen(recommendation_id: $id) {
      new_status
    }
  }
`);

/** Restores the previous values of a row, unless its status was changed since. */
export const PutBack = graphql(`
  mutation RecommendationPutBack(
    $id: uuid!
    $status: recommendation_status_type_enum!
    $before: recommendation_set_input!
  ) {
    update_recommendation(where: { id: { _eq: $id }, status: { _eq: $status } }, _set: $before) {
      affected_rows
    }
  }
`);
