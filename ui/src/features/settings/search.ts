/** Search parameters of the settings pages. Missing values use the default. */
export interface SignOnSearch {
  tab?: 'refusals' | 'lab';
  /** The test sign-in that is shown. */
  test?: string;
  /** The refusal that is open. */
  open?: string;
  /** The provider whose setup guide is open. */
  guide?: string;
}

export function signOnSearch(search: Record<string, unknown>): SignOnSearch {
  const { tab, test, open, guide } = search;
  return {
    ...(tab === 'refusals' || tab === 'lab' ? { tab } : {}),
    ...(typeof test === 'string' ? { test } : {}),
    ...(typeof open === 'string' ? { open } : {}),
    ...(typeof guide === 'string' ? { guide } : {}),
  };
}

export interface UsersSearch {
  tab?: 'audit';
  status?: 'suspended' | 'inactive';
  role?: string;
  q?: string;
  /** The open user. */
  id?: string;
}

export function usersSearch(search: Record<string, unknown>): UsersSearch {
  const { tab, status, role, q, id } = search;
  const text = typeof q === 'number' ? String(q) : q;
  return {
    ...(tab === 'audit' ? { tab } : {}),
    ...(status === 'suspended' || status === 'inactive' ? { status } : {}),
    ...(typeof role === 'string' ? { role } : {}),
    ...(typeof text === 'string' && text !== '' ? { q: text } : {}),
    ...(typeof id === 'string' ? { id } : {}),
  };
}

export interface ProvidersSearch {
  /** The provider that is open; the first one without it. */
  id?: string;
}

export function providersSearch({ id }: Record<string, unknown>): ProvidersSearch {
  return typeof id === 'string' ? { id } : {};
}

export interface PrivacySearch {
  /** Replacement rules without it. */
  tab?: 'budgets' | 'sent';
  /** The account budgets and requests are of; the first one without it. */
  account?: string;
}

export function privacySearch({ tab, account }: Record<string, unknown>): PrivacySearch {
  return {
    ...(tab === 'budgets' || tab === 'sent' ? { tab } : {}),
    ...(typeof account === 'string' ? { account } : {}),
  };
}

/** The two instances compared: `here` is this computer, others are identified by id. */
export interface CompareSearch {
  a?: string;
  b?: string;
  only?: 'differences';
}

export function compareSearch({ a, b, only }: Record<string, unknown>): CompareSearch {
  return {
    ...(typeof a === 'string' ? { a } : {}),
    ...(typeof b === 'string' ? { b } : {}),
    ...(only === 'differences' ? { only } : {}),
  };
}
