export const shows = ['active', 'dry', 'off'] as const;

/** The page settings and the open item. Missing values use the default. */
export interface PilotsSearch {
  /** All if missing. */
  show?: (typeof shows)[number];
  q?: string;
  /** The auto-pilot that is open. */
  pilot?: string;
  /** The playbook that is open. */
  playbook?: string;
  /** Opens the form of a new auto-pilot, with this category, account, kind and name of a resource. */
  add?: string;
  account?: string;
  type?: string;
  name?: string;
  /** The number of recommendations it is based on. */
  of?: number;
}

/** Clears the parameters of a new auto-pilot. */
export const noStart = { add: undefined, account: undefined, type: undefined, name: undefined, of: undefined };

/** Unknown or invalid values are dropped, never an error. */
export function pilotsSearch(search: Record<string, unknown>): PilotsSearch {
  const show = shows.find((one) => one === search['show']);
  const found: PilotsSearch = show ? { show } : {};
  for (const name of ['q', 'pilot', 'playbook', 'add', 'account', 'type', 'name'] as const) {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  if (typeof search['of'] === 'number') found.of = search['of'];
  return found;
}
