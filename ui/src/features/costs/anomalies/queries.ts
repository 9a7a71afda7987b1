import { graphql } from '@/api';

/** All anomalies of costs, metrics and events, with the accounts' names. */
export const CostAnomalies = graphql(`
  query CostAnomalies {
    anomaly(where: { rule_version: { _is_null: false } }, order_by: [{ started_on: desc }, { id: asc }]) {
      id
      account_id
      scope
      name
      namespace
      anomaly_type
      currency
      current_value
      started_on
      ended_on
      state
      impact
      feedback
      reference_value
      created_at
      rule_version
    }
    cloud_accounts {
      id
      account_name
    }
  }
`);

/** The contributors of one anomaly, and its daily series. */
export const AnomalyDrivers = graphql(`
  query AnomalyDrivers($id: String!) {
    spend_anomaly_drivers(request: { anomaly_id: $id }) {
      impact
      currency
      rows {
        dimension
        id
        name
        actual
        expected
        amount
      }
      days {
        date
        amount
      }
    }
  }
`);

/** Sets a verdict, or removes the user's own one. */
export const GiveVerdict = graphql(`
  mutation GiveVerdict($request: AnomalyFeedbackRequest!) {
    anomaly_feedback(request: $request) {
      verdict
    }
  }
`);

/** Events around an anomaly. */
export const AnomalyEvents = graphql(`
  query AnomalyEvents($where: EventsWhereRequest!) {
    events_v2(
      columns: ["id", "title", "status", "starts_at"]
      where: $where
      order_by: [{ column: "starts_at", order: asc }]
      limit: 6
    ) {
      rows {
        id
        title
        status
        starts_at
      }
    }
  }
`);
