/** Which import's report is open beside the list of earlier ones. */
export interface ImportsSearch {
  open?: string;
}

export function importsSearch(search: Record<string, unknown>): ImportsSearch {
  return typeof search['open'] === 'string' ? { open: search['open'] } : {};
}
