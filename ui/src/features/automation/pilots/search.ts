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
}

/** Unknown or broken values are left out, never an error. */
export function pilotsSearch(search: Record<string, unknown>): PilotsSearch {
  const show = shows.find((one) => one === search['show']);
  const found: PilotsSearch = show ? { show } : {};
  for (const name of ['q', 'pilot', 'playbook'] as const) {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}
