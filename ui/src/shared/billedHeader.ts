import type { DayRange } from './time/range';

/** Column header for billed amounts in an exported file, with days and currency, which nothing else in the file states. */
export function billedHeader(days: DayRange, currency: string): string {
  return `Billed cost ${days.from} to ${days.to}, ${currency || 'no currency'}`;
}
