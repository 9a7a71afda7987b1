import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** The rules and their daily splits in a month. */
export const Allocation = graphql(`
  query Allocation($from: date!, $to: date!) {
    allocation_rule(order_by: [{ position: asc }, { name: asc }, { id: asc }]) {
      id
      name
      position
      scope
      method
      target
      shares
      basis
      number_name
      is_active
    }
    allocated_cost(
      where: { date: { _gte: $from, _lte: $to } }
      order_by: [{ date: asc }, { target: asc }]
      limit: 20000
    ) {
      rule_id
      date
      currency
      target
      source_amount
      weight
      weight_total
      amount
    }
  }
`);

type AllocationResult = ResultOf<typeof Allocation>;
export type Rule = AllocationResult['allocation_rule'][number];
export type Share = AllocationResult['allocated_cost'][number];

/** The effect of a rule on a month. */
export const Preview = graphql(`
  query AllocationPreview($request: AllocationPreviewRequest!) {
    allocation_preview(request: $request) {
      rows {
        currency
        target
        amount
        share
      }
      sources {
        currency
        amount
        allocated
      }
      messages
    }
  }
`);

export const AddRule = graphql(`
  mutation AllocationAdd($rule: allocation_rule_insert_input!) {
    insert_allocation_rule_one(object: $rule) {
      id
    }
  }
`);

export const ChangeRule = graphql(`
  mutation AllocationChange($id: uuid!, $rule: allocation_rule_set_input!) {
    update_allocation_rule_by_pk(pk_columns: { id: $id }, _set: $rule) {
      id
    }
  }
`);

export const RemoveRule = graphql(`
  mutation AllocationRemove($id: uuid!) {
    delete_allocation_rule_by_pk(id: $id) {
      id
    }
  }
`);
