import { expect, test } from 'vitest';
import { endOf } from './end';

test('the end of a term warns 90, 30 and 7 days before', () => {
  expect(endOf('2027-01-01', '2026-09-01')).toEqual({ days: 122, tone: undefined });
  expect(endOf('2026-11-30', '2026-09-01')).toEqual({ days: 90, tone: 'off' });
  expect(endOf('2026-10-01', '2026-09-01')).toEqual({ days: 30, tone: 'warn' });
  expect(endOf('2026-09-08', '2026-09-01')).toEqual({ days: 7, tone: 'bad' });
  expect(endOf('2026-09-01', '2026-09-01')).toEqual({ days: 0, tone: 'off' });
});
