/** What the page shows and which budget is open beside it. What is left out is at its default. */
export interface BudgetsSearch {
  /** The text budgets are looked for by. */
  q?: string;
  show?: 'attention';
  /** The budget that is open; `new` for one that is being added. */
  id?: string;
}

/** Unknown or broken values are left out, never an error. */
export function budgetsSearch(search: Record<string, unknown>): BudgetsSearch {
  const text = (value: unknown) => (typeof value === 'number' ? String(value) : value);
  const [q, id] = [text(search['q']), text(search['id'])];
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(search['show'] === 'attention' ? { show: 'attention' as const } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
  };
}
