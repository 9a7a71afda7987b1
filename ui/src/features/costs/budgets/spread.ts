import { compare, isZero, ratio, subtract, sum } from '@/shared';
import type { Numeric } from '@/shared';
import type { Threshold } from './draft';
import type { Budget } from './queries';

/** The sum of the account budgets compared with the tenant budget. */
export interface Spread {
  total: Numeric;
  /** By how much they are more; below 0 when they are less. */
  more: Numeric;
}

/** The account of a budget for a single account. */
export function accountOf({ account_id: own, scope }: Budget): string | null {
  if (own !== null) return own;
  if (scope === null || typeof scope !== 'object' || Array.isArray(scope)) return null;
  const { account_ids: accounts, ...others } = scope;
  const [first] = Array.isArray(accounts) && accounts.length === 1 ? accounts : [];
  return Object.keys(others).length === 0 && typeof first === 'string' ? first : null;
}

/** Adds up the budgets of single accounts, one each, that are in the currency and for the period of `whole`. */
export function spreadOf(whole: Budget, budgets: readonly Budget[]): Spread | null {
  const amounts = new Map<string, Numeric>();
  for (const budget of budgets) {
    const account = accountOf(budget);
    const isAlike = budget.currency === whole.currency && budget.period === whole.period;
    // The account's own budget takes precedence over a budget that counts the same charges.
    if (account !== null && isAlike && (budget.account_id !== null || !amounts.has(account)))
      amounts.set(account, budget.amount);
  }
  const total = sum(amounts.values());
  const more = subtract(total, whole.amount);
  return amounts.size === 0 || isZero(more) ? null : { total, more };
}

/** The days of the period so far on which thresholds of billed cost would have been reached with another amount. */
export function reachedWith(
  { days }: Pick<Budget, 'days'>,
  amount: Numeric,
  thresholds: readonly Threshold[],
): { percent: string; date: string }[] {
  const billed = days.filter((day) => !day.is_forecast);
  return thresholds
    .filter(({ on }) => on === 'actual')
    .flatMap(({ percent }) => {
      const day = billed.find(({ running }) => 100 * (ratio(running, amount) ?? 0) >= Number(percent));
      return day ? [{ percent: percent.trim(), date: day.date }] : [];
    })
    .sort((a, b) => compare(a.percent, b.percent));
}
