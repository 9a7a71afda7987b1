/** What the list shows and which recommendation is open beside it. */
export interface RecommendationsSearch {
  open?: string;
}

export function recommendationsSearch(search: Record<string, unknown>): RecommendationsSearch {
  return typeof search['open'] === 'string' ? { open: search['open'] } : {};
}
