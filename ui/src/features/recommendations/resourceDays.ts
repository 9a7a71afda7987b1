import { addDays, divide, length, subtract } from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import type { Card } from './card';

/** The 90 days up to the last one with costs. */
export function shownDays(last: string): DayRange {
  return { from: addDays(last, -89), to: last };
}

/** Daily values of a listing; null for days without a charge. */
export function costsOf(
  rows: readonly { spend_date: string | null; effective_cost: Numeric | null; spend_amount: Numeric | null }[],
  days: readonly string[],
): (Numeric | null)[] {
  const byDay = new Map(rows.map((row) => [row.spend_date?.slice(0, 10), row.effective_cost ?? row.spend_amount]));
  return days.map((day) => byDay.get(day) ?? null);
}

/** The daily cost after the change: monthly cost of the rule less the saving, divided by the days. Null if the rule does not state it. */
export function levelOf({ monthlyCost, period }: Card, savings: Numeric | null): Numeric | null {
  if (monthlyCost === null || period === null || savings === null) return null;
  return divide(subtract(monthlyCost, savings), length(period));
}
