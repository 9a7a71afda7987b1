import { length } from '@/shared';
import type { Tone } from '@/shared';

/** Days before the end of a term at which a warning is shown. */
const warnings: readonly { days: number; tone: Tone }[] = [
  { days: 7, tone: 'bad' },
  { days: 30, tone: 'warn' },
  { days: 90, tone: 'off' },
];

export interface End {
  /** Whole days from the day to the end; 0 and less: it is over. */
  days: number;
  /** Undefined while there is time. */
  tone: Tone | undefined;
}

/** How near the end of a term is on a day. `end` is the day after the last one. */
export function endOf(end: string, day: string): End {
  if (end <= day) return { days: 0, tone: 'off' };
  const days = length({ from: day, to: end }) - 1;
  return { days, tone: warnings.find((warning) => days <= warning.days)?.tone };
}
