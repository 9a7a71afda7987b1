import type { InstanceAnswer } from '@/api';
import { count, date, isZero, money, plural, subtract } from '@/shared';
import type { Numeric } from '@/shared';
import type { Entry, Figure } from './entry';

/** The result of comparing two cells of a line. */
export type Mark = 'same' | 'differs' | 'only_a' | 'only_b' | 'unknown';

export interface Cell {
  text: string;
  /** Every digit of an amount, where the text is rounded; why there is nothing, where there is nothing. */
  title?: string;
  /** No value was returned, which is not zero. */
  isMissing: boolean;
}

export interface Line {
  key: string;
  label: string;
  a: Cell;
  b: Cell;
  mark: Mark;
  /** The second value minus the first, with its sign; empty for non-numeric values. */
  difference: string;
}

/** The response of one side for a section; undefined while loading. */
export type SideAnswer = InstanceAnswer<Entry[]> | undefined;

/** Why a side has no figures, in a few words. `version` is set if it differs from this computer's version. */
export function silence(told: Exclude<InstanceAnswer<unknown>, { state: 'answered' }>, version: string | null): string {
  if (told.state === 'lacks')
    return version === null ? 'Not for your role' : `Not in version ${version}, or not for your role`;
  return {
    signed_out: 'Not signed in',
    away: 'Not reachable',
    refused: 'Not for your role',
    failed: 'Could not be read',
  }[told.state];
}

export interface Sides {
  a: SideAnswer;
  b: SideAnswer;
  /** Versions that differ from this computer's. */
  versions: { a: string | null; b: string | null };
  /** The text for a side that has no such line. */
  missing: string;
  now: Date;
}

/** The lines of a section, with those of both sides matched by key. */
export function lines({ a, b, versions, missing, now }: Sides): Line[] {
  const entries = [a, b].flatMap((told) => (told?.state === 'answered' ? told.value : []));
  const first = new Map<string, Entry>();
  for (const entry of entries) if (!first.has(entry.key)) first.set(entry.key, entry);
  const keys = [...first.values()];
  if (keys.some(({ rank }) => rank !== undefined))
    keys.sort(({ rank: one = '' }, { rank: other = '' }) => (one < other ? -1 : one > other ? 1 : 0));
  const currencies = new Set(entries.flatMap(({ figure }) => (figure.kind === 'money' ? [figure.currency] : [])));
  const several = currencies.size > 1;
  return keys.map(({ key, label }) => {
    const [left, right] = [found(a, key), found(b, key)];
    const cell = (figure: Figure | undefined, told: SideAnswer, version: string | null) =>
      figure ? written(figure, several, now) : gap(told, version, missing);
    return {
      key,
      label,
      a: cell(left, a, versions.a),
      b: cell(right, b, versions.b),
      mark: markOf(left, right, a, b),
      difference: left && right ? differenceOf(left, right, several) : '',
    };
  });
}

function found(told: SideAnswer, key: string): Figure | undefined {
  return told?.state === 'answered' ? told.value.find((entry) => entry.key === key)?.figure : undefined;
}

function gap(told: SideAnswer, version: string | null, missing: string): Cell {
  if (told === undefined) return { text: '…', isMissing: true };
  if (told.state === 'answered') return { text: missing, isMissing: true };
  return { text: silence(told, version), title: told.why, isMissing: true };
}

function markOf(left: Figure | undefined, right: Figure | undefined, a: SideAnswer, b: SideAnswer): Mark {
  if (left && right) return isSame(left, right) ? 'same' : 'differs';
  if (a?.state !== 'answered' || b?.state !== 'answered') return 'unknown';
  return left ? 'only_a' : 'only_b';
}

function isSame(left: Figure, right: Figure): boolean {
  const both = numbers(left, right);
  if (both) return isZero(subtract(both[1], both[0]));
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Two amounts of one kind and currency. */
function numbers(left: Figure, right: Figure): [Numeric, Numeric] | null {
  if (left.kind === 'count' && right.kind === 'count') return [left.value, right.value];
  if (left.kind === 'money' && right.kind === 'money' && left.currency === right.currency)
    return [left.value, right.value];
  return null;
}

function written(figure: Figure, several: boolean, now: Date): Cell {
  const isMissing = false;
  switch (figure.kind) {
    case 'text':
      return { text: figure.text, isMissing };
    case 'count':
      return { text: count(figure.value), isMissing };
    case 'day':
      return { text: date(figure.day, now), isMissing };
    case 'money': {
      const exact = `${figure.currency} ${String(figure.value)}`.trim();
      return { text: money(figure.value, figure.currency, { several }), title: exact, isMissing };
    }
  }
}

function differenceOf(left: Figure, right: Figure, several: boolean): string {
  if (left.kind === 'day' && right.kind === 'day') {
    const days = Math.round((Date.parse(right.day) - Date.parse(left.day)) / 86_400_000);
    return days === 0 ? '' : `${days > 0 ? '+' : '−'}${plural(Math.abs(days), 'day')}`;
  }
  const both = numbers(left, right);
  if (!both) return '';
  const more = subtract(both[1], both[0]);
  if (isZero(more)) return '';
  if (left.kind !== 'money') return `${String(more).startsWith('-') ? '' : '+'}${count(more)}`;
  const rounded = money(more, left.currency, { several, sign: true });
  // A difference below half a cent is shown with every digit.
  return /^[<>]/.test(rounded) ? `${signed(more)} ${left.currency}`.trim() : rounded;
}

function signed(value: Numeric): string {
  const digits = String(value);
  return digits.startsWith('-') ? `−${digits.slice(1)}` : `+${digits}`;
}
