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

/** The number of resources for a search and filters, and their billed cost. */
export const ResourceTotals = graphql(`
  query ResourceTotals($request: CloudResourcesTotalsRequest!) {
    cloud_resources_totals(request: $request) {
      count
      billed {
        currency
        amount
      }
    }
  }
`);

/** Billed cost with and without a resource. */
export const AllBilled = graphql(`
  query AllBilled($request: CloudResourcesTotalsRequest!) {
    cloud_resources_totals(request: $request) {
      billed {
        currency
        amount
      }
      unassigned {
        currency
        amount
      }
    }
  }
`);

/** One page of the list, in its order. */
export const ResourcePage = graphql(`
  query ResourcePage($request: CloudResourcesPageRequest!) {
    cloud_resources_page(request: $request) {
      rows {
        id
        name
        external_resource_id
        type
        service_name
        region
        status
        last_seen
        account_name
        billed {
          currency
          amount
        }
      }
    }
  }
`);

/** Every value that can be filtered by. */
export const ResourceValues = graphql(`
  query ResourceValues {
    cloud_resources_values {
      accounts {
        id
        name
      }
      services
      types
      regions
      statuses
    }
  }
`);

/** Billed cost of one resource, by currency. */
export const ResourceCosts = graphql(`
  query ResourceCosts($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["currency_type", "spend_amount"]
      group_by: ["currency_type"]
      where: $where
      order_by: [{ column: "currency_type", order: asc }]
      limit: 1000
    ) {
      rows {
        currency_type
        spend_amount
      }
    }
  }
`);

/** Daily billed cost of one resource, by currency. */
export const ResourceDays = graphql(`
  query ResourceDays($where: SpendGroupingsWhereRequest!) {
    spend_groupings_v2(
      columns: ["spend_date", "currency_type", "spend_amount"]
      group_by: ["spend_date", "currency_type"]
      where: $where
    ) {
      rows {
        spend_date
        currency_type
        spend_amount
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
