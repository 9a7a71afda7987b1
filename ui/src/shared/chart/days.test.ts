import { expect, test } from 'vitest';
import { labelled, tickName, unitName } from './days';

const now = new Date('2026-11-30T08:00:00Z');

test('a read-out names the year when it is another one, as ranges do', () => {
  expect([
    unitName('2026-11-12', 'day', now),
    unitName('2026-11-09', 'week', now),
    unitName('2026-11-01', 'month', now),
  ]).toEqual(['Thu 12 Nov', '9–15 Nov', 'November']);
  expect([
    unitName('2025-11-12', 'day', now),
    unitName('2025-11-10', 'week', now),
    unitName('2025-11-01', 'month', now),
    unitName('2025-12-29', 'week', now),
  ]).toEqual(['Wed 12 Nov 2025', '10–16 Nov 2025', 'November 2025', '29 Dec 2025 – 4 Jan 2026']);
});

test('an hour is named with its day and its time', () => {
  expect(unitName('2026-11-12T13:00:00', 'day', now)).toBe('Thu 12 Nov, 13:00 UTC');
  expect(tickName('2026-11-12T13:00:00', '2026-11-12T12:00:00', 'day')).toBe('13:00');
  expect(tickName('2026-11-12T00:00:00', '2026-11-11T23:00:00', 'day')).toBe('12 Nov');
  expect(tickName('2026-11-12', '2026-11-11', 'day')).toBe('12');
});

test('labels of hours stand at round times and never in each other', () => {
  const from = Date.parse('2026-11-25T14:00:00Z');
  const hours = Array.from({ length: 120 }, (_, i) => new Date(from + i * 3_600_000).toISOString().slice(0, 19));
  for (const width of [120, 320, 600, 900, 1200]) {
    const at = labelled(hours, width);
    const names = at.map((i, n) => tickName(hours[i] ?? '', n === 0 ? null : (hours[at[n - 1] ?? 0] ?? null), 'day'));
    // A character is some 6.5 px wide.
    const room = at.slice(1).map((i, n) => ((i - (at[n] ?? 0)) / hours.length) * width - (names[n] ?? '').length * 6.5);
    expect(Math.min(Infinity, ...room), `${String(width)} px: ${names.join(' | ')}`).toBeGreaterThan(0);
    expect(names.every((name) => /^(?:(?:00|06|12|18):00(?: \d+ Nov)?|\d+ Nov)$/.test(name))).toBe(true);
  }
  expect(labelled(['2026-11-01', '2026-11-02', '2026-11-03'], 640)).toEqual([0, 1, 2]);
});
