import { isDay } from '@/shared';

/** What the Explorer shows, as its address says it. Unknown or broken values are left out, never an error. */
export interface ExplorerSearch {
  from?: string;
  to?: string;
}

export function explorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { from, to } = search;
  return isDay(from) && isDay(to) && from <= to ? { from, to } : {};
}
