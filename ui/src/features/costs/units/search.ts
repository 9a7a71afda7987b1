import { isDay } from '@/shared';
import type { Filter } from '@/shared';

/** What the page shows; what is left out is at its default. */
export interface UnitCostsSearch {
  /** The number that cost is held against; the first one when left out. */
  name?: string;
  /** Only numbers of this group. */
  group?: string;
  from?: string;
  to?: string;
  every?: 'day';
  /** Which charges; all when left out. */
  filters?: Filter[];
}

/** Unknown or broken values are left out, never an error; which filters count, the page says. */
export function unitCostsSearch({ name, group, from, to, every, filters }: Record<string, unknown>): UnitCostsSearch {
  return {
    ...(name ? { name: String(name as string) } : {}),
    ...(group ? { group: String(group as string) } : {}),
    ...(isDay(from) && isDay(to) && from <= to ? { from, to } : {}),
    ...(every === 'day' ? { every } : {}),
    ...(Array.isArray(filters) && filters.length > 0 ? { filters: filters as Filter[] } : {}),
  };
}
