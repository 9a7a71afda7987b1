import { isDay } from '@/shared';

/** The days that are shown; the last 30 with costs when left out. */
export interface CommitmentsSearch {
  from?: string;
  to?: string;
}

/** Unknown or broken values are left out, never an error. */
export function commitmentsSearch(search: Record<string, unknown>): CommitmentsSearch {
  const { from, to } = search;
  return isDay(from) && isDay(to) && from <= to ? { from, to } : {};
}
