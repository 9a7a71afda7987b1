import { graphql } from '@/api';
import type { ResultOf } from '@/api';

export const Commitments = graphql(`
  query Commitments($from: String!, $to: String!) {
    spend_commitments(request: { from: $from, to: $to }) {
      rows {
        commitment_id
        name
        type
        currency
        utilization
        coverage
        unused_cost
        used_cost
        expires_on
        purchased
      }
      totals_by_currency {
        currency
        effective_savings_rate
        negotiated_savings
        commitment_savings
        unused_cost
        utilization
        coverage
        left_out_charges
        left_out_effective_cost
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof Commitments>['spend_commitments']>;
export type Commitment = Answer['rows'][number];
export type Totals = Answer['totals_by_currency'][number];
