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
        list_cost
        effective_cost
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

export const Proposals = graphql(`
  query CommitmentProposals(
    $as_of: String!
    $discount: Float
    $upfront: Float!
    $term: Int!
    $service: String
    $currency: String
    $hourly: numeric
  ) {
    spend_commitment_proposals(
      request: {
        as_of: $as_of
        discount: $discount
        upfront: $upfront
        term_months: $term
        service_name: $service
        currency: $currency
        hourly: $hourly
      }
    ) {
      messages
      rows {
        currency
        service_name
        family
        days
        from
        until
        hours
        eligible_cost
        hourly_share
        discount
        discount_from
        break_even_utilization
        recommended {
          hourly
          commitment_cost
          covered_cost
          saving
          utilization
          coverage
          term_cost
          upfront_cost
          pays_back_on
          earns_term_on
        }
        asked {
          hourly
          commitment_cost
          covered_cost
          saving
          utilization
          coverage
          term_cost
          upfront_cost
          pays_back_on
          earns_term_on
        }
      }
    }
  }
`);

type Answer = NonNullable<ResultOf<typeof Commitments>['spend_commitments']>;
export type Commitment = Answer['rows'][number];
export type Totals = Answer['totals_by_currency'][number];

type ProposalAnswer = NonNullable<ResultOf<typeof Proposals>['spend_commitment_proposals']>;
export type ProposalRow = ProposalAnswer['rows'][number];
export type Proposal = NonNullable<ProposalRow['recommended']>;
