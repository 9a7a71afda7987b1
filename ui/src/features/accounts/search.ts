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

/** Unknown or broken values are left out, never an error. */
export function accountsSearch(search: Record<string, unknown>): AccountsSearch {
  const found: AccountsSearch = {};
  if (search['show'] === 'attention') found.show = 'attention';
  for (const name of texts) {
    const value = search[name];
    // The address gives "123" as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}
