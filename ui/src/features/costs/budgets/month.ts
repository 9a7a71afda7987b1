import { endOfMonth, units } from '@/shared';
import type { DayRange } from '@/shared';

/** The months with costs, "2026-06", the newest first. */
export function monthsOf(days: DayRange): string[] {
  return units('month', days)
    .map((day) => day.slice(0, 7))
    .reverse();
}

/** The request for the budgets of a month: their state on its last day. The newest month, or none, is the current state. */
export function requestFor(month: string | undefined, newest: string | undefined): { as_of?: string } {
  return month === undefined || newest === undefined || month >= newest ? {} : { as_of: endOfMonth(`${month}-01`) };
}
