export interface ApprovalsSearch {
  /** Waiting ones if missing. */
  show?: 'answered';
  q?: string;
  /** The question that is open; the first without it. */
  id?: string;
}

/** Unknown or invalid values are dropped, never an error. */
export function approvalsSearch({ show, q, id }: Record<string, unknown>): ApprovalsSearch {
  const text = typeof q === 'number' ? String(q) : q;
  return {
    ...(show === 'answered' ? { show } : {}),
    ...(typeof text === 'string' && text !== '' ? { q: text } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
  };
}
