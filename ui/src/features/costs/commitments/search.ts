import { isDay } from '@/shared';

/** The days shown, by default the last 30 with costs; and the terms of a planned commitment, as texts that the page parses. */
export interface CommitmentsSearch {
  from?: string;
  to?: string;
  /** Percent; by default the discount of the bill. */
  discount?: string;
  /** Months; 12 if missing. */
  term?: string;
  /** `none` if missing. */
  upfront?: string;
  /** The service, together with `currency`; all services if missing. */
  service?: string;
  currency?: string;
  /** The user's own hourly amount, compared with the recommended one. */
  hourly?: string;
}

const texts = ['discount', 'term', 'upfront', 'service', 'currency', 'hourly'] as const;

/** Unknown or invalid values are dropped, never an error. */
export function commitmentsSearch(search: Record<string, unknown>): CommitmentsSearch {
  const { from, to } = search;
  const found: CommitmentsSearch = isDay(from) && isDay(to) && from <= to ? { from, to } : {};
  for (const name of texts) if (search[name]) found[name] = String(search[name] as string);
  return found;
}
