export interface LogsSearch {
  account?: string;
  /** Times in UTC, "2026-11-20T06:30"; the last hour with lines if missing. */
  from?: string;
  to?: string;
  /** Words, or a selector such as {app="web"} |= "timeout". */
  q?: string;
  level?: string;
  /** Lines if missing. */
  show?: 'patterns';
  /** The time and place of the line that is open. */
  line?: string;
}

/** Changed values of an address; undefined removes one. */
export type Change = { [Key in keyof LogsSearch]?: LogsSearch[Key] | undefined };

/** Changes the address; a new entry of the history without `replace`. */
export type Go = (change: Change, replace?: boolean) => void;

const texts = ['account', 'q', 'level', 'line'] as const;
const times = ['from', 'to'] as const;

/** Unknown or invalid values are dropped, never an error. */
export function logsSearch(search: Record<string, unknown>): LogsSearch {
  const found: LogsSearch = {};
  for (const name of texts) {
    const value = search[name];
    // The router parses "123" in the address as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') found[name] = text;
  }
  if (search['show'] === 'patterns') found.show = 'patterns';
  for (const name of times) {
    const value = search[name];
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value)) found[name] = value;
  }
  return found;
}
