import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayRoom, dayWidth, timeRoom, timeWidth } from './column';

const folder = 'src/features';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));

/** The columns that are written in a file: from one head to the next. */
function columnsOf(source: string): string[] {
  return source.split(/(?=\bheader: )/).slice(1);
}

/** What a column is wide at least, in px; `null` where it takes what is left. */
function leastOf(column: string): number | null {
  const numbers = [...column.matchAll(/\b(?:width|least): (?:[a-z]+ \? )?(\w+)(?: : (\w+))?/g)]
    .flatMap(([, one, other]) => [one, other])
    .flatMap((text) => (text === 'timeWidth' ? timeWidth : text === 'dayWidth' ? dayWidth : Number(text ?? 'none')))
    .filter((width) => !Number.isNaN(width));
  return numbers.length === 0 ? null : Math.min(...numbers);
}

/** What a cell shows, without what it says when it is pointed at. */
const shownIn = (column: string) =>
  (column.split(/\n {2,8}\};?\n| {4}\},\n/)[0] ?? '').replace(/(?:title|aria-label)=\{(?:[^{}]|\{[^{}]*\})*\}/g, '');

test('columns of days and times have room for those of another year: from January on, most are', () => {
  const narrow = files.flatMap((name) =>
    columnsOf(readFileSync(join(folder, name), 'utf8')).flatMap((column) => {
      const shown = shownIn(column);
      const needed = /\bdateTime\(/.test(shown)
        ? timeWidth
        : /\b(?:dateOf|age|startShort)\(/.test(shown)
          ? dayWidth
          : 0;
      const least = leastOf(shown);
      return least !== null && least < needed
        ? [`${name}: ${column.split('\n')[0] ?? ''} ${String(least)} < ${String(needed)}`]
        : [];
    }),
  );
  expect(narrow).toEqual([]);
});

test('a crowded table gives a year its room where one is shown', () => {
  const [before, after] = [new Date('2026-12-31T10:00:00Z'), new Date('2027-01-01T10:00:00Z')];
  const times = ['2026-11-30T21:31:00Z', null, undefined];
  expect(timeRoom(times, after)).toEqual({ width: timeWidth });
  expect(dayRoom(times, after)).toEqual({ width: dayWidth });
  expect(timeRoom(times, before).width).toBeLessThan(timeWidth);
  expect(dayRoom([null], after).width).toBeLessThan(dayWidth);
});
