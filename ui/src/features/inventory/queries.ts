import { graphql } from '@/api';

/** How many resources there are at all. */
export const ResourceCount = graphql(`
  query ResourceCount {
    cloud_resourses_aggregate {
      aggregate {
        count
      }
    }
  }
`);

/** Those a search and filters leave, the ones met last first. */
export const Resources = graphql(`
  query Resources($where: cloud_resourses_bool_exp!, $limit: Int!) {
    cloud_resourses_aggregate(where: $where) {
      aggregate {
        count
      }
    }
    cloud_resourses(where: $where, order_by: [{ last_seen: desc_nulls_last }, { id: asc }], limit: $limit) {
      id
      name
      external_resource_id
      type
      service_name
      region
      last_seen
      cloud_account {
        id
        account_name
      }
    }
  }
`);

/** Every value that can be filtered by. */
export const ResourceValues = graphql(`
  query ResourceValues {
    account: cloud_resourses(distinct_on: [account]) {
      cloud_account {
        id
        account_name
      }
    }
    service: cloud_resourses(distinct_on: [service_name]) {
      service_name
    }
    type: cloud_resourses(distinct_on: [type]) {
      type
    }
    region: cloud_resourses(distinct_on: [region]) {
      region
    }
    status: cloud_resourses(distinct_on: [status]) {
      status
    }
  }
`);

/** What was billed for each resource; a row without one is of charges that name none. */
export const ResourceCosts = graphql(`
  query ResourceCosts($where: SpendGroupingsWhereRequest!, $limit: Int!) {
    spend_groupings_v2(
      columns: ["resource_id", "currency_type", "billed_cost", "spend_count"]
      group_by: ["resource_id", "currency_type"]
      where: $where
      limit: $limit
    ) {
      rows {
        resource_id
        currency_type
        billed_cost
        spend_count
      }
    }
  }
`);

/** One resource with everything that leads to it. */
export const OneResource = graphql(`
  query OneResource($id: uuid!) {
    cloud_resourses_by_pk(id: $id) {
      id
      name
      external_resource_id
      resourse_id
      type
      service_name
      region
      status
      cloud_provider
      first_seen
      last_seen
      resourse_created_on
      tags
      cloud_account {
        id
        account_name
        account_number
      }
      recommendations(order_by: { created_at: desc }) {
        id
        category
        rule_name
        status
        is_dismissed
        estimated_savings
        recommendation
      }
    }
    events(where: { cloud_resource_id: { _eq: $id } }, order_by: [{ starts_at: desc }], limit: 20) {
      id
      title
      status
      starts_at
      cloud_account_id
    }
  }
`);
