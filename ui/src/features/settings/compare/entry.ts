import type { Numeric } from '@/shared';

/** The content of one cell. Money has its currency, so that different currencies are never subtracted. */
export type Figure =
  | { kind: 'text'; text: string }
  | { kind: 'count'; value: Numeric }
  | { kind: 'money'; value: Numeric; currency: string }
  | { kind: 'day'; day: string };

/** One figure of an instance. Lines of two instances with the same key are compared. */
export interface Entry {
  key: string;
  label: string;
  figure: Figure;
  /** Sort key of the lines; without it they keep their order. */
  rank?: string;
}

export const text = (value: string): Figure => ({ kind: 'text', text: value });
export const counted = (value: Numeric): Figure => ({ kind: 'count', value });
