/** The earlier import whose report is open. */
export interface ImportsSearch {
  open?: string;
}

export function importsSearch(search: Record<string, unknown>): ImportsSearch {
  return typeof search['open'] === 'string' ? { open: search['open'] } : {};
}
