import { longDay, month } from '../format/date';
import type { Day } from '../format/date';
import { addDays } from '../time/range';
import type { Unit } from '../time/range';
import { range } from '../format/date';

/** The length of a day as a text; an hour is longer: "2026-11-12T13:00:00". */
const dayLength = 10;

/**
 * The head of the read-out: "Thu 12 Nov", "9–15 Nov", "November"; of an hour "Thu 12 Nov, 13:00 UTC". As everywhere, the year is named when it is not
 * that of `now`.
 */
export function unitName(day: Day, unit: Unit, now: Date): string {
  if (day.length > dayLength) return `${longDay(day.slice(0, dayLength), now)}, ${hourOf(day)} UTC`;
  if (unit === 'month') return month(day, now);
  return unit === 'week' ? range(day, addDays(day, 6), now) : longDay(day, now);
}

/** The time of day an hour begins at. */
function hourOf(day: Day): string {
  return day.slice(dayLength + 1, dayLength + 6);
}

/** The label under a bar: the month is named with its first label only; of hours the day. */
export function tickName(day: Day, before: Day | null, unit: Unit): string {
  if (day.length > dayLength) {
    const own = day.slice(0, dayLength);
    const isSame = before?.slice(0, dayLength) === own;
    return isSame ? hourOf(day) : `${hourOf(day)} ${String(Number(own.slice(8)))} ${month(own).slice(0, 3)}`;
  }
  const name = month(day).slice(0, 3);
  const sameYear = before?.slice(0, 4) === day.slice(0, 4);
  if (unit === 'month') return sameYear || before === null ? name : `${name} ${day.slice(0, 4)}`;
  const date = String(Number(day.slice(8)));
  return before?.slice(0, 7) === day.slice(0, 7) ? date : `${date} ${name}`;
}
