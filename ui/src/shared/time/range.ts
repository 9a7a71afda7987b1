import type { Day } from '../format/date';

/** Days in UTC, both ends included. */
export interface DayRange {
  from: Day;
  to: Day;
}

export function isDay(text: unknown): text is Day {
  return typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && toDay(new Date(`${text}T00:00:00Z`)) === text;
}

/** The day of a time, in UTC; "" for an invalid time. */
export function toDay(at: Date): Day {
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10);
}

export function addDays(day: Day, days: number): Day {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return toDay(at);
}

/** The same day of another month, or its last day when the month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  return toDay(new Date(Date.UTC(year, month - 1 + months, Math.min(date, last.getUTCDate()))));
}

export function startOfMonth(day: Day): Day {
  return `${day.slice(0, 7)}-01`;
}

export function endOfMonth(day: Day): Day {
  return addDays(addMonths(startOfMonth(day), 1), -1);
}

/** Number of days in a range. */
export function length({ from, to }: DayRange): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1;
}

/**
 * The period to compare with: whole months go back by as many months, a running month by one month on the same days,
 * anything else by its own length.
 */
export function previous(range: DayRange): DayRange {
  const { from, to } = range;
  if (from === startOfMonth(from) && to === endOfMonth(to)) {
    const months =
      (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1;
    return { from: addMonths(from, -months), to: addDays(from, -1) };
  }
  if (from === startOfMonth(from) && from.slice(0, 7) === to.slice(0, 7)) {
    return { from: addMonths(from, -1), to: addMonths(to, -1) };
  }
  return { from: addDays(from, -length(range)), to: addDays(from, -1) };
}

export type Unit = 'day' | 'week' | 'month';

/** First day of the unit that contains a day; weeks start on Monday. */
export function startOf(unit: Unit, day: Day): Day {
  if (unit === 'month') return startOfMonth(day);
  if (unit === 'day') return day;
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The first days of all units that touch a range, oldest first. */
export function units(unit: Unit, { from, to }: DayRange): Day[] {
  const days: Day[] = [];
  for (
    let day = startOf(unit, from);
    day <= to;
    day = unit === 'month' ? addMonths(day, 1) : addDays(day, unit === 'week' ? 7 : 1)
  ) {
    days.push(day);
  }
  return days;
}

/** The bounds of a range for a filter on timestamps: `_gte` and `_lt`. */
export function bounds({ from, to }: DayRange): { _gte: string; _lt: string } {
  return { _gte: `${from}T00:00:00`, _lt: `${addDays(to, 1)}T00:00:00` };
}

/** Named ranges. `today` is passed in; a page of old bills may pass its last day with costs. */
export function presets(today: Day): { name: string; range: DayRange }[] {
  const month = startOfMonth(today);
  const quarter = addMonths(month, -((Number(today.slice(5, 7)) - 1) % 3));
  return [
    { name: 'Last 7 days', range: { from: addDays(today, -6), to: today } },
    { name: 'Last 30 days', range: { from: addDays(today, -29), to: today } },
    { name: 'This month', range: { from: month, to: today } },
    { name: 'Last month', range: { from: addMonths(month, -1), to: addDays(month, -1) } },
    { name: 'This quarter', range: { from: quarter, to: today } },
    { name: 'This year', range: { from: `${today.slice(0, 4)}-01-01`, to: today } },
    { name: 'Last 12 months', range: { from: addMonths(month, -11), to: today } },
  ];
}
