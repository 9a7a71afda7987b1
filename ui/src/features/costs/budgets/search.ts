import { isDay } from '@/shared';

/** The kinds of budget scopes. */
export const scopeKinds = ['everything', 'account', 'filters', 'unit', 'project'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

/** The page settings and the open budget. Missing values use the default. */
export interface BudgetsSearch {
  /** The text budgets are looked for by. */
  q?: string;
  show?: 'attention';
  /** "2026-05"; the newest month if missing. */
  month?: string;
  /** The scope filter; all if missing. */
  scope?: ScopeKind;
  /** The budget that is open; `new` for one that is being added. */
  id?: string;
}

/** Unknown or invalid values are dropped, never an error. */
export function budgetsSearch(search: Record<string, unknown>): BudgetsSearch {
  const text = (value: unknown) => (typeof value === 'number' ? String(value) : value);
  const [q, id, month] = [text(search['q']), text(search['id']), search['month']];
  const scope = scopeKinds.find((kind) => kind === search['scope']);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(search['show'] === 'attention' ? { show: 'attention' as const } : {}),
    ...(typeof month === 'string' && isDay(`${month}-01`) ? { month } : {}),
    ...(scope ? { scope } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
  };
}
