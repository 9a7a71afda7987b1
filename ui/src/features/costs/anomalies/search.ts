import { isDay } from '@/shared';
import type { Filter } from '@/shared';

/** The filter fields of anomalies. */
export const fieldNames = ['kind', 'account', 'service'] as const;
export type FieldName = (typeof fieldNames)[number];

/** The list settings and the open anomaly. Missing values use the default. */
export interface AnomaliesSearch {
  /** All if missing. */
  show?: 'unjudged';
  /** First and last day of the period; all days if missing. */
  from?: string;
  to?: string;
  /** The text rows are filtered by. */
  q?: string;
  filters?: Filter[];
  /** The anomaly that is open. */
  id?: string;
  /** The detection rules are open: `list`, `new` or the id of one. */
  rules?: string;
}

/** Unknown or invalid values are dropped, never an error. */
export function anomaliesSearch(search: Record<string, unknown>): AnomaliesSearch {
  const { from, to } = search;
  const found: AnomaliesSearch = isDay(from) && isDay(to) && from <= to ? { from, to } : {};
  if (search['show'] === 'unjudged') found.show = 'unjudged';
  const filters = filtersOf(search['filters']);
  if (filters.length > 0) found.filters = filters;
  for (const name of ['q', 'id', 'rules'] as const) {
    const value = search[name];
    // The router parses "123" in the address as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}

function filtersOf(value: unknown): Filter[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: Partial<Filter> | null) => {
    const field = fieldNames.find((name) => name === entry?.field);
    const given: unknown[] = Array.isArray(entry?.values) ? entry.values : [];
    const values = given.filter((one) => typeof one === 'string');
    return field && values.length > 0 ? [{ field, values, ...(entry?.not === true ? { not: true } : {}) }] : [];
  });
}
