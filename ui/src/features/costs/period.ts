import { addDays, endOfMonth, startOf, startOfMonth, units } from '@/shared';
import type { DayRange, Unit } from '@/shared';

/** The default range: the month of the last day covered by bills, up to that day. */
export function usualRange(extent: DayRange): DayRange {
  return { from: startOfMonth(extent.to), to: extent.to };
}

/** Named ranges that end with the costs; old bills have no "this month". Only "all days" includes charges dated ahead (`last`). */
export function namedRanges(extent: DayRange & { last?: string }): { name: string; range: DayRange }[] {
  const { from, to, last = to } = extent;
  const atLeast = (day: string) => (day < from ? from : day);
  return [
    { name: 'All days', range: { from, to: last } },
    { name: 'Latest month', range: { from: startOfMonth(to), to: endOfMonth(to) } },
    { name: 'Last 30 days', range: { from: atLeast(addDays(to, -29)), to } },
    { name: 'Last 90 days', range: { from: atLeast(addDays(to, -89)), to } },
  ];
}

/** Values for each unit of a range; a missing unit is a gap. */
export function along<Value>(
  range: DayRange,
  unit: Unit,
  rows: Iterable<readonly [day: string, value: Value]>,
): (Value | null)[] {
  const values = new Map<string, Value>();
  for (const [day, value] of rows) values.set(startOf(unit, day.slice(0, 10)), value);
  return units(unit, range).map((day) => values.get(day) ?? null);
}

/** The part of a unit inside the range: the first week of a month starts with the month. */
export function within(range: DayRange, unit: Unit, day: string): DayRange {
  const next = unit === 'month' ? endOfMonth(day) : addDays(day, unit === 'week' ? 6 : 0);
  return { from: day < range.from ? range.from : day, to: next > range.to ? range.to : next };
}
