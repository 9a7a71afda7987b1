import type { Numeric } from '@/shared';

/** What stands in one cell. Money has its currency, so that amounts of two currencies are never subtracted. */
export type Figure =
  | { kind: 'text'; text: string }
  | { kind: 'count'; value: Numeric }
  | { kind: 'money'; value: Numeric; currency: string }
  | { kind: 'day'; day: string };

/** One line of what an instance tells. Lines of two instances with the same key stand beside each other. */
export interface Entry {
  key: string;
  label: string;
  figure: Figure;
  /** Lines are ordered by it; the order they came in without it. */
  rank?: string;
}

export const text = (value: string): Figure => ({ kind: 'text', text: value });
export const counted = (value: Numeric): Figure => ({ kind: 'count', value });
