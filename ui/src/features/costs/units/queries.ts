import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** Each number with its groups. */
export const Numbers = graphql(`
  query BusinessNumbers {
    business_number(distinct_on: [name, group], order_by: [{ name: asc }, { group: asc }]) {
      name
      group
    }
  }
`);

export const UnitCosts = graphql(`
  query UnitCosts($name: String!, $group: String, $from: String!, $to: String!, $every: String!, $scope: jsonb) {
    unit_costs(request: { name: $name, group: $group, from: $from, to: $to, every: $every, scope: $scope }) {
      rows {
        date
        currency
        cost
        value
        unit_cost
        days
      }
    }
  }
`);

/** Imports of tables of numbers, the newest first. */
export const NumberImports = graphql(`
  query NumberImports {
    imports(where: { format: { _eq: "business-numbers" } }, order_by: [{ created_at: desc }], limit: 50) {
      id
      file_name
      state
      rows_written
      rows_skipped
      created_at
    }
  }
`);

export type UnitCost = NonNullable<ResultOf<typeof UnitCosts>['unit_costs']>['rows'][number];
export type NumberImport = ResultOf<typeof NumberImports>['imports'][number];
