import { useMemo } from 'react';
import { useGraphQL, useLack } from '@/api';
import type { ResultOf } from '@/api';
import { sum } from '@/shared';
import type { Numeric } from '@/shared';
import type { Period } from './period';
import { MonthAhead, MonthBudgets } from './queries';

type ForecastRow = NonNullable<ResultOf<typeof MonthAhead>['spend_forecast']>['rows'][number];
type BudgetRow = NonNullable<ResultOf<typeof MonthBudgets>['spend_budgets']>['rows'][number];

export interface MonthForecast {
  /** The running total with the forecast for each day of the month, from the last known day on. Null if there is no forecast. */
  running: (Numeric | null)[] | null;
  /** The total of the month; null without a forecast, undefined while it loads. */
  total: Numeric | null | undefined;
  /** The monthly budget of all charges in the currency; null if there is none, undefined while it loads. */
  budget: Numeric | null | undefined;
}

/** Forecast and budget of the month; nothing if the instance does not support them. */
export function useAhead(shown: Period, days: readonly string[], currency: string, billed: Numeric): MonthForecast {
  const lack = useLack();
  const isRunning = shown.now.to < shown.month.to;
  const hasForecast = isRunning && lack({ fields: ['spend_forecast'] }) === undefined;
  const asked = useGraphQL(MonthAhead, { asOf: shown.now.to, until: shown.month.to }, { enabled: hasForecast });
  const hasBudgets = lack({ fields: ['spend_budgets'] }) === undefined;
  const budgets = useGraphQL(MonthBudgets, { asOf: shown.now.to }, { enabled: hasBudgets });
  const isBudgetAsked = hasBudgets && budgets.data === undefined && budgets.error === null;
  const isForecastAsked = hasForecast && asked.error === null && (asked.data === undefined || asked.isPlaceholderData);
  const rows = isRunning && !asked.isPlaceholderData ? asked.data?.spend_forecast?.rows : undefined;
  const found = budgets.data?.spend_budgets?.rows;
  return useMemo(
    () => ({
      ...(isForecastAsked
        ? { running: null, total: undefined }
        : expected(rows ?? [], days, shown.now.to, currency, billed)),
      budget: isBudgetAsked ? undefined : budgetOf(found ?? [], currency),
    }),
    [rows, found, isForecastAsked, isBudgetAsked, days, shown.now.to, currency, billed],
  );
}

/** Adds the forecast to billed cost; all days of the month must be covered. */
export function expected(
  rows: readonly ForecastRow[],
  days: readonly string[],
  last: string,
  currency: string,
  billed: Numeric,
): { running: MonthForecast['running']; total: Numeric | null } {
  const byDay = new Map(rows.filter((row) => (row.currency ?? '') === currency).map((row) => [row.date, row.amount]));
  const open = days.filter((day) => day > last);
  if (open.length === 0 || !open.every((day) => byDay.has(day))) return { running: null, total: null };
  // Past days without a bill yet: their forecast is added to the next day.
  const missing = days.filter((day) => day <= last).flatMap((day) => byDay.get(day) ?? []);
  let total: Numeric = billed;
  const running = days.map((day) => {
    if (day < last) return null;
    if (day > last) total = sum([total, byDay.get(day), ...(day === open[0] ? missing : [])]);
    return total;
  });
  return { running, total };
}

/** The budget that is about everything, by month, in the currency. */
export function budgetOf(rows: readonly BudgetRow[], currency: string): Numeric | null {
  const isEverything = ({ scope }: BudgetRow) =>
    scope !== null && typeof scope === 'object' && Object.keys(scope).length === 0;
  const found = rows.find(
    (row) => row.account_id === null && row.period === 'month' && row.currency === currency && isEverything(row),
  );
  return found?.amount ?? null;
}
