import type { Json } from '@/api';
import type { Filter } from '@/shared';
import { tagKey } from './dimension';
import type { Dimension } from './dimension';

/** The budget names of the Explorer's filter fields. */
const scopeNames: Partial<Record<string, string>> = {
  account: 'account_ids',
  service: 'service_name',
  category: 'service_category',
  region: 'region',
  charge: 'charge_category',
  provider: 'provider_name',
};

/** Whether a budget can filter by the dimension; budgets support only some dimensions of the Explorer. */
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

/** Filters of an address that a budget scope supports; others are dropped. */
export function filtersIn(filters: readonly Partial<Filter>[] = []): Filter[] {
  return filters.flatMap((entry: Partial<Filter> | null) => {
    const { field, values } = entry ?? {};
    const isList = Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === 'string');
    return typeof field === 'string' && isInScope(field) && isList ? [{ field, values }] : [];
  });
}
