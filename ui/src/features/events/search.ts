import type { Filter } from '@/shared';

export const views = ['firing', 'resolved', 'closed'] as const;
export const periods = ['day', 'week', 'month'] as const;
export type View = (typeof views)[number];
export type Period = (typeof periods)[number];

/** The list settings and the open event. Missing values use the default. */
export interface EventsSearch {
  /** All events if missing. */
  show?: View;
  /** Any time if missing. */
  since?: Period;
  q?: string;
  filters?: Filter[];
  sort?: string;
  /** The event that is open. */
  id?: string;
}

/** The filter fields of events. */
export const fieldNames = [
  'severity',
  'priority',
  'source',
  'account',
  'triage',
  'owner',
  'cluster',
  'namespace',
  'workload',
  'subject',
  'kind',
] as const;
export type FieldName = (typeof fieldNames)[number];

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
export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  return tidy({
    show: views.find((view) => view === search['show']),
    since: periods.find((period) => period === search['since']),
    q: text(search['q']),
    filters: filters(search['filters']),
    sort: text(search['sort']),
    id: text(search['id']),
  });
}

type Loose = { [Key in keyof EventsSearch]?: EventsSearch[Key] | undefined };

/** Drops unset values, so that addresses stay short. */
export function tidy(search: Loose): EventsSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value.length > 0));
}
