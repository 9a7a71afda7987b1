import type { Numeric } from '@/shared';
import type { Comparison, Row } from './row';

/** A day (or hour) used for a floor, with the median of its weekday (or hour). */
export interface UnrestDay {
  date: string;
  value: Numeric;
  /** The median of its weekday; of hours, of the same hour on weekdays or on weekends. */
  middle: number;
  difference: number;
}

/** The days used for the floor of a day; empty if it was not calculated from other days. */
export function unrestDaysOf(row: Row, of: Comparison): UnrestDay[] {
  const { unrest } = of;
  if (!unrest) return [];
  const own = row.reference.unrestDays.filter(({ date }) => date >= unrest.from && date <= unrest.to);
  const alike = new Map<string, number[]>();
  for (const { date, value } of own) {
    const key = kindOf(date);
    alike.set(key, [...(alike.get(key) ?? []), Number(value)]);
  }
  return own
    .filter(({ date }) => !row.isHourly || (alike.get(kindOf(date)) ?? []).length > 1)
    .map(({ date, value }) => {
      const middle = median(alike.get(kindOf(date)) ?? []);
      return { date, value, middle, difference: Math.abs(Number(value) - middle) };
    });
}

/** Days of one weekday are alike; hours are that have the same time on weekdays, or on weekends. */
function kindOf(date: string): string {
  const weekday = new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDay();
  if (date.length <= 10) return String(weekday);
  return `${date.slice(11, 13)} ${weekday === 0 || weekday === 6 ? 'weekend' : 'weekday'}`;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}
