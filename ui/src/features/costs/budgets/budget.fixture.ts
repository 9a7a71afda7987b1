import type { Budget } from './queries';

/** A budget of 4,500 USD by month, of which 4,955.09 were billed by 19 November, with what a test is about. */
export function budgetForTest(to: Partial<Budget>): Budget {
  return {
    budget_id: 'b1',
    account_id: null,
    business_unit_id: null,
    project_id: null,
    name: 'Staging',
    scope: {},
    period: 'month',
    owner: null,
    amount: '4500',
    currency: 'USD',
    from: '2026-11-01',
    until: '2026-11-30',
    spent: '4955.09',
    forecast: '7764',
    low: '7500',
    high: '8000',
    state: 'crossed',
    crossed_on: '2026-11-18',
    message: null,
    thresholds: [],
    days: [],
    accounts: [],
    other_currencies: [],
    accuracy: null,
    ...to,
  };
}
