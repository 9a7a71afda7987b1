import { graphql } from '@/api';

/** Sums by any columns; only requested columns are filled. */
export const SpendRows = graphql(`
  query SpendRows(
    $columns: [String]
    $transformations: [QueryColumnTransformationRequest!]
    $groupBy: [String!]
    $where: SpendGroupingsWhereRequest
    $orderBy: [QuerySortByRequest]
    $limit: Int
  ) {
    spend_groupings_v2(
      columns: $columns
      column_transformations: $transformations
      group_by: $groupBy
      where: $where
      order_by: $orderBy
      limit: $limit
    ) {
      rows {
        spend_date
        resource_service_name
        service_category
        account_id
        resource_region
        charge_category
        provider_name
        resource_id
        tag
        currency_type
        spend_count
        spend_amount
        effective_cost
        list_cost
        contracted_cost
      }
    }
  }
`);

export const AccountNames = graphql(`
  query AccountNames($ids: [String!], $limit: Int) {
    cloud_accounts_v2(where: { id: { _in: $ids } }, limit: $limit) {
      rows {
        id
        account_name
        account_number
      }
    }
  }
`);

/** Names only: without costs, no interval has to be summed. */
export const ResourceNames = graphql(`
  query ResourceNames($ids: [uuid!], $limit: Int, $day: timestamp!) {
    cloud_resources_v2(args: { spend_from: $day, spend_to: $day }, where: { id: { _in: $ids } }, limit: $limit) {
      id
      name
      resourse_id
    }
  }
`);

export const TagKeys = graphql(`
  query TagKeys {
    spend_tag_keys_v2(order_by: [{ column: "key", order: asc }], limit: 1000) {
      rows {
        key
      }
    }
  }
`);

export const VirtualTagNames = graphql(`
  query VirtualTagNames {
    virtual_tag {
      key
      name
    }
  }
`);

export const Charges = graphql(`
  query Charges($where: SpendsWhereRequest, $orderBy: [QuerySortByRequest], $limit: Int) {
    spends_v2(where: $where, order_by: $orderBy, limit: $limit) {
      rows {
        id
        date
        charge_description
        charge_category
        resource_service_name
        amount
        effective_cost
        list_cost
        contracted_cost
        source_line
        import_file_name
      }
    }
  }
`);

export const OneCharge = graphql(`
  query OneCharge($where: SpendsWhereRequest!) {
    spends_v2(where: $where) {
      rows {
        id
        cloud_account
        date
        period_end
        billing_period_start
        unit
        amount
        effective_cost
        list_cost
        contracted_cost
        charge_description
        charge_category
        charge_class
        charge_frequency
        provider_name
        publisher_name
        resource_service_name
        service_category
        resource_region
        availability_zone
        pricing_category
        pricing_quantity
        pricing_unit
        consumed_quantity
        consumed_unit
        sku_id
        sku_price_id
        invoice_id
        billing_account_id
        commitment_discount_id
        commitment_discount_name
        commitment_discount_status
        tags
        source_line
        import_file_name
        import_finished_at
        account_name
        account_number
        resource_name
        external_resource_id
      }
    }
  }
`);
