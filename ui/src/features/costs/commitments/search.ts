import { isDay } from '@/shared';

/** The days that are shown, the last 30 with costs when left out; and the commitment that is thought of, as texts: the page reads them. */
export interface CommitmentsSearch {
  from?: string;
  to?: string;
  /** Percent; left out: what the bill shows. */
  discount?: string;
  /** Months; 12 when left out. */
  term?: string;
  /** `none` when left out. */
  upfront?: string;
  /** With `currency`, what it is for; every service when left out. */
  service?: string;
  currency?: string;
  /** An amount an hour to hold beside the recommended one. */
  hourly?: string;
}

const texts = ['discount', 'term', 'upfront', 'service', 'currency', 'hourly'] as const;

/** Unknown or broken values are left out, never an error. */
export function commitmentsSearch(search: Record<string, unknown>): CommitmentsSearch {
  const { from, to } = search;
  const found: CommitmentsSearch = isDay(from) && isDay(to) && from <= to ? { from, to } : {};
  for (const name of texts) if (search[name]) found[name] = String(search[name] as string);
  return found;
}
