import { isDay } from '@/shared';
import type { Filter } from '@/shared';

/** The page settings; missing values use the default. */
export interface UnitCostsSearch {
  /** The business number; the first one if missing. */
  name?: string;
  /** Only numbers of this group. */
  group?: string;
  from?: string;
  to?: string;
  every?: 'day';
  /** The charges; all if missing. */
  filters?: Filter[];
}

/** Unknown or invalid values are dropped, never an error; the page validates the filters. */
export function unitCostsSearch({ name, group, from, to, every, filters }: Record<string, unknown>): UnitCostsSearch {
  return {
    ...(name ? { name: String(name as string) } : {}),
    ...(group ? { group: String(group as string) } : {}),
    ...(isDay(from) && isDay(to) && from <= to ? { from, to } : {}),
    ...(every === 'day' ? { every } : {}),
    ...(Array.isArray(filters) && filters.length > 0 ? { filters: filters as Filter[] } : {}),
  };
}
