import { isDay } from '@/shared';
import type { Filter } from '@/shared';
import { isDimension } from './dimension';
import type { Dimension } from './dimension';
import { isMetric } from './metric';
import type { Metric } from './metric';

/**
 * What the Explorer shows, as its address says it: the same address shows the same view to a colleague. What is left out is at its
 * default; unknown or broken values are left out too, never an error.
 */
export interface ExplorerSearch {
  from?: string;
  to?: string;
  /** Compare with the previous period. */
  compare?: 'previous';
  unit?: 'week' | 'month';
  by?: Dimension;
  metric?: Metric;
  chart?: 'lines' | 'total';
  currency?: string;
  filters?: Filter[];
  /** The groups that are drawn; without it the eight largest and the rest. */
  only?: string[];
  /** The rows that are open, each as the path of groups that leads to it. */
  open?: string[][];
  /** The charge in the side panel. */
  charge?: string;
  /** The text rows are filtered by. */
  rows?: string;
  sort?: string;
  /** Columns in their order; without it the usual ones. */
  columns?: string[];
}

function oneOf<Value extends string>(value: unknown, values: readonly Value[]): Value | undefined {
  return values.find((allowed) => allowed === value);
}

function text(value: unknown): string | undefined {
  // The router parses "123" in the address as a number.
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === 'string')
    ? value
    : undefined;
}

function filters(value: unknown): Filter[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const valid = value.flatMap((entry: Partial<Filter> | null) => {
    const values = texts(entry?.values);
    return values && isDimension(entry?.field)
      ? [{ field: entry.field, values, ...(entry.not === true ? { not: true } : {}) }]
      : [];
  });
  return valid.length > 0 ? valid : undefined;
}

function paths(value: unknown): string[][] | undefined {
  if (!Array.isArray(value)) return undefined;
  const valid = value.map(texts).filter((path) => path !== undefined);
  return valid.length > 0 ? valid : undefined;
}

export function explorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { from, to } = search;
  const days = isDay(from) && isDay(to) && from <= to ? { from, to } : {};
  return tidy({
    ...days,
    compare: oneOf(search['compare'], ['previous']),
    unit: oneOf(search['unit'], ['week', 'month']),
    by: isDimension(search['by']) && search['by'] !== 'service' ? search['by'] : undefined,
    metric: isMetric(search['metric']) && search['metric'] !== 'billed' ? search['metric'] : undefined,
    chart: oneOf(search['chart'], ['lines', 'total']),
    currency: text(search['currency']),
    filters: filters(search['filters']),
    only: texts(search['only']),
    open: paths(search['open']),
    charge: text(search['charge']),
    rows: text(search['rows']),
    sort: text(search['sort']),
    columns: texts(search['columns']),
  });
}

type Loose = { [Key in keyof ExplorerSearch]?: ExplorerSearch[Key] | undefined };

/** Drops unset values, so that addresses stay short. */
export function tidy(search: Loose): ExplorerSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0)),
  );
}
