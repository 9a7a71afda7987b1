import { longDay, month } from '../format/date';
import type { Day } from '../format/date';
import { addDays } from '../time/range';
import type { Unit } from '../time/range';
import { range } from '../format/date';

/** The head of the read-out: "Thu 12 Nov 2026", "9–15 Nov 2026", "November 2026". */
export function unitName(day: Day, unit: Unit): string {
  if (unit === 'month') return month(day);
  return unit === 'week' ? range(day, addDays(day, 6)) : longDay(day);
}

/** The label under a bar: the month is named with its first label only. */
export function tickName(day: Day, before: Day | null, unit: Unit): string {
  const name = month(day).slice(0, 3);
  const sameYear = before?.slice(0, 4) === day.slice(0, 4);
  if (unit === 'month') return sameYear || before === null ? name : `${name} ${day.slice(0, 4)}`;
  const date = String(Number(day.slice(8)));
  return before?.slice(0, 7) === day.slice(0, 7) ? date : `${date} ${name}`;
}
