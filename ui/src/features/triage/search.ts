export interface TriageSearch {
  /** The rule that is open; "new" for the form. */
  id?: string;
}

/** Unknown or invalid values are dropped, never an error. */
export function triageSearch(search: Record<string, unknown>): TriageSearch {
  const id = search['id'];
  return typeof id === 'string' && id !== '' ? { id } : {};
}
