import { graphql } from '@/api';

/** Every account and cluster, with its open events and recommendations. */
export const Accounts = graphql(`
  query Accounts($firing: events_bool_exp!) {
    cloud_accounts(order_by: [{ account_name: asc }]) {
      id
      account_name
      account_number
      account_type
      account_access
      account_env
      account_purpose
      billing_source
      budget
      cloud_provider
      parent_account_id
      region
      start_date
      status
      sync_status
      sync_status_message
      synced_at
      agent_synced_at
      etl_attempt
      created_at
      updated_at
      cloud_account_attrs {
        id
        name
        value
      }
      agents {
        id
        status
        status_message
        k8s_provider
        k8s_version
        version
        last_connected_at
        last_synced_at
      }
      firing: events_aggregate(where: $firing) {
        aggregate {
          count
        }
      }
      open: recommendations_aggregate(
        where: { is_dismissed: { _eq: false }, status: { _in: [Open, Assigned, InProgress] } }
      ) {
        aggregate {
          count
        }
      }
      cloud_resourses_aggregate {
        aggregate {
          count
        }
      }
    }
  }
`);

/** Billed costs per account and currency, and the last day of its bills. */
export const AccountCosts = graphql(`
  query AccountCosts($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["account_id", "currency_type", "billed_cost"]
      group_by: ["account_id", "currency_type"]
      where: $where
      limit: 100000
    ) {
      rows {
        account_id
        currency_type
        billed_cost
      }
    }
    reach: spend_groupings_v2(columns: ["account_id", "last_date"], group_by: ["account_id"], limit: 100000) {
      rows {
        account_id
        last_date
      }
    }
  }
`);

/** The files that named an account, the newest first. */
export const AccountFiles = graphql(`
  query AccountFiles($report: jsonb!) {
    imports(where: { report: { _contains: $report } }, order_by: [{ created_at: desc }], limit: 20) {
      id
      file_name
      format
      state
      rows_written
      rows_skipped
      finished_at
    }
  }
`);

/** Open events and recommendations of an account. */
export const AccountNews = graphql(`
  query AccountNews($account: uuid!, $firing: events_bool_exp!) {
    events(
      where: { _and: [{ cloud_account_id: { _eq: $account } }, $firing] }
      order_by: [{ starts_at: desc }]
      limit: 5
    ) {
      id
      title
      starts_at
    }
    recommendation(
      where: {
        cloud_account: { id: { _eq: $account } }
        is_dismissed: { _eq: false }
        status: { _in: [Open, Assigned, InProgress] }
      }
      order_by: [{ estimated_savings: desc_nulls_last }]
      limit: 5
    ) {
      id
      rule_name
      category
      account_object_id
      estimated_savings
      recommendation
    }
    cloud_account_score(where: { cloud_account_id: { _eq: $account } }, order_by: [{ source: asc }]) {
      id
      source
      score
      description
    }
  }
`);

/** Updates columns of an account unless it was changed since it was read. */
export const PutAccount = graphql(`
  mutation AccountPut($id: uuid!, $read: timestamp!, $set: cloud_accounts_set_input!) {
    update_cloud_accounts(where: { id: { _eq: $id }, updated_at: { _eq: $read } }, _set: $set) {
      affected_rows
      returning {
        updated_at
      }
    }
  }
`);

export const AddAttribute = graphql(`
  mutation AccountAddAttribute($account: uuid!, $name: String!, $value: String!) {
    insert_cloud_account_attrs_one(object: { cloud_account_id: $account, name: $name, value: $value }) {
      id
    }
  }
`);

export const SetAttribute = graphql(`
  mutation AccountSetAttribute($id: uuid!, $value: String) {
    update_cloud_account_attrs_by_pk(pk_columns: { id: $id }, _set: { value: $value }) {
      id
    }
  }
`);
