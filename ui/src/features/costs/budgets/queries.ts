import { graphql } from '@/api';
import type { ResultOf } from '@/api';

export const Budgets = graphql(`
  query Budgets {
    spend_budgets(request: {}) {
      as_of
      rows {
        budget_id
        account_id
        business_unit_id
        project_id
        name
        scope
        period
        owner
        amount
        currency
        from
        until
        spent
        forecast
        low
        high
        state
        crossed_on
        message
        thresholds {
          percent
          on
          reached_on
        }
        days {
          date
          running
          is_forecast
        }
        accounts {
          account_id
          name
          percent
          from
          until
          budget
          spent
        }
        other_currencies {
          currency
          amount
        }
        accuracy {
          method
          mape
          skill
        }
      }
    }
  }
`);

export const AddBudget = graphql(`
  mutation AddBudget($budget: budget_insert_input!) {
    insert_budget_one(object: $budget) {
      id
    }
  }
`);

export const ChangeBudget = graphql(`
  mutation ChangeBudget($id: uuid!, $budget: budget_set_input!) {
    update_budget_by_pk(pk_columns: { id: $id }, _set: $budget) {
      id
    }
  }
`);

export const RemoveBudget = graphql(`
  mutation RemoveBudget($id: uuid!) {
    delete_budget_by_pk(id: $id) {
      id
    }
  }
`);

export type Budget = NonNullable<ResultOf<typeof Budgets>['spend_budgets']>['rows'][number];

export const Accounts = graphql(`
  query BudgetAccounts {
    cloud_accounts_v2(limit: 1000) {
      rows {
        id
        account_name
      }
    }
  }
`);
