export interface TriageSearch {
  /** The rule that is open; "new" for the form. */
  id?: string;
}

/** Unknown or broken values are left out, never an error. */
export function triageSearch(search: Record<string, unknown>): TriageSearch {
  const id = search['id'];
  return typeof id === 'string' && id !== '' ? { id } : {};
}
