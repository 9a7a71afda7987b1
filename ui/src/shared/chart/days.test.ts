import { expect, test } from 'vitest';
import { tickName, unitName } from './days';

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
  expect(tickName('2026-11-12T00:00:00', '2026-11-11T23:00:00', 'day')).toBe('00:00 12 Nov');
  expect(tickName('2026-11-12', '2026-11-11', 'day')).toBe('12');
});
