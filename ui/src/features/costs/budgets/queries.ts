import { graphql } from '@/api';
import type { ResultOf } from '@/api';

export const Budgets = graphql(`
  query Budgets($request: SpendBudgetsRequest!) {
    spend_budgets(request: $request) {
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

/** A budget at the last days of six periods. */
export const EarlierPeriods = graphql(`
  query EarlierPeriods(
    $p1: SpendBudgetsRequest!
    $p2: SpendBudgetsRequest!
    $p3: SpendBudgetsRequest!
    $p4: SpendBudgetsRequest!
    $p5: SpendBudgetsRequest!
    $p6: SpendBudgetsRequest!
  ) {
    p1: spend_budgets(request: $p1) {
      rows {
        from
        until
        amount
        currency
        spent
        crossed_on
      }
    }
    p2: spend_budgets(request: $p2) {
      rows {
        from
        until
        amount
        currency
        spent
        crossed_on
      }
    }
    p3: spend_budgets(request: $p3) {
      rows {
        from
        until
        amount
        currency
        spent
        crossed_on
      }
    }
    p4: spend_budgets(request: $p4) {
      rows {
        from
        until
        amount
        currency
        spent
        crossed_on
      }
    }
    p5: spend_budgets(request: $p5) {
      rows {
        from
        until
        amount
        currency
        spent
        crossed_on
      }
    }
    p6: spend_budgets(request: $p6) {
      rows {
        from
        until
        amount
        currency
        spent
        crossed_on
      }
    }
  }
`);

/** The two previous periods day by day: a forecast may be based on them. */
export const DaysBefore = graphql(`
  query DaysBefore($p1: SpendBudgetsRequest!, $p2: SpendBudgetsRequest!) {
    p1: spend_budgets(request: $p1) {
      rows {
        days {
          date
          running
          is_forecast
        }
      }
    }
    p2: spend_budgets(request: $p2) {
      rows {
        days {
          date
          running
          is_forecast
        }
      }
    }
  }
`);

export type PastBudget = NonNullable<ResultOf<typeof EarlierPeriods>['p1']>['rows'][number];

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
