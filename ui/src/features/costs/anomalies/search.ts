/** What the list shows and which anomaly is open. What is left out is at its default. */
export interface AnomaliesSearch {
  /** All when left out. */
  show?: 'unjudged';
  /** The text rows are filtered by. */
  q?: string;
  /** The anomaly that is open. */
  id?: string;
}

/** Unknown or broken values are left out, never an error. */
export function anomaliesSearch(search: Record<string, unknown>): AnomaliesSearch {
  const found: AnomaliesSearch = {};
  if (search['show'] === 'unjudged') found.show = 'unjudged';
  for (const name of ['q', 'id'] as const) {
    const value = search[name];
    // The address gives "123" as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  return found;
}
