import { endOfMonth, units } from '@/shared';
import type { DayRange } from '@/shared';

/** The months that costs tell of, "2026-06", the newest first. */
export function monthsOf(days: DayRange): string[] {
  return units('month', days)
    .map((day) => day.slice(0, 7))
    .reverse();
}

/** What is asked of budgets for a month: how they stood on its last day. The newest month, and none, is what they are now. */
export function requestFor(month: string | undefined, newest: string | undefined): { as_of?: string } {
  return month === undefined || newest === undefined || month >= newest ? {} : { as_of: endOfMonth(`${month}-01`) };
}
