/** Which report is open beside the list, and which of its runs. What is left out is at its default. */
export interface ReportsSearch {
  /** The report that is open; `new` for one that is being added. */
  id?: string;
  /** The run whose documents are shown. */
  run?: string;
}

/** Unknown or broken values are left out, never an error. */
export function reportsSearch(search: Record<string, unknown>): ReportsSearch {
  const { id, run } = search;
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof run === 'string' && run !== '' ? { run } : {}),
  };
}
