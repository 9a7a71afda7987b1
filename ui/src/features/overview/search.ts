import { isDay } from '@/shared';

/** What the Overview shows, as its address says it. Unknown or broken values are left out, never an error. */
export interface OverviewSearch {
  from?: string;
  to?: string;
}

export function overviewSearch(search: Record<string, unknown>): OverviewSearch {
  const { from, to } = search;
  return isDay(from) && isDay(to) && from <= to ? { from, to } : {};
}
