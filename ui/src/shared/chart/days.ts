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

/** The start time of an hour. */
function hourOf(day: Day): string {
  return day.slice(dayLength + 1, dayLength + 6);
}

/** The label under a bar: the month is named with its first label only. Of hours a midnight is named by its day, and the first by both. */
export function tickName(day: Day, before: Day | null, unit: Unit): string {
  if (day.length > dayLength) {
    const own = day.slice(0, dayLength);
    if (before?.slice(0, dayLength) === own) return hourOf(day);
    const date = `${String(Number(own.slice(8)))} ${month(own).slice(0, 3)}`;
    return hourOf(day) === '00:00' ? date : `${hourOf(day)} ${date}`;
  }
  const name = month(day).slice(0, 3);
  const sameYear = before?.slice(0, 4) === day.slice(0, 4);
  if (unit === 'month') return sameYear || before === null ? name : `${name} ${day.slice(0, 4)}`;
  const date = String(Number(day.slice(8)));
  return before?.slice(0, 7) === day.slice(0, 7) ? date : `${date} ${name}`;
}

/** Hours between two labels; the smallest step with enough room is used. Every step divides a day. */
const hourSteps = [1, 2, 3, 6, 12];

/** Which of the days get a label where the axis is so many px wide: evenly spaced, the first always; of hours those of a round time of day. */
export function labelled(days: readonly Day[], width: number): number[] {
  if ((days[0]?.length ?? 0) <= dayLength) return every(days.length, width / 64);
  const room = width / 88;
  const at = (step: number) => days.flatMap((day, i) => (Number(hourOf(day).slice(0, 2)) % step === 0 ? [i] : []));
  const some = hourSteps.map(at).find((found) => found.length <= room);
  if (some) return some;
  const midnights = at(24);
  return every(midnights.length, room).flatMap((i) => midnights[i] ?? []);
}

/** Every nth label, with as many labels as there is room for. */
function every(length: number, room: number): number[] {
  const step = Math.max(1, Math.ceil(length / Math.max(1, Math.floor(room))));
  return Array.from({ length: Math.ceil(length / step) }, (_, i) => i * step);
}
