/** The list settings and the open recommendation. Missing values use the default. */
export interface RecommendationsSearch {
  /** Open ones if missing. */
  show?: 'done' | 'dismissed';
  /** The text rows are filtered by. */
  q?: string;
  /** Values of a filter, "RightSizing,Cost"; "!Cost" is none of. */
  category?: string;
  severity?: string;
  status?: string;
  /** A user id, or "nobody". */
  owner?: string;
  account?: string;
  rule?: string;
  /** The change that resolves it. */
  change?: string;
  /** One line for each change or person instead of each recommendation. */
  group?: 'change' | 'owner';
  sort?: string;
  /** The recommendation that is open. */
  id?: string;
}

const texts = ['q', 'category', 'severity', 'status', 'owner', 'account', 'rule', 'change', 'sort', 'id'] as const;

/** Unknown or invalid values are dropped, never an error. */
export function recommendationsSearch(search: Record<string, unknown>): RecommendationsSearch {
  const found: RecommendationsSearch = {};
  if (search['show'] === 'done' || search['show'] === 'dismissed') found.show = search['show'];
  if (search['group'] === 'change' || search['group'] === 'owner') found.group = search['group'];
  for (const name of texts) {
    const value = search[name];
    // The router parses "123" in the address as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}
