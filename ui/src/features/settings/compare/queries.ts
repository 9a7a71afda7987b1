import { graphql } from '@/api';

/** Separate queries, so that a field missing in one version affects only its section. */
export const Freshness = graphql(`
  query CompareFreshness {
    spend_groupings_v2(columns: ["first_date", "last_date"]) {
      rows {
        first_date
        last_date
      }
    }
    imports_v2(
      where: { state: { _in: ["done", "done_with_skips"] } }
      order_by: [{ column: "finished_at", order: desc }]
      limit: 1
    ) {
      rows {
        finished_at
      }
    }
  }
`);

export const Accounts = graphql(`
  query CompareAccounts {
    cloud_accounts_v2(columns: ["account_number", "account_name", "cloud_provider"], limit: 10000) {
      rows {
        account_number
        account_name
        cloud_provider
      }
    }
  }
`);

export const Months = graphql(`
  query CompareMonths {
    spend_groupings_v2(
      columns: ["spend_date", "currency_type", "billed_cost"]
      group_by: ["spend_date", "currency_type"]
      where: { _or: [{ exclude_aggregate: { _is_null: true } }, { exclude_aggregate: { _eq: false } }] }
      column_transformations: [{ name: "spend_date", expr: "date_unit", args: ["month"] }]
      limit: 10000
    ) {
      rows {
        spend_date
        currency_type
        billed_cost
      }
    }
  }
`);

export const Recommendations = graphql(`
  query CompareRecommendations {
    recommendation_groupings_v2(
      columns: ["category", "status", "is_dismissed", "currency", "count", "sum_all_savings"]
      limit: 10000
    ) {
      rows {
        category
        status
        is_dismissed
        currency
        count
        sum_all_savings
      }
    }
  }
`);

export const Anomalies = graphql(`
  query CompareAnomalies {
    ongoing: anomaly_aggregate(where: { rule_version: { _is_null: false }, state: { _neq: "OVER" } }) {
      aggregate {
        count
      }
    }
    waiting: anomaly_aggregate(where: { rule_version: { _is_null: false }, feedback: { _is_null: true } }) {
      aggregate {
        count
      }
    }
  }
`);

export const Events = graphql(`
  query CompareEvents {
    event_groupings_v2(columns: ["status", "event_count"], group_by: ["status"]) {
      rows {
        status
        event_count
      }
    }
  }
`);

export const Budgets = graphql(`
  query CompareBudgets {
    spend_budgets(request: {}) {
      rows {
        name
        amount
        currency
        spent
        from
        until
        state
      }
    }
  }
`);
