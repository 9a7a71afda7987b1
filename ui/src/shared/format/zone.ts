/** The only place that knows the time zone in which times are shown and typed. Days of bills have no zone: they do not change. */

import { createStore, useStore } from '../store';

const key = 'quarterdeck.zone';

// Reading it takes half a millisecond, and a list reads it for every row.
let computers: string | null = null;
// The zone of a laptop may have changed when its user returns to the page.
globalThis.addEventListener('focus', () => {
  computers = null;
});

/** The zone of the computer; a few name UTC in other ways. */
export function ownZone(): string {
  return (computers ??= computersZone());
}

function computersZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^(Etc\/)?(UTC|UCT|GMT|Zulu|Universal)$/.test(zone) ? 'UTC' : zone;
}

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function saved(): string | null {
  try {
    const zone = localStorage.getItem(key);
    return zone !== null && isZone(zone) ? zone : null;
  } catch {
    return null;
  }
}

/** The chosen zone; null follows the computer. */
const store = createStore(saved());

export function setZone(choice: string | null): void {
  try {
    if (choice === null) localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  store.set(choice);
}

/** "UTC" or "Europe/Berlin": the zone of every time of day that is shown. */
export function zone(): string {
  return store.get() ?? ownZone();
}

/** The choice of the person, and the zone that follows from it. */
export function useZone(): { choice: string | null; zone: string } {
  const choice = useStore(store);
  return { choice, zone: choice ?? ownZone() };
}

// Creating one costs a hundred times as much as using it.
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(name: string): Intl.DateTimeFormat {
  const known = clocks.get(name);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  clocks.set(name, clock);
  return clock;
}

/** The clock on the wall as the UTC of the answer: 06:38 in the zone is 06:38Z in it. */
export function onWall(at: Date, name = zone()): Date {
  if (name === 'UTC' || Number.isNaN(at.getTime())) return at;
  const parts = new Map(
    clockOf(name)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const ms = ((at.getTime() % 1000) + 1000) % 1000;
  return new Date(
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'), ms),
  );
}

/**
 * The moment when a clock on the wall shows a time. An hour that comes twice means its first; in an hour that is left out, as much later as
 * the clock is put forward.
 */
export function fromWall(wall: Date, name = zone()): Date {
  if (name === 'UTC' || Number.isNaN(wall.getTime())) return wall;
  const day = 86_400_000;
  const offset = (at: number) => onWall(new Date(at), name).getTime() - at;
  const [before, after] = [offset(wall.getTime() - day), offset(wall.getTime() + day)];
  const [first, second] = [new Date(wall.getTime() - before), new Date(wall.getTime() - after)];
  const shows = (at: Date) => onWall(at, name).getTime() === wall.getTime();
  return shows(first) || !shows(second) ? first : second;
}

/** "2026-11-20T06:30" of a form, in the zone of the person. */
export function fromField(text: string): Date {
  return fromWall(new Date(`${text}Z`));
}

/** The minute a moment is in, as fields of a form have it. */
export function toField(at: Date): string {
  return onWall(at).toISOString().slice(0, 16);
}

/**
 * "00:00 in Europe/Berlin", or "03:30 the next day in Asia/Kolkata": what "22:00" UTC is for the person, with the clocks of `now`. Undefined where the
 * zone is UTC, or the text is no time of day.
 */
export function utcTimeHere(text: string, now: Date, name = zone()): string | undefined {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59 || name === 'UTC') return undefined;
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const wall = onWall(new Date(day + (Number(hours) * 60 + Number(minutes)) * 60_000), name);
  const shift = Math.floor((wall.getTime() - day) / 86_400_000);
  const other = shift === 0 ? '' : shift > 0 ? ' the next day' : ' the day before';
  return `${wall.toISOString().slice(11, 16)}${other} in ${name}`;
}

/** "UTC", "CET", "EST", or "GMT+5:30" for a zone without a known short name. */
export function zoneShort(at: Date, name = zone()): string {
  if (name === 'UTC' || Number.isNaN(at.getTime())) return name;
  // Locales know the short names of their own zones only.
  const names = ['en-GB', 'en-US', 'en-AU'].map(
    (language) =>
      new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName: 'short' })
        .formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')?.value ?? name,
  );
  return names.find((short) => !/^GMT[+-]/.test(short)) ?? names[0] ?? name;
}
