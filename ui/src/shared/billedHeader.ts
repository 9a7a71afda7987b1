import type { DayRange } from './time/range';

/** Over amounts in a file: it says of which days and in which currency they are, as nothing else there does. */
export function billedHeader(days: DayRange, currency: string): string {
  return `Billed cost ${days.from} to ${days.to}, ${currency || 'no currency'}`;
}
