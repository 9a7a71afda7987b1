import type { Filter } from '@/shared';

export const modes = ['outage', 'needs', 'path'] as const;
/** The mode: dependents of a node (outage), its dependencies, or a path to another node; neighbours if missing. */
export type Mode = (typeof modes)[number];

export interface GraphSearch {
  /** The central node; the whole graph if missing. */
  node?: string;
  mode?: Mode;
  /** Where the path leads. */
  to?: string;
  /** Steps around the node, 1 to 3; 2 if missing. */
  steps?: number;
  /** Kinds of things, and of relations, that are not shown. */
  hide?: string[];
  /** Accounts and labels that nodes must have. */
  filters?: Filter[];
  view?: 'list';
  /** The node in the side panel. */
  id?: string;
}

const fields = ['account', 'label'] as const;

function filters(value: unknown): Filter[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: Partial<Filter> | null) => {
    const field = fields.find((name) => name === entry?.field);
    const values: unknown[] = Array.isArray(entry?.values) ? entry.values : [];
    const texts = values.filter((one) => typeof one === 'string');
    return field && texts.length > 0 ? [{ field, values: texts, ...(entry?.not === true ? { not: true } : {}) }] : [];
  });
}

/** Unknown or invalid values are dropped, never an error. */
export function graphSearch(search: Record<string, unknown>): GraphSearch {
  const found: GraphSearch = {};
  const mode = modes.find((one) => one === search['mode']);
  if (mode) found.mode = mode;
  for (const name of ['node', 'to', 'id'] as const) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
  }
  const steps = search['steps'];
  if (steps === 1 || steps === 3) found.steps = steps;
  const hide: unknown[] = Array.isArray(search['hide']) ? search['hide'] : [];
  const texts = hide.filter((one) => typeof one === 'string');
  if (texts.length > 0) found.hide = texts;
  const met = filters(search['filters']);
  if (met.length > 0) found.filters = met;
  if (search['view'] === 'list') found.view = 'list';
  return found;
}
