import type { Json } from '@/api';
import type { Filter } from '@/shared';
import { tagKey } from './dimension';
import type { Dimension } from './dimension';

/** The names budgets have for what the Explorer filters by. */
const scopeNames: Partial<Record<string, string>> = {
  account: 'account_ids',
  service: 'service_name',
  category: 'service_category',
  region: 'region',
  charge: 'charge_category',
  provider: 'provider_name',
};

/** What a budget can be about; the rest of the Explorer's dimensions it cannot. */
export function isInScope(dimension: string): boolean {
  return dimension in scopeNames || dimension.startsWith('tag:');
}

/** The filters of a stored scope. */
export function filtersOf(scope: Json): Filter[] {
  if (scope === null || typeof scope !== 'object' || Array.isArray(scope)) return [];
  return Object.entries(scope).map(([name, values]) => {
    const plain = Object.entries(scopeNames).find(([, stored]) => stored === name)?.[0];
    const field = plain ?? (name.startsWith('tags.') ? `tag:${name.slice(5)}` : name);
    const list: unknown[] = Array.isArray(values) ? values : [values];
    return { field, values: list.filter((value) => typeof value === 'string') };
  });
}

/** The stored scope of filters. */
export function scopeOf(filters: readonly Filter[]): Record<string, string[]> {
  return Object.fromEntries(
    filters.map(({ field, values }) => {
      const key = tagKey(field as Dimension);
      return [key === null ? (scopeNames[field] ?? field) : `tags.${key}`, values];
    }),
  );
}

/** Filters of an address that a scope can have; others are left out. */
export function filtersIn(filters: readonly Partial<Filter>[] = []): Filter[] {
  return filters.flatMap((entry: Partial<Filter> | null) => {
    const { field, values } = entry ?? {};
    const isList = Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === 'string');
    return typeof field === 'string' && isInScope(field) && isList ? [{ field, values }] : [];
  });
}
