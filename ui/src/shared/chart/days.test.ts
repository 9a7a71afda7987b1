import { expect, test } from 'vitest';
import { tickName, unitName } from './days';

test('an hour is named with its day and its time', () => {
  expect(unitName('2026-11-12T13:00:00', 'day')).toBe(`${unitName('2026-11-12', 'day')}, 13:00 UTC`);
  expect(tickName('2026-11-12T13:00:00', '2026-11-12T12:00:00', 'day')).toBe('13:00');
  expect(tickName('2026-11-12T00:00:00', '2026-11-11T23:00:00', 'day')).toBe('00:00 12 Nov');
  expect(tickName('2026-11-12', '2026-11-11', 'day')).toBe('12');
});
