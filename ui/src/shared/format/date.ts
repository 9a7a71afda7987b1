/** Days and times in UTC, the zone of every bill. Nothing here reads the clock: `now` comes in. */

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

/** Reads what the service sends: timestamps without a zone are UTC. */
export function parseTime(text: string): Date {
  return new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
}

/** "20 Nov", with the year when it is not the year of `now`. */
export function date(value: string | Date, now: Date): string {
  const at = typeof value === 'string' ? parseTime(value) : value;
  const text = `${String(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''}`;
  return at.getUTCFullYear() === now.getUTCFullYear() ? text : `${text} ${String(at.getUTCFullYear())}`;
}

/** "20 Nov, 06:38"; the zone stands in the status bar. */
export function dateTime(value: string | Date, now: Date): string {
  const at = typeof value === 'string' ? parseTime(value) : value;
  return `${date(at, now)}, ${at.toISOString().slice(11, 16)}`;
}

/** "November 2026" of any day in it. */
export function month(day: Day): string {
  return `${longMonths[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`;
}

/** "Thu 12 Nov 2026" */
export function longDay(day: Day): string {
  const at = parseTime(day);
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][at.getUTCDay()] ?? '';
  return `${weekday} ${String(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''} ${day.slice(0, 4)}`;
}

/** Shortest wording of a range of days, both included: "1–19 Nov 2026", "3 Oct – 2 Nov 2026", "September 2024". */
export function range(from: Day, to: Day): string {
  const [a, b] = [parseTime(from), parseTime(to)];
  const ends = new Date(Date.UTC(b.getUTCFullYear(), b.getUTCMonth() + 1, 0)).getUTCDate() === b.getUTCDate();
  const name = (at: Date) => `${String(at.getUTCDate())} ${months[at.getUTCMonth()] ?? ''}`;
  if (from.slice(0, 7) === to.slice(0, 7)) {
    if (a.getUTCDate() === 1 && ends) return month(from);
    if (from === to) return `${name(a)} ${to.slice(0, 4)}`;
    return `${String(a.getUTCDate())}–${name(b)} ${to.slice(0, 4)}`;
  }
  if (from.slice(0, 4) === to.slice(0, 4)) {
    if (from.endsWith('-01-01') && to.endsWith('-12-31')) return from.slice(0, 4);
    return `${name(a)} – ${name(b)} ${to.slice(0, 4)}`;
  }
  return `${name(a)} ${from.slice(0, 4)} – ${name(b)} ${to.slice(0, 4)}`;
}

/** "26 h ago" under 48 h, else the date; give the exact time as a title beside it. */
export function age(value: string | Date, now: Date): string {
  const at = typeof value === 'string' ? parseTime(value) : value;
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${String(minutes)} min ago`;
  return minutes < 48 * 60 ? `${String(Math.floor(minutes / 60))} h ago` : date(at, now);
}

/** "29 Nov, 01:30 in Europe/Berlin": a moment in the zone of the person, where that is another than UTC. */
export function ownTime(at: Date, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string | null {
  if (zone === 'UTC' || zone === 'Etc/UTC' || Number.isNaN(at.getTime())) return null;
  const time = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });
  return `${time.format(at)} in ${zone}`;
}
