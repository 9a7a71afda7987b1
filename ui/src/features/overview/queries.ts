import { graphql } from '@/api';

export const Months = graphql(`
  query OverviewMonths {
    spend_groupings_v2(
      columns: ["spend_date", "currency_type", "spend_count"]
      group_by: ["spend_date", "currency_type"]
      column_transformations: [{ name: "spend_date", expr: "date_unit", args: ["month"] }]
    ) {
      rows {
        spend_date
        currency_type
        spend_count
      }
    }
  }
`);

/** Days of the month and of the one before; list and effective cost of use, without purchases spread over it. */
export const Spend = graphql(`
  query OverviewSpend(
    $now: SpendGroupingsWhereRequest!
    $before: SpendGroupingsWhereRequest!
    $use: SpendGroupingsWhereRequest!
  ) {
    now: spend_groupings_v2(
      columns: ["spend_date", "currency_type", "billed_cost", "effective_cost"]
      group_by: ["spend_date", "currency_type"]
      where: $now
    ) {
      rows {
        spend_date
        currency_type
        billed_cost
        effective_cost
      }
    }
    before: spend_groupings_v2(
      columns: ["spend_date", "currency_type", "billed_cost", "effective_cost"]
      group_by: ["spend_date", "currency_type"]
      where: $before
    ) {
      rows {
        spend_date
        currency_type
        billed_cost
        effective_cost
      }
    }
    use: spend_groupings_v2(
      columns: ["currency_type", "list_cost", "effective_cost"]
      group_by: ["currency_type"]
      where: $use
    ) {
      rows {
        currency_type
        list_cost
        effective_cost
      }
    }
  }
`);

export const Services = graphql(`
  query OverviewServices($now: SpendGroupingsWhereRequest!, $before: SpendGroupingsWhereRequest!) {
    now: spend_groupings_v2(
      columns: ["resource_service_name", "billed_cost"]
      group_by: ["resource_service_name"]
      where: $now
      limit: 100000
    ) {
      rows {
        resource_service_name
        billed_cost
      }
    }
    before: spend_groupings_v2(
      columns: ["resource_service_name", "billed_cost"]
      group_by: ["resource_service_name"]
      where: $before
      limit: 100000
    ) {
      rows {
        resource_service_name
        billed_cost
      }
    }
  }
`);

export const ServiceDays = graphql(`
  query OverviewServiceDays($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["resource_service_name", "spend_date", "billed_cost"]
      group_by: ["resource_service_name", "spend_date"]
      where: $where
    ) {
      rows {
        resource_service_name
        spend_date
        billed_cost
      }
    }
  }
`);

export const AccountSpend = graphql(`
  query OverviewAccountSpend($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(columns: ["account_id", "billed_cost"], group_by: ["account_id"], where: $where, limit: 100000) {
      rows {
        account_id
        billed_cost
      }
    }
  }
`);

export const AccountFacts = graphql(`
  query OverviewAccountFacts($ids: [String!]!) {
    cloud_accounts_v2(where: { id: { _in: $ids } }) {
      rows {
        id
        account_name
        account_number
        cloud_provider
      }
    }
    spend_groupings_v2(columns: ["account_id", "last_date", "last_period_end"], where: { account_id: { _in: $ids } }) {
      rows {
        account_id
        last_date
        last_period_end
      }
    }
  }
`);

/** Sums of all recommendations of active accounts. */
export const Savings = graphql(`
  query OverviewSavings {
    recommendation_groupings_v2(
      columns: ["category", "severity", "status", "is_dismissed", "currency", "count", "sum_all_savings"]
    ) {
      rows {
        category
        severity
        status
        is_dismissed
        currency
        count
        sum_all_savings
      }
    }
  }
`);

/** Results of the latest imports. */
export const LatestImports = graphql(`
  query OverviewLatestImports {
    imports_v2(order_by: [{ column: "created_at", order: desc }], limit: 100) {
      rows {
        id
        file_name
        state
        rows_read
        rows_written
        rows_skipped
        skip_reasons
        error_message
      }
    }
  }
`);

/** Which accounts there are, and which of them bills name. */
export const Attention = graphql(`
  query OverviewAttention {
    cloud_accounts_v2(
      where: { status: { _eq: "active" } }
      order_by: [{ column: "account_name", order: asc }]
      limit: 100000
    ) {
      rows {
        id
        account_name
      }
    }
    spend_groupings_v2(columns: ["account_id"], limit: 100000) {
      rows {
        account_id
      }
    }
  }
`);

/** Questions of runs that wait for this person. */
export const WaitingApprovals = graphql(`
  query OverviewApprovals {
    workflow_count_approvals(request: {}) {
      mine
    }
  }
`);

/** The forecast for the rest of a month. */
export const MonthAhead = graphql(`
  query OverviewMonthAhead($asOf: String!, $until: String!) {
    spend_forecast(request: { as_of: $asOf, until: $until }) {
      rows {
        date
        currency
        amount
      }
    }
  }
`);

export const MonthBudgets = graphql(`
  query OverviewMonthBudgets($asOf: String!) {
    spend_budgets(request: { as_of: $asOf }) {
      rows {
        account_id
        scope
        period
        currency
        amount
      }
    }
  }
`);

/** The most severe and newest firing events without an owner; priorities sort alphabetically. */
export const OpenEvents = graphql(`
  query OverviewOpenEvents {
    events_v2(
      where: {
        status: { _eq: "FIRING" }
        priority: { _in: ["HIGH", "MEDIUM"] }
        _or: [{ nb_status: { _is_null: true } }, { nb_status: { _in: ["OPEN", "ACTION_REQUIRED"] } }]
      }
      order_by: [{ column: "priority", order: asc }, { column: "starts_at", order: desc }]
      limit: 3
    ) {
      rows {
        id
        title
        priority
        subject_name
        subject_namespace
        cluster
        starts_at
        created_at
      }
    }
  }
`);

/** Active notices of the service. Older instances have none. */
export const Notices = graphql(`
  query OverviewNotices {
    notice(where: { ended_at: { _is_null: true } }, order_by: [{ raised_at: desc }, { title: asc }], limit: 50) {
      id
      subject
      key
      severity
      title
      text
      link
    }
  }
`);

/** Changes of the last whole week, in sentences. Older instances have none. */
export const Digest = graphql(`
  query OverviewDigest {
    insight(
      where: { source: { _eq: "quarterdeck" }, type: { _eq: "weekly_digest" } }
      order_by: { unique_id: desc }
      limit: 200
    ) {
      id
      account_id
      title
      severity
      rule
    }
  }
`);

/** How many pods of each cluster do not run, and some of these. */
export const PodsInTrouble = graphql(`
  query OverviewPodsInTrouble($groups: K8sPodGroupingsWhereRequest!, $pods: K8sPodsWhereRequest!) {
    k8s_pod_groupings_v2(
      columns: ["account_id", "count"]
      group_by: ["account_id"]
      where: $groups
      order_by: [{ column: "count", order: desc }]
      limit: 5
    ) {
      rows {
        account_id
        count
      }
    }
    k8s_pods_v2(
      columns: ["account_id", "name", "status"]
      where: $pods
      order_by: [{ column: "name", order: asc }]
      limit: 50
    ) {
      rows {
        account_id
        name
        status
      }
    }
  }
`);

/** Whether there is something to operate, before there is something to pay. */
export const AnyOperations = graphql(`
  query OverviewAnyOperations {
    events_v2(columns: ["id"], limit: 1) {
      rows {
        id
      }
    }
    k8s_pods_v2(columns: ["resource_id"], limit: 1) {
      rows {
        resource_id
      }
    }
  }
`);
