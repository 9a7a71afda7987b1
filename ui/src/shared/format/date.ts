/** Days are in UTC, the zone of every bill; times of day are in the user's zone. Nothing here reads the clock: `now` is passed in. */

import { onWall, zone, zoneShort } from './zone';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const longMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A calendar day, "2026-11-19". */
export type Day = string;

/** Parses timestamps of the service; those without a zone are UTC. */
export function parseTime(text: string): Date {
  return new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
}

/** "20 Nov", with the year when it is not the year of `now`. */
export function date(value: string | Date, now: Date): string {
  const at = typeof value === 'string' ? parseTime(value) : value;
  const text = `${String(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''}`;
  return at.getUTCFullYear() === now.getUTCFullYear() ? text : `${text} ${String(at.getUTCFullYear())}`;
}

/** "20 Nov" of a moment, where the person is. A day without a time is the same day everywhere. */
export function dateOf(value: string | Date, now: Date, name = zone()): string {
  return date(wallOf(value, name), onWall(now, name));
}

/** "06:38" where the person is. */
export function time(value: string | Date, name = zone()): string {
  return wallOf(value, name).toISOString().slice(11, 16);
}

/** "06:38:04", as lines of a log have it. */
export function timeSeconds(value: string | Date): string {
  return wallOf(value, zone()).toISOString().slice(11, 19);
}

/** "20 Nov, 06:38" in the user's time zone, which the status bar shows. */
export function dateTime(value: string | Date, now: Date, name = zone()): string {
  return `${dateOf(value, now, name)}, ${time(value, name)}`;
}

/** "20 Nov, 06:38 UTC": for tooltips, and for times without other context. */
export function dateTimeZone(value: string | Date, now: Date): string {
  return `${dateTime(value, now)} ${zoneShort(typeof value === 'string' ? parseTime(value) : value)}`;
}

function wallOf(value: string | Date, name: string): Date {
  const at = typeof value === 'string' ? parseTime(value) : value;
  return typeof value === 'string' && value.length === 10 ? at : onWall(at, name);
}

/** "November 2026" of any day in it; with `now`, "November" when it is of that year. */
export function month(day: Day, now?: Date): string {
  const name = longMonths[Number(day.slice(5, 7)) - 1] ?? '';
  return isThisYear(day, now) ? name : `${name} ${day.slice(0, 4)}`;
}

function isThisYear(day: Day, now: Date | undefined): boolean {
  return now !== undefined && day.slice(0, 4) === String(now.getUTCFullYear());
}

/** "Thu 12 Nov 2026"; with `now`, "Thu 12 Nov" when it is of that year. */
export function longDay(day: Day, now?: Date): string {
  const at = parseTime(day);
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][at.getUTCDay()] ?? '';
  const text = `${weekday} ${String(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''}`;
  return isThisYear(day, now) ? text : `${text} ${day.slice(0, 4)}`;
}

/**
 * Shortest wording of a range of days, both included: "1–19 Nov 2026", "3 Oct – 2 Nov 2026", "September 2024". With `now`, the year is left out when
 * both days are of that year: "1–19 Nov". Files, and what is chosen in a date picker, name it always.
 */
export function range(from: Day, to: Day, now?: Date): string {
  const [a, b] = [parseTime(from), parseTime(to)];
  const year = isThisYear(from, now) ? '' : ` ${to.slice(0, 4)}`;
  const ends = new Date(Date.UTC(b.getUTCFullYear(), b.getUTCMonth() + 1, 0)).getUTCDate() === b.getUTCDate();
  const name = (at: Date) => `${String(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''}`;
  if (from.slice(0, 7) === to.slice(0, 7)) {
    if (a.getUTCDate() === 1 && ends) return month(from, now);
    if (from === to) return `${name(a)}${year}`;
    return `${String(a.getUTCDate())}–${name(b)}${year}`;
  }
  if (from.slice(0, 4) === to.slice(0, 4)) {
    if (from.endsWith('-01-01') && to.endsWith('-12-31')) return from.slice(0, 4);
    return `${name(a)} – ${name(b)}${year}`;
  }
  return `${name(a)} ${from.slice(0, 4)} – ${name(b)} ${to.slice(0, 4)}`;
}

/** "26 h ago" under 48 h, else the date; show the exact time as a title. */
export function age(value: string | Date, now: Date): string {
  const at = typeof value === 'string' ? parseTime(value) : value;
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${String(minutes)} min ago`;
  return minutes < 48 * 60 ? `${String(Math.floor(minutes / 60))} h ago` : dateOf(at, now);
}
