export interface AccountsSearch {
  /** All accounts when left out. */
  show?: 'attention';
  q?: string;
  provider?: string;
  sort?: string;
  /** The account that is open. */
  id?: string;
}

const texts = ['q', 'provider', 'sort', 'id'] as const;

/** Unknown or invalid values are dropped, never an error. */
export function accountsSearch(search: Record<string, unknown>): AccountsSearch {
  const found: AccountsSearch = {};
  if (search['show'] === 'attention') found.show = 'attention';
  for (const name of texts) {
    const value = search[name];
    // The router parses "123" in the address as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}
