export const shows = ['active', 'dry', 'off'] as const;

/** What the page shows, and what is open on it. What is left out is at its default. */
export interface PilotsSearch {
  /** All when left out. */
  show?: (typeof shows)[number];
  q?: string;
  /** The auto-pilot that is open. */
  pilot?: string;
  /** The playbook that is open. */
  playbook?: string;
  /** A new auto-pilot is asked for, with this category, account, kind and name of a resource. */
  add?: string;
  account?: string;
  type?: string;
  name?: string;
  /** How many recommendations it begins from. */
  of?: number;
}

/** The parameters of a new auto-pilot, when nobody asks for one. */
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
