import { addDays, divide, length, subtract } from '@/shared';
import type { DayRange, Numeric } from '@/shared';
import type { Card } from './card';

/** The 90 days up to the last one with costs. */
export function shownDays(last: string): DayRange {
  return { from: addDays(last, -89), to: last };
}

/** What a listing says of each day; null for days without a charge. */
export function costsOf(
  rows: readonly { spend_date: string | null; effective_cost: Numeric | null; spend_amount: Numeric | null }[],
  days: readonly string[],
): (Numeric | null)[] {
  const byDay = new Map(rows.map((row) => [row.spend_date?.slice(0, 10), row.effective_cost ?? row.spend_amount]));
  return days.map((day) => byDay.get(day) ?? null);
}

/** What a day costs after the change: the cost of the rule's month without the saving, by its days. Null where the rule does not say it. */
export function levelOf({ monthlyCost, period }: Card, savings: Numeric | null): Numeric | null {
  if (monthlyCost === null || period === null || savings === null) return null;
  return divide(subtract(monthlyCost, savings), length(period));
}
