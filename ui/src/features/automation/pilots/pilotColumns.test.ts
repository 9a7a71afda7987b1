import { expect, test } from 'vitest';
import { pilotColumns } from './pilotColumns';

test('what an auto-pilot changes is the beginning of its name on the page, and has a column in a file', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const of = (room: 'file' | 'wide') => pilotColumns(room, now).map(({ id }) => id);
  expect(of('wide')).toEqual(['name', 'state', 'schedule', 'last', 'next']);
  expect(of('file')).toEqual(['name', 'category', 'state', 'schedule', 'last', 'next']);
});
