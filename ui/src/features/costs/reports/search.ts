/** The open report and its open run. Missing values use the default. */
export interface ReportsSearch {
  /** The report that is open; `new` for one that is being added. */
  id?: string;
  /** The run whose documents are shown. */
  run?: string;
}

/** Unknown or invalid values are dropped, never an error. */
export function reportsSearch(search: Record<string, unknown>): ReportsSearch {
  const { id, run } = search;
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof run === 'string' && run !== '' ? { run } : {}),
  };
}
