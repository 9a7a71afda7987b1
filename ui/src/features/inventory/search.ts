import type { Filter } from '@/shared';

/** The list settings and the open resource. Missing values use the default. */
export interface ResourcesSearch {
  /** The text resources are looked for by. */
  q?: string;
  filters?: Filter[];
  sort?: string;
  /** The resource that is open. */
  id?: string;
}

/** The filter fields of resources. */
export type FieldName = 'account' | 'service' | 'type' | 'region' | 'status';

export const fieldNames: readonly FieldName[] = ['account', 'service', 'type', 'region', 'status'];

function text(value: unknown): string | undefined {
  // The router parses "123" in the address as a number.
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function filters(value: unknown): Filter[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const valid = value.flatMap((entry: Partial<Filter> | null) => {
    const field = fieldNames.find((name) => name === entry?.field);
    const values: unknown[] = Array.isArray(entry?.values) ? entry.values : [];
    const texts = values.filter((one) => typeof one === 'string');
    return field && texts.length > 0 ? [{ field, values: texts, ...(entry?.not === true ? { not: true } : {}) }] : [];
  });
  return valid.length > 0 ? valid : undefined;
}

/** Unknown or invalid values are dropped, never an error. */
export function resourcesSearch(search: Record<string, unknown>): ResourcesSearch {
  return tidy({
    q: text(search['q']),
    filters: filters(search['filters']),
    sort: text(search['sort']),
    id: text(search['id']),
  });
}

type Loose = { [Key in keyof ResourcesSearch]?: ResourcesSearch[Key] | undefined };

/** Drops unset values, so that addresses stay short. */
export function tidy(search: Loose): ResourcesSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value.length > 0),
  );
}
